package io.gannet.rdma.verbs;

import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.UnsafeApi;

/**
 * The device that was asked for, by name, by an address of this host, or the first that has one, and its
 * addresses. Which device an address belongs to is what the connection manager says when an identifier is bound to it,
 * which holds for InfiniBand, RoCE and iWARP.
 *
 * @param context   address of its {@code ibv_context}.
 * @param addresses at least one; the one asked for first.
 * @param list      what rdma_get_devices gave: it keeps the context open until it is freed.
 */
record DeviceChoice(long context, List<DeviceAddress> addresses, long list)
{
    /**
     * Finds it.
     *
     * @throws RdmaException with what this machine has, if it is not there or has no address.
     */
    static DeviceChoice of(final RdmaLibrary library, final EventChannel channel, final VerbsOptions options)
    {
        final long list = library.getDevices.pointer(0, 0);
        if (list < 0)
        {
            throw Absence.explain((int) -list);
        }
        try
        {
            return of(list, channel, options);
        }
        catch (final RdmaException e)
        {
            library.freeDevices.status(list);
            throw e;
        }
    }

    private static DeviceChoice of(final long list, final EventChannel channel, final VerbsOptions options)
    {
        final Map<String, Long> devices = devices(list);
        if (options.device() != null && !devices.containsKey(options.device()))
        {
            throw new RdmaException(Errno.ENODEV, "there is no RDMA device " + options.device() +
                ". This machine has " + String.join(", ", devices.keySet()));
        }
        final Long wanted = options.device() == null ? null : devices.get(options.device());
        final Map<Long, List<DeviceAddress>> addresses = addresses(channel, options.address());
        for (final Map.Entry<Long, List<DeviceAddress>> entry : addresses.entrySet())
        {
            if (wanted == null || wanted.equals(entry.getKey()))
            {
                return new DeviceChoice(entry.getKey(), entry.getValue(), list);
            }
        }
        if (options.address() != null)
        {
            throw new RdmaException(Errno.EADDRNOTAVAIL, "no RDMA device" + (wanted == null ? "" : " named " +
                options.device()) + " has the address " + options.address().getHostAddress() +
                ". Give it to the interface that `rdma link` shows for the device, or name another");
        }
        throw new RdmaException(Errno.EADDRNOTAVAIL, "RDMA device " +
            (wanted == null ? String.join(", ", devices.keySet()) : options.device()) + " has no IP address, without " +
            "which no connection can be made. Give one to the interface that `rdma link` shows for it");
    }

    private static Map<String, Long> devices(final long list)
    {
        final Map<String, Long> devices = new LinkedHashMap<>();
        for (long at = list; UnsafeApi.getLong(at) != 0; at += Long.BYTES)
        {
            devices.put(VerbsContext.deviceName(UnsafeApi.getLong(at)), UnsafeApi.getLong(at));
        }
        if (devices.isEmpty())
        {
            throw Absence.explain(0);
        }
        return devices;
    }

    private static Map<Long, List<DeviceAddress>> addresses(final EventChannel channel, final InetAddress first)
    {
        final Map<Long, List<DeviceAddress>> result = new LinkedHashMap<>();
        if (first != null)
        {
            add(result, channel, first);
            if (result.isEmpty())
            {
                return result;
            }
        }
        for (final InetAddress address : local())
        {
            if (!address.equals(first))
            {
                add(result, channel, address);
            }
        }
        return result;
    }

    private static void add(
        final Map<Long, List<DeviceAddress>> result, final EventChannel channel, final InetAddress address)
    {
        final EventChannel.BoundDevice device = channel.deviceOf(address);
        if (device != null)
        {
            result.computeIfAbsent(device.context(), key -> new ArrayList<>())
                .add(new DeviceAddress(address, device.port()));
        }
    }

    /** Addresses of this host but loopback, which the kernel binds to any device; IPv4 first. */
    private static List<InetAddress> local()
    {
        try
        {
            return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                .toList();
        }
        catch (final SocketException e)
        {
            throw new RdmaException(Errno.ENODEV, "cannot list the network interfaces: " + e.getMessage());
        }
    }
}

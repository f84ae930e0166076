package io.gannet.driver;

import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.roce.net.AllowList;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetAddress;
import java.util.List;

/**
 * Chooses and opens the driver's device, as its options say.
 */
final class DeviceOpener
{
    private final DeviceProviders providers;
    private final DeviceKind kind;
    private final InetAddress address;
    private final String name;
    private final AllowList allow;
    private final boolean isAsked;
    private String reason = "";

    DeviceOpener(final DriverConfiguration configuration)
    {
        this(configuration, DeviceProviders.OF_THIS_HOST);
    }

    DeviceOpener(final DriverConfiguration configuration, final DeviceProviders providers)
    {
        this.providers = providers;
        kind = configuration.get(DriverOptions.DEVICE);
        final String text = configuration.get(DriverOptions.DEVICE_ADDRESS);
        address = OptionType.AUTO.equals(text) ? null : InetAddress.ofLiteral(text);
        final String device = configuration.get(DriverOptions.DEVICE_NAME);
        name = OptionType.AUTO.equals(device) ? null : device;
        isAsked = configuration.get(DriverOptions.DOCTOR_PORT) != 0;
        final String networks = configuration.get(DriverOptions.ALLOW);
        allow = OptionType.ANY.equals(networks) ? AllowList.ANYBODY : AllowList.parse(networks);
    }

    /**
     * Whether the device is opened by the first channel that needs it: a driver that nobody asked for one takes no
     * port, not even on loopback, where it would be in the way of the kernel's Soft-RoCE.
     */
    boolean isLazy()
    {
        return kind == DeviceKind.AUTO && address == null && name == null && !isAsked;
    }

    /**
     * Opens the device.
     *
     * @param own    address that the first channel says is this host's, or null. A loopback address is the software
     *               NIC's if it is free and the options name none.
     * @param others address that the first channel says is another host's, or null. The software NIC does not take it
     *               unless the options name it.
     * @throws RdmaException with the remedy.
     */
    RdmaDevice open(final InetAddress own, final InetAddress others)
    {
        return switch (kind)
        {
            case VERBS ->
            {
                reason = "as " + DriverOptions.DEVICE + "=verbs says";
                yield openVerbs(address);
            }
            case ROCE ->
            {
                reason = "as " + DriverOptions.DEVICE + "=roce says";
                yield openRoce(own, others);
            }
            default -> openAny(own, others);
        };
    }

    /** The NIC that options or channel lead to, if it is usable, else the software NIC. */
    private RdmaDevice openAny(final InetAddress own, final InetAddress others)
    {
        final List<String> nics = providers.nics();
        if (nics.isEmpty())
        {
            reason = "as this host has no RDMA device";
            return openRoce(own, others);
        }
        final boolean named = name != null || (address != null && !address.isLoopbackAddress());
        final InetAddress local = named ? address : address == null ? ofChannel(own, others) : null;
        if (!named && local == null)
        {
            reason = "as neither " + DriverOptions.DEVICE_NAME + " nor " + DriverOptions.DEVICE_ADDRESS +
                " nor the channel leads to " + String.join(" or ", nics);
            return openRoce(own, others);
        }
        try
        {
            reason = named ? "as the options name it" : "as the channel leads to " + local.getHostAddress();
            return openVerbs(local);
        }
        catch (final RdmaException failure)
        {
            reason = "as " + failure.getMessage();
            return openRoce(own, others);
        }
    }

    /** This host's address on the way that a channel takes, null for loopback. */
    private InetAddress ofChannel(final InetAddress own, final InetAddress others)
    {
        final InetAddress local = own != null ? own : others == null ? null : providers.localTowards(others);
        return local == null || local.isLoopbackAddress() ? null : local;
    }

    private RdmaDevice openVerbs(final InetAddress local)
    {
        return providers.verbs(VerbsOptions.ANY.withDevice(name).withAddress(local).withAllow(allow::permits));
    }

    private RdmaDevice openRoce(final InetAddress own, final InetAddress others)
    {
        final RoceOptions options =
            RoceOptions.LOOPBACK.withAllow(allow).withAddress(address).withAvoided(others);
        try
        {
            return address == null && own != null && own.isLoopbackAddress() ?
                openNear(own, options) : providers.roce(options);
        }
        catch (final RdmaException failure)
        {
            throw new RdmaException(failure.errno(), failure.getMessage() + "; choose another address with " +
                DriverOptions.DEVICE_ADDRESS);
        }
    }

    private RdmaDevice openNear(final InetAddress own, final RoceOptions options)
    {
        try
        {
            return providers.roce(options.withAddress(own));
        }
        catch (final RdmaException taken)
        {
            return providers.roce(options);
        }
    }

    /** Why it is the device opened last, for the operator. */
    String reason()
    {
        return reason;
    }
}

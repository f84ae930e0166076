package io.gannet.driver;

import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.roce.net.AllowList;
import java.io.File;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * Chooses and opens the driver's device, as its options say.
 */
final class DeviceOpener
{
    private static final File KERNEL_DEVICES = new File("/sys/class/infiniband");

    private final DeviceKind kind;
    private final InetAddress address;
    private final AllowList allow;

    DeviceOpener(final DriverConfiguration configuration)
    {
        kind = configuration.get(DriverOptions.DEVICE);
        final String text = configuration.get(DriverOptions.DEVICE_ADDRESS);
        address = OptionType.AUTO.equals(text) ? null : InetAddress.ofLiteral(text);
        final String networks = configuration.get(DriverOptions.ALLOW);
        allow = OptionType.ANY.equals(networks) ? AllowList.ANYBODY : AllowList.parse(networks);
    }

    /**
     * Whether the device is opened by the first channel that needs it: a driver that nobody asked for one takes no
     * port, not even on loopback, where it would be in the way of the kernel's Soft-RoCE.
     */
    boolean isLazy()
    {
        return kind == DeviceKind.AUTO && address == null;
    }

    /**
     * Opens the device.
     *
     * @param own    loopback address that it should have if that is free and the options name none, or null.
     * @param others loopback address that it must not take unless the options name it, or null.
     * @throws RdmaException with the remedy.
     */
    RdmaDevice open(final InetAddress own, final InetAddress others)
    {
        final RoceOptions options =
            RoceOptions.LOOPBACK.withAllow(allow).withAddress(address).withAvoided(others);
        try
        {
            return address == null && own != null ? openNear(own, options) : RoceDevice.open(options);
        }
        catch (final RdmaException failure)
        {
            throw new RdmaException(failure.errno(), failure.getMessage() + "; choose another address with " +
                DriverOptions.DEVICE_ADDRESS);
        }
    }

    private static RdmaDevice openNear(final InetAddress own, final RoceOptions options)
    {
        try
        {
            return RoceDevice.open(options.withAddress(own));
        }
        catch (final RdmaException taken)
        {
            return RoceDevice.open(options);
        }
    }

    /** Why it is this device, for the operator. */
    String reason()
    {
        if (kind == DeviceKind.ROCE)
        {
            return "as " + DriverOptions.DEVICE + "=roce says";
        }
        final String[] names = KERNEL_DEVICES.list();
        if (names == null || names.length == 0)
        {
            return "as this host has no RDMA device";
        }
        Arrays.sort(names);
        return "as this version does not use " + String.join(", ", names) + " yet";
    }
}

package io.gannet.driver;

import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.roce.net.AllowList;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
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
    private final String name;
    private final AllowList allow;
    private String reason = "";

    DeviceOpener(final DriverConfiguration configuration)
    {
        kind = configuration.get(DriverOptions.DEVICE);
        final String text = configuration.get(DriverOptions.DEVICE_ADDRESS);
        address = OptionType.AUTO.equals(text) ? null : InetAddress.ofLiteral(text);
        final String device = configuration.get(DriverOptions.DEVICE_NAME);
        name = OptionType.AUTO.equals(device) ? null : device;
        final String networks = configuration.get(DriverOptions.ALLOW);
        allow = OptionType.ANY.equals(networks) ? AllowList.ANYBODY : AllowList.parse(networks);
    }

    /**
     * Whether the device is opened by the first channel that needs it: a driver that nobody asked for one takes no
     * port, not even on loopback, where it would be in the way of the kernel's Soft-RoCE.
     */
    boolean isLazy()
    {
        return kind == DeviceKind.AUTO && address == null && name == null;
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
        if (kind == DeviceKind.VERBS)
        {
            reason = "as " + DriverOptions.DEVICE + "=verbs says";
            return openVerbs();
        }
        if (kind == DeviceKind.ROCE)
        {
            reason = "as " + DriverOptions.DEVICE + "=roce says";
            return openRoce(own, others);
        }
        final String[] kernelDevices = KERNEL_DEVICES.list();
        if (kernelDevices == null || kernelDevices.length == 0)
        {
            reason = "as this host has no RDMA device";
            return openRoce(own, others);
        }
        Arrays.sort(kernelDevices);
        if (name == null && (address == null || address.isLoopbackAddress()))
        {
            reason = "as neither " + DriverOptions.DEVICE_NAME + " nor " + DriverOptions.DEVICE_ADDRESS + " names " +
                String.join(" or ", kernelDevices);
            return openRoce(own, others);
        }
        try
        {
            reason = "as the options name it";
            return openVerbs();
        }
        catch (final RdmaException failure)
        {
            reason = "as " + failure.getMessage();
            return openRoce(own, others);
        }
    }

    private RdmaDevice openVerbs()
    {
        return VerbsDevice.open(
            VerbsOptions.ANY.withDevice(name).withAddress(address).withAllow(allow::permits));
    }

    private RdmaDevice openRoce(final InetAddress own, final InetAddress others)
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

    /** Why it is the device opened last, for the operator. */
    String reason()
    {
        return reason;
    }
}

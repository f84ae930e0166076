package io.gannet.perf.cli;

import io.gannet.cli.UsageException;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The devices between which something is measured, as options name them.
 */
final class DeviceArgument
{
    static final String FORMS = "roce, verbs or verbs:ADDRESS,ADDRESS";

    private static final String VERBS = "verbs";

    private DeviceArgument()
    {
    }

    /** {@return what opens one device after the other} */
    static Supplier<RdmaDevice> devices(final String option, final String name)
    {
        if (name.equals("roce"))
        {
            return () -> RoceDevice.open(RoceOptions.LOOPBACK);
        }
        if (name.equals(VERBS))
        {
            return () -> VerbsDevice.open(VerbsOptions.ANY);
        }
        if (!name.startsWith(VERBS + ":"))
        {
            throw new UsageException(option + " " + name + ": must be " + FORMS);
        }
        final List<InetAddress> pair = addresses(option, name.substring(VERBS.length() + 1));
        final AtomicInteger opened = new AtomicInteger();
        return () -> VerbsDevice.open(VerbsOptions.ANY.withAddress(pair.get(opened.getAndIncrement() & 1)));
    }

    /** {@return two addresses, or one twice} */
    static List<InetAddress> addresses(final String option, final String text)
    {
        final String[] parts = text.split(",", -1);
        if (parts.length > 2)
        {
            throw new UsageException(option + " " + text + ": must be one address or two with a comma between");
        }
        try
        {
            return List.of(InetAddress.ofLiteral(parts[0]), InetAddress.ofLiteral(parts[parts.length - 1]));
        }
        catch (final IllegalArgumentException e)
        {
            throw new UsageException(option + " " + text + ": " + e.getMessage());
        }
    }
}

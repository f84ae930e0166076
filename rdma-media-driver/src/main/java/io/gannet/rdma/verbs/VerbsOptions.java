package io.gannet.rdma.verbs;

import java.net.InetAddress;
import java.util.function.Predicate;

/**
 * Which device, and how it is used.
 *
 * @param device        name as {@code ibv_devices} lists it, or null.
 * @param address       an address of this host that the device has; null takes the first that any device has.
 * @param criticalCalls whether posts and polls are made without a change of the thread's state, on providers that are
 *                      known to be bounded; never on others.
 * @param probe         whether an unknown device is tried, when it is opened, for what it does not tell; else it is
 *                      used as one that cannot.
 * @param allow         whose connections are taken; those of others are rejected and counted.
 */
public record VerbsOptions(
    String device, InetAddress address, boolean criticalCalls, boolean probe, Predicate<InetAddress> allow)
{
    /** The first device with an address. */
    public static final VerbsOptions ANY = new VerbsOptions(null, null, true, true, peer -> true);

    public VerbsOptions withDevice(final String name)
    {
        return new VerbsOptions(name, address, criticalCalls, probe, allow);
    }

    public VerbsOptions withAddress(final InetAddress local)
    {
        return new VerbsOptions(device, local, criticalCalls, probe, allow);
    }

    public VerbsOptions withCriticalCalls(final boolean allowed)
    {
        return new VerbsOptions(device, address, allowed, probe, allow);
    }

    public VerbsOptions withProbe(final boolean wanted)
    {
        return new VerbsOptions(device, address, criticalCalls, wanted, allow);
    }

    public VerbsOptions withAllow(final Predicate<InetAddress> peers)
    {
        return new VerbsOptions(device, address, criticalCalls, probe, peers);
    }
}

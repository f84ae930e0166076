package io.gannet.rdma;

import java.util.List;

/**
 * An open NIC. Everything made from it is counted in {@link #resources()}.
 */
public abstract class RdmaDevice implements AutoCloseable
{
    private final ResourceCounts resources = new ResourceCounts();

    /** {@return provider and device for messages, such as {@code verbs:mlx5_0} or {@code roce:127.0.0.1}} */
    public abstract String name();

    public abstract DeviceLimits limits();

    /**
     * @param number from 1.
     * @throws RdmaException if there is no such port.
     */
    public abstract PortAttributes port(int number);

    /**
     * @throws RdmaException if the device has no more.
     */
    public abstract ProtectionDomain allocateProtectionDomain();

    /**
     * @throws RdmaException if the device has no more.
     */
    public abstract CompletionChannel createCompletionChannel();

    /**
     * @param depth   completions it must hold, in [1, {@link DeviceLimits#maxCompletions}]. Never less than the sum of
     *                what its queue pairs can complete: an overflow loses completions for good.
     * @param channel where {@link CompletionQueue#arm armed} events go, or null if it is only polled.
     * @throws RdmaException if the depth is out of range or the device has no more.
     */
    public abstract CompletionQueue createCompletionQueue(int depth, CompletionChannel channel);

    /** {@return the one connection manager of this device} */
    public abstract ConnectionManager connectionManager();

    /**
     * Reads asynchronous events without waiting, on one thread.
     *
     * @return events handed to the handler.
     */
    public abstract int pollAsyncEvents(AsyncEventHandler handler);

    /**
     * {@return whether the device was removed or has failed, as {@link ConnectionManager#pollEvents} or
     * {@link #pollAsyncEvents} found: it never works again and its removal may wait until it is closed, with all that
     * was made from it; any thread}
     */
    public boolean isRemoved()
    {
        return false;
    }

    /**
     * Moves a device {@linkplain DeviceLimits#needsWork without hardware}: receives, sends, times out. Called in every
     * duty cycle of one thread; does nothing on hardware.
     *
     * @return how much was done; 0 means idle.
     */
    public abstract int doWork();

    /**
     * Sends what was posted, without the rest of {@link #doWork} and on its thread. Does nothing on hardware, which
     * needs no more than the doorbell.
     */
    public void transmit()
    {
    }

    /**
     * {@return descriptor for poll(2), readable when {@link #doWork} has something to do that came from outside; -1 if
     * it needs no work}
     */
    public int descriptor()
    {
        return -1;
    }

    /**
     * How long {@link #doWork} may be left out, after a call that found nothing to do, while {@link #descriptor()} is
     * not readable and nobody in this process posts or uses the connection manager: its timers need it by then. On the
     * thread of {@link #doWork}.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} on hardware.
     */
    public long waitLimit()
    {
        return Long.MAX_VALUE;
    }

    /** {@return what this device counts, the same at each call; empty if it counts nothing} */
    public List<DeviceStatistic> statistics()
    {
        return List.of();
    }

    /**
     * Looks for what would stop or slow streams on this device, before there are any.
     *
     * @param bytes that one stream registers.
     * @return a sentence for each, with what is needed, what there is, and the remedy; empty if all is well.
     */
    public List<String> preflight(final long bytes)
    {
        return List.of();
    }

    /** {@return what is open on this device} */
    public final ResourceCounts resources()
    {
        return resources;
    }

    /**
     * Closes the device.
     *
     * @throws RdmaException with {@link Errno#EBUSY}, naming them, if resources are still open.
     */
    @Override
    public final void close()
    {
        if (resources.open() != 0)
        {
            throw new RdmaException(Errno.EBUSY, "cannot close " + name() + ": still open are " + resources);
        }
        closeDevice();
    }

    /**
     * Releases the device itself; called when nothing made from it is open. May be called more than once.
     */
    protected abstract void closeDevice();
}

package io.gannet.rdma;

/**
 * Where armed completion queues announce themselves, so that their poller can sleep.
 *
 * <p>The order that loses no wake-up: {@linkplain CompletionQueue#arm arm}, poll until empty; if anything came, poll
 * on, else wait until {@link #fileDescriptor()} is readable, then {@link #drain()}. Polling before arming loses some.
 */
public abstract class CompletionChannel extends RdmaResource
{
    protected CompletionChannel(final ResourceCounts counts)
    {
        super(counts, ResourceKind.COMPLETION_CHANNEL);
    }

    /** {@return descriptor for poll(2), readable while events wait; -1 if the device has no such thing} */
    public abstract int fileDescriptor();

    /**
     * Reads and acknowledges all events that wait, without blocking.
     *
     * @return events read.
     */
    public abstract int drain();
}

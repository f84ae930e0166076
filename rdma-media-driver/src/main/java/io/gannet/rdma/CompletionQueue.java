package io.gannet.rdma;

/**
 * A completion queue. Polled and armed by one thread.
 */
public abstract class CompletionQueue extends RdmaResource
{
    protected CompletionQueue(final ResourceCounts counts)
    {
        super(counts, ResourceKind.COMPLETION_QUEUE);
    }

    /**
     * Takes completions out of the queue. Those of one queue pair come in the order of its requests. A receive that is
     * seen here makes visible every byte that its write, and all earlier writes of that queue pair, have placed.
     *
     * @param completions filled from index 0.
     * @return completions taken, 0 if there are none, or a negative error number if the queue is broken.
     */
    public abstract int poll(WorkCompletions completions);

    /**
     * Asks for one event on the channel at the next completion.
     *
     * @return 0 or a positive error number.
     */
    public abstract int arm();

    /** {@return completions that it can hold} */
    public abstract int depth();
}

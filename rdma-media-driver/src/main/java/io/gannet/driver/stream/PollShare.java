package io.gannet.driver.stream;

/**
 * What one connection sees of the polls of its completion queue. Not thread-safe: owned by the agent that polls.
 */
final class PollShare
{
    private PollCounts counts = new PollCounts();
    private long pollsSeen;
    private long emptyPollsSeen;

    /** From now on the queue's polls count. */
    void follow(final PollCounts queue)
    {
        counts = queue;
        pollsSeen = queue.polls();
        emptyPollsSeen = queue.emptyPolls();
    }

    /** Adds what has been polled since the last call. */
    void addTo(final StreamCounters counters)
    {
        counters.completionPolls += counts.polls() - pollsSeen;
        counters.emptyCompletionPolls += counts.emptyPolls() - emptyPollsSeen;
        pollsSeen = counts.polls();
        emptyPollsSeen = counts.emptyPolls();
    }
}

package io.gannet.driver.stream;

/**
 * How often one completion queue was polled. Not thread-safe: owned by the agent that polls.
 */
final class PollCounts
{
    private long polls;
    private long emptyPolls;

    void onPoll(final boolean empty)
    {
        polls++;
        emptyPolls += empty ? 1 : 0;
    }

    long polls()
    {
        return polls;
    }

    long emptyPolls()
    {
        return emptyPolls;
    }
}

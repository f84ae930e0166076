package io.gannet.driver;

/**
 * How the driver's agents (conductor, sender, receiver) are spread over threads. The resource thread, which maps and
 * registers memory, is a thread of its own in every mode but {@link #INVOKER}.
 */
public enum ThreadingMode
{
    /** One thread for each agent that has work to do. */
    DEDICATED,

    /** One thread for all agents. */
    SHARED,

    /** No thread at all: the owner of an embedded driver calls {@link MediaDriver#doWork()}. */
    INVOKER
}

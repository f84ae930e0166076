package io.gannet.perf.verbs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Processor time of the calling thread.
 */
final class ThreadTimes
{
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** User and system nanoseconds that the task took. */
    long measure(final Runnable task)
    {
        final long before = threads.getCurrentThreadCpuTime();
        task.run();
        return threads.getCurrentThreadCpuTime() - before;
    }
}

package io.gannet.driver;

import io.gannet.os.Threads;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Runs what may take long (mapping, zeroing, registering memory, looking up names) away from the conductor, so that
 * adding a stream never stalls another. One task at a time, in the order of submission; results go back to the
 * conductor. Without a thread, tasks run in the caller: that is the invoker mode.
 */
public final class ResourceExecutor implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final Executor conductor;
    private final Thread thread;

    ResourceExecutor(final Executor conductor, final boolean threaded)
    {
        this.conductor = conductor;
        thread = threaded ? Thread.ofPlatform().name("gannet-resources").daemon(true).unstarted(this::run) : null;
    }

    void start()
    {
        if (thread != null)
        {
            Threads.start(thread);
        }
    }

    /**
     * Runs {@code task}, then {@code completion} on the conductor's thread with its result or its failure.
     *
     * @param task       what to do.
     * @param completion gets the result and null, or null and the failure.
     * @param <T>        type of the result.
     */
    public <T> void submit(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        final Runnable step = () -> call(task, completion);
        if (thread == null)
        {
            step.run();
        }
        else
        {
            queue.add(step);
        }
    }

    /** Finishes what was submitted and ends the thread. */
    @Override
    public void close()
    {
        if (thread == null || !thread.isAlive())
        {
            return;
        }
        queue.add(new End());
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_TIMEOUT_SECONDS));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private <T> void call(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        T result = null;
        Throwable failure = null;
        try
        {
            result = task.call();
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
        final T value = result;
        final Throwable reason = failure;
        conductor.execute(() -> completion.accept(value, reason));
    }

    private void run()
    {
        try
        {
            for (Runnable task = queue.take(); !(task instanceof End); task = queue.take())
            {
                task.run();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Last task of the thread. */
    private static final class End implements Runnable
    {
        @Override
        public void run()
        {
        }
    }
}

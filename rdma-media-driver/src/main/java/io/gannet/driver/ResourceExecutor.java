package io.gannet.driver;

import io.gannet.os.OsException;
import io.gannet.os.Threads;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Runs what may take long away from the conductor, so that adding a stream never stalls another: mapping, zeroing and
 * registering memory on one thread; looking up names, for which a name server may let one wait for half a minute, on
 * another. One task at a time on each, in the order of submission; results go back to the conductor. Without threads,
 * tasks run in the caller: that is the invoker mode.
 */
public final class ResourceExecutor implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final Executor conductor;
    private final boolean threaded;
    private final Lane resources = new Lane("gannet-resources");
    /** Its thread is there from the first look-up on: most drivers need none. */
    private final Lane names = new Lane("gannet-names");

    ResourceExecutor(final Executor conductor, final boolean threaded)
    {
        this.conductor = conductor;
        this.threaded = threaded;
    }

    void start()
    {
        if (threaded)
        {
            resources.start();
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
        if (threaded)
        {
            resources.queue.add(step);
        }
        else
        {
            step.run();
        }
    }

    /** As {@link #submit}, for a task that looks a name up. On the conductor's thread. */
    <T> void lookUp(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        try
        {
            if (threaded)
            {
                names.start();
                names.queue.add(() -> call(task, completion));
                return;
            }
        }
        catch (final OsException shortage)
        {
            conductor.execute(() -> completion.accept(null, shortage));
            return;
        }
        call(task, completion);
    }

    /** Finishes what was submitted and ends the thread; look-ups that are under way are not waited for. */
    @Override
    public void close()
    {
        names.end();
        resources.end();
        resources.join();
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

    /** A thread and what it is to do. */
    private static final class Lane
    {
        private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        private final String name;
        private Thread thread;

        Lane(final String name)
        {
            this.name = name;
        }

        void start()
        {
            if (thread == null)
            {
                final Thread made = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
                Threads.start(made);
                thread = made;
            }
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

        void end()
        {
            queue.add(new End());
        }

        void join()
        {
            if (thread != null)
            {
                try
                {
                    thread.join(TimeUnit.SECONDS.toMillis(CLOSE_TIMEOUT_SECONDS));
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** Last task of a thread. */
    private static final class End implements Runnable
    {
        @Override
        public void run()
        {
        }
    }
}

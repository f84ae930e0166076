package io.gannet.driver;

import io.gannet.driver.stream.HybridWait;
import io.gannet.os.Threads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * One thread that runs one agent, or several as a composite, and sleeps on a bell when there is nothing to do. An
 * exception of a duty cycle goes to the error handler and the agent goes on.
 */
final class AgentThread implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_SECONDS = 10;
    private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Agent agent;
    private final Sleeper bell;
    private final IdlePolicy idle;
    private final DutyCycle dutyCycle;
    private final ErrorHandler errorHandler;
    private final DriverHealth health;
    private final Thread thread;
    private volatile boolean running = true;

    AgentThread(
        final Agent agent,
        final Sleeper bell,
        final IdlePolicy idle,
        final DutyCycle dutyCycle,
        final ErrorHandler errorHandler,
        final DriverHealth health)
    {
        this.agent = agent;
        this.bell = bell;
        this.idle = idle;
        this.dutyCycle = dutyCycle;
        this.errorHandler = errorHandler;
        this.health = health;
        thread = Thread.ofPlatform().name("gannet-" + agent.roleName()).daemon(true).unstarted(this::run);
    }

    void start()
    {
        Threads.start(thread);
    }

    /** Ends the agent and waits for it; its {@link Agent#onClose} runs on its own thread. */
    @Override
    public void close()
    {
        running = false;
        try
        {
            bell.ring();
        }
        catch (final InternalError truncated)
        {
            // The thread sees that the driver has failed.
        }
        boolean interrupted = false;
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_TIMEOUT_SECONDS);
        while (thread.isAlive() && deadline - System.nanoTime() > 0)
        {
            try
            {
                thread.join(TimeUnit.SECONDS.toMillis(CLOSE_TIMEOUT_SECONDS));
            }
            catch (final InterruptedException e)
            {
                interrupted = true;
            }
        }
        if (thread.isAlive())
        {
            errorHandler.onError(new IllegalStateException(
                thread.getName() + " did not end within " + CLOSE_TIMEOUT_SECONDS + " s"));
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try
        {
            agent.onStart();
            loop();
            awaitClose();
        }
        catch (final Throwable failure)
        {
            errorHandler.onError(failure);
            health.threadDied(thread.getName(), failure);
            awaitClose();
        }
        finally
        {
            try
            {
                agent.onClose();
            }
            catch (final Throwable failure)
            {
                errorHandler.onError(failure);
            }
        }
    }

    private void loop()
    {
        final HybridWait wait =
            new HybridWait(new Waiting(), idle.sleeps() ? idle.pauses() : Integer.MAX_VALUE);
        while (running && !health.hasFailed())
        {
            try
            {
                wait.beforeCycle();
                final int work = cycle();
                // The bell may be in the file that is gone.
                if (running && !health.hasFailed())
                {
                    wait.afterCycle(work);
                }
            }
            catch (final InternalError truncated)
            {
                errorHandler.onError(truncated);
            }
        }
    }

    /** Nothing is served any more, but the agents close in the driver's order. */
    private void awaitClose()
    {
        while (running)
        {
            LockSupport.parkNanos(AFTER_FAILURE_NANOS);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // measured: a few yields before a sleep beat both spinning and parking
    private void pause()
    {
        if (idle.spin())
        {
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
    }

    private int cycle()
    {
        final long start = System.nanoTime();
        int work = 0;
        try
        {
            work = agent.doWork();
            dutyCycle.record(System.nanoTime() - start);
        }
        catch (final Exception | InternalError failure)     // InternalError: a mapped file was truncated
        {
            errorHandler.onError(failure);
        }
        return work;
    }

    /** The thread's side of the decisions that {@link HybridWait} takes. */
    private final class Waiting implements HybridWait.Wakes
    {
        private boolean armed;

        @Override
        public void pause()
        {
            AgentThread.this.pause();
        }

        @Override
        public void rest()
        {
            if (!idle.spin())
            {
                AgentThread.this.pause();
            }
        }

        @Override
        public void arm()
        {
            armed = true;
            if (agent instanceof final SharedAgent shared)
            {
                shared.wholeCycle();
            }
            bell.arm();
        }

        @Override
        public void await()
        {
            armed = false;          // a sleep takes the announcement back
            bell.sleep(idle.sleepNanos());
        }

        @Override
        public boolean disarm()
        {
            if (armed)
            {
                armed = false;
                bell.disarm();
            }
            return false;           // the duty cycle that follows shows whether anything has come
        }
    }
}

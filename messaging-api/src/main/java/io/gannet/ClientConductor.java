package io.gannet;

import io.gannet.control.CommandWriter;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.control.GuardedRing;
import io.gannet.jfr.ConnectEvent;
import io.gannet.os.LateFault;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.agrona.concurrent.Agent;

/**
 * Talks to the driver for one client: sends commands, gives memory back, notices the driver's death and return; events
 * are handled by {@link ClientEvents}. Application threads hand it tasks. It runs on its own thread, or on whichever
 * thread invokes it, one at a time.
 */
final class ClientConductor implements Agent
{
    private static final int TASK_LIMIT = 64;
    private static final int FILE_LOST = 231;

    private final Gannet.Context context;
    private final DriverLink link;
    private final long clientId;
    private final AtomicLong ids = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Registrations registrations;
    private final ClientEvents events;
    private boolean lost;
    private boolean closing;
    /** Start of the duty cycle that runs, to tell a conductor that a handler of the application holds up. */
    private volatile long cycleStart;
    private volatile boolean terminated;
    private volatile String end = "";

    ClientConductor(final Gannet.Context context, final DriverLink.Factory linkFactory)
    {
        this.context = context;
        events = new ClientEvents(this);
        link = linkFactory.create(events);
        clientId = link.client().clientId();
        registrations = new Registrations(this, link);
    }

    Gannet.Context context()
    {
        return context;
    }

    GannetDirectory directory()
    {
        return link.directory();
    }

    DriverLink link()
    {
        return link;
    }

    ControlFile control()
    {
        return link.control();
    }

    /** What the client holds. */
    Registrations registrations()
    {
        return registrations;
    }

    long clientId()
    {
        return clientId;
    }

    long nextId()
    {
        return ids.incrementAndGet();
    }

    boolean isTerminated()
    {
        return terminated;
    }

    /** Whether the calling thread is the conductor now, so in one of the application's handlers. */
    boolean isInside()
    {
        return lock.isHeldByCurrentThread();
    }

    @Override
    public String roleName()
    {
        return "gannet-client-conductor";
    }

    /** Has a task run by the conductor. Any thread. */
    void submit(final Runnable task)
    {
        tasks.add(task);
        if (!context.useConductorInvoker())
        {
            try
            {
                link.client().bell().ring();
            }
            catch (final InternalError truncated)
            {
                // The conductor finds that out when it wakes by itself.
            }
        }
    }

    @Override
    public int doWork()
    {
        // Not waited for: another thread that invokes the conductor may be held up in a handler of the application.
        if (terminated || lock.isHeldByCurrentThread() || !lock.tryLock())
        {
            return 0;
        }
        try
        {
            final long now = System.nanoTime();
            cycleStart = now;
            return terminated ? 0 : cycle(now);
        }
        catch (final InternalError truncated)
        {
            onFault();
            return 1;
        }
        finally
        {
            lock.unlock();
        }
    }

    private int cycle(final long now)
    {
        int work = runTasks();
        if (terminated)
        {
            return work;
        }
        work += link.flush();
        final int received = link.readEvents();
        if (received == GuardedRing.CORRUPT)
        {
            closeWith(link.client().noise());
            return 1;
        }
        work += received;
        registrations.releaseLate();
        if (link.beat(now) && !closeWithoutFile())
        {
            lookAfterDriver(now);
        }
        // Whoever was held up in a handler may not invoke it again, and a close may have been asked for meanwhile.
        return work + runTasks();
    }

    /** As {@link #onFault()}, for its thread, where the fault came out of a duty cycle. */
    void fault()
    {
        lock.lock();
        try
        {
            if (!terminated)
            {
                onFault();
            }
        }
        catch (final InternalError | RuntimeException again)
        {
            report(new GannetException("a file of the client or its driver was truncated", again));
        }
        finally
        {
            lock.unlock();
        }
    }

    /** A file is mapped here that somebody has truncated: a ring's, the client's own, or one of its driver. */
    private void onFault()
    {
        final boolean ringLost = FaultedRings.explain();
        if (closing)
        {
            closeAll();
        }
        else if (!closeWithoutFile() && link.phase() != DriverLink.Phase.LOST && !(ringLost && link.isWhole()))
        {
            lose();
        }
    }

    /** Without its file no driver can see that this client lives, so it must not go on. */
    private boolean closeWithoutFile()
    {
        final String problem = link.ownFileProblem();
        if (problem == null)
        {
            return false;
        }
        closeWith(problem);
        return true;
    }

    private void closeWith(final String problem)
    {
        LateFault.discard();
        end = ", as the driver can't know of it any more: its file " + problem;
        report(new GannetException(FILE_LOST, "the client is closed" + end + ". Connect anew", null));
        closeAll();
    }

    /** Why the client closed by itself, to be put behind "is closed"; empty if the application closed it. */
    String end()
    {
        return end;
    }

    private int runTasks()
    {
        int count = 0;
        Runnable task;
        while (count < TASK_LIMIT && !terminated && (task = tasks.poll()) != null)
        {
            task.run();
            count++;
        }
        return count;
    }

    private void lookAfterDriver(final long now)
    {
        switch (link.phase())
        {
            case NEW ->
            {
            }
            case LOST ->
            {
                registrations.leaveWithoutDriver();
                final DriverProbe found = link.find();
                if (found != null)
                {
                    connectTo(found, lost);
                    lost = false;
                }
            }
            default ->
            {
                if (link.isDriverGone(now))
                {
                    lose();
                }
            }
        }
    }

    /** The driver is gone: what is shared goes on, what is asked for waits. */
    void lose()
    {
        lost = true;
        final String who = link.describeDriver();
        link.onLost();
        registrations.leaveWithoutDriver();
        call(() -> context.driverListener().onDriverLost(who));
    }

    /** The driver found bytes that are no command: what this client holds is told to it once more. */
    void connectAnew()
    {
        link.onLost();
    }

    /** Starts a conversation and tells the driver what this client holds. */
    private void connectTo(final DriverProbe found, final boolean again)
    {
        link.attach(found);
        final long connectId = nextId();
        final long epoch = link.epoch();
        link.send(out -> out.connect(connectId, epoch));
        registrations.sendAll();
        final long resumeDoneId = nextId();
        link.send(out -> out.resumeDone(resumeDoneId));
        events.expect(connectId, resumeDoneId, again);
        link.open();
        ConnectEvent.emitClient(link.describeDriver(), again);
    }

    /** First connection; the result comes through the operation. */
    Operation connect(final DriverProbe found)
    {
        final Operation operation = new Operation(null);
        submit(() ->
        {
            events.connecting(operation);
            connectTo(found, false);
        });
        return operation;
    }

    /** Adds something: sends the command now, and again to each later driver. */
    Operation add(final Registration registration)
    {
        final Operation operation = new Operation(registration);
        submit(() -> registrations.add(registration, operation));
        return operation;
    }

    /** Whether the duty cycle that runs now began before a time, so that a handler of the application is in it. */
    boolean isHeldUpSince(final long start)
    {
        return lock.isLocked() && cycleStart - start <= 0;
    }

    /** Sends a command when there is room, unless there is no driver. */
    void send(final Predicate<CommandWriter> command)
    {
        link.send(command);
    }

    /** Calls a handler of the application. */
    void call(final Runnable handler)
    {
        try
        {
            handler.run();
        }
        catch (final Throwable ex)
        {
            report(ex);
        }
    }

    /** Tells the application what went wrong outside its calls; on the error stream if its handler throws. */
    void report(final Throwable problem)
    {
        try
        {
            context.errorHandler().onError(problem);
        }
        catch (final Throwable ex)
        {
            // The conductor must not end by this: all streams of the client would stand still without a word.
            ClientNames.printError(problem);
            ClientNames.printError(ex);
        }
    }

    /** A close that doesn't wait any longer says why. */
    void reportHeldUpClose()
    {
        report(new GannetException("the client's conductor is held up by a handler of the application; it closes " +
            "when that returns"));
    }

    /** Ends everything; the last thing that this does. Waits a moment for threads that are in an offer or a poll. */
    void closeAll()
    {
        closing = true;
        registrations.closeAll();
        link.close(nextId());
        terminated = true;
    }
}

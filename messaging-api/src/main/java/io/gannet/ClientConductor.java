package io.gannet;

import io.gannet.control.CommandWriter;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.control.GuardedRing;
import io.gannet.os.LateFault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;

/**
 * Talks to the driver for one client: sends commands, gives memory back, notices the driver's death and return; events
 * are handled by {@link ClientEvents}. Application threads hand it tasks. It runs on its own thread, or on whichever
 * thread invokes it, one at a time.
 */
final class ClientConductor implements Agent
{
    private static final int TASK_LIMIT = 64;
    private static final long CLOSE_PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORT_PARK = TimeUnit.MICROSECONDS.toNanos(200);

    private final Gannet.Context context;
    private final DriverLink link;
    private final long clientId;
    private final AtomicLong ids = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Long2ObjectHashMap<Registration> registrations = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Operation> operations = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<SharedRing> sharedRings = new Long2ObjectHashMap<>();
    private final List<Registration> releasing = new ArrayList<>();
    private final List<SubscriptionRegistration> watched = new ArrayList<>();
    private final LeftGates leftGates = new LeftGates();
    private final ClientEvents events;
    private boolean lost;
    /** Start of the duty cycle that runs, to tell a conductor that a handler of the application holds up. */
    private volatile long cycleStart;
    private volatile boolean terminated;

    ClientConductor(final Gannet.Context context, final DriverLink.Factory linkFactory)
    {
        this.context = context;
        events = new ClientEvents(this);
        link = linkFactory.create(events);
        clientId = link.client().clientId();
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
            report(new GannetException("the event ring of this client holds bytes that are no event: the client is " +
                "closed. Its file was written to by something else than its driver"));
            closeAll();
            return 1;
        }
        work += received;
        releaseLate();
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

    /** A file is mapped here that somebody has truncated: the client's own, or one of its driver. */
    private void onFault()
    {
        if (!closeWithoutFile() && link.phase() != DriverLink.Phase.LOST)
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
        LateFault.discard();
        report(new GannetException("the client is closed, as the driver can't know of it any more: its file " +
            problem + ". Connect anew"));
        closeAll();
        return true;
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
                leaveWithoutDriver();
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
        leaveWithoutDriver();
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
        for (final Registration registration : registrations.values())
        {
            link.send(registration::sendAdd);
            registration.resume(link::send);
        }
        final long resumeDoneId = nextId();
        link.send(out -> out.resumeDone(resumeDoneId));
        events.expect(connectId, resumeDoneId, again);
        link.open();
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
        submit(() ->
        {
            registrations.put(registration.id(), registration);
            operations.put(registration.id(), operation);
            link.send(registration::sendAdd);
        });
        return operation;
    }

    /** Waits for an operation and takes it back when that takes too long or the thread is interrupted. */
    Object await(final Operation operation, final String what)
    {
        final long start = System.nanoTime();
        final long limit = context.driverTimeout();
        while (!operation.isDone())
        {
            if (context.useConductorInvoker())
            {
                doWork();
            }
            final long left = limit - (System.nanoTime() - start);
            final boolean interrupted = Thread.currentThread().isInterrupted();
            if (left <= 0 || interrupted || terminated)
            {
                if (operation.isDone())
                {
                    break;
                }
                takeBack(operation);
                throw failure(what, interrupted, start);
            }
            LockSupport.parkNanos(this, context.useConductorInvoker() ? SHORT_PARK : Math.min(left, CLOSE_PATIENCE));
        }
        return operation.result();
    }

    private void takeBack(final Operation operation)
    {
        if (operation.registration() != null)
        {
            operation.registration().close();
        }
    }

    /** Whether the duty cycle that runs now began before a time, so that a handler of the application is in it. */
    private boolean isHeldUpSince(final long start)
    {
        return lock.isLocked() && cycleStart - start <= 0;
    }

    private GannetException failure(final String what, final boolean interrupted, final long start)
    {
        if (terminated)
        {
            return new ClientClosedException("the client was closed while it waited to " + what);
        }
        if (interrupted)
        {
            return new GannetException("interrupted while waiting to " + what + "; it was taken back");
        }
        return new DriverTimeoutException("cannot " + what + " within " +
            TimeUnit.NANOSECONDS.toMillis(context.driverTimeout()) + " ms: " + obstacle(start));
    }

    /** What an operation that began at {@code start} still waits for. */
    private String obstacle(final long start)
    {
        if (isHeldUpSince(start))
        {
            return "the client's conductor is held up by a handler of the application";
        }
        if (link.phase() == DriverLink.Phase.LOST)
        {
            return "there is no driver: " + link.lastProblem();
        }
        final long silence = TimeUnit.NANOSECONDS.toMillis(link.driverSilence(System.nanoTime()));
        return link.describeDriver() + " didn't answer; its last sign of life was " + silence + " ms ago" +
            (silence > CLOSE_PATIENCE / 1_000_000 ? ", perhaps it is stopped" : "");
    }

    Registration registration(final long id)
    {
        return registrations.get(id);
    }

    Operation takeOperation(final long id)
    {
        return operations.remove(id);
    }

    /** The client's mapping of a concurrent ring, made if it has none. */
    SharedRing sharedRing(final long ringId, final Supplier<SharedRing> maker)
    {
        final SharedRing known = sharedRings.get(ringId);
        if (known != null && known.isUsable())
        {
            return known;
        }
        final SharedRing made = maker.get();
        sharedRings.put(ringId, made);
        return made;
    }

    /** Sends a command when there is room, unless there is no driver. */
    void send(final Predicate<CommandWriter> command)
    {
        link.send(command);
    }

    /** Looks after a subscription's leaving images until there are none. */
    void watch(final SubscriptionRegistration subscription)
    {
        if (!watched.contains(subscription))
        {
            watched.add(subscription);
        }
    }

    /** Forgets a registration, gives its memory back, now or when no thread is in it, and tells the driver then. */
    void release(final Registration registration)
    {
        registrations.remove(registration.id());
        final Operation operation = operations.remove(registration.id());
        if (operation != null && !operation.isDone())
        {
            operation.fail(new ClientClosedException(registration + " was closed"));
        }
        if (registration.tryRelease())
        {
            released(registration);
        }
        else
        {
            releasing.add(registration);
        }
    }

    private void released(final Registration registration)
    {
        sharedRings.values().removeIf(ring -> !ring.isUsed());
        final long removal = nextId();
        registration.leave(leftGates, removal);
        link.send(out -> registration.sendRemove(out, removal));
        link.flush();
        leaveWithoutDriver();
    }

    private void leaveWithoutDriver()
    {
        if (link.phase() == DriverLink.Phase.LOST && link.isDriverDead())
        {
            leftGates.leaveAll();
        }
    }

    /** The driver has done what a command asked for. */
    void succeeded(final long correlationId)
    {
        leftGates.removed(correlationId);
    }

    /** The driver knows what this client holds, and has removed what the client doesn't hold any more. */
    void resumed()
    {
        leftGates.clear();
    }

    private void releaseLate()
    {
        for (int i = releasing.size() - 1; i >= 0; i--)
        {
            final Registration registration = releasing.get(i);
            if (registration.tryRelease())
            {
                releasing.remove(i);
                released(registration);
            }
        }
        for (int i = watched.size() - 1; i >= 0; i--)
        {
            if (!watched.get(i).doWork())
            {
                watched.remove(i);
            }
        }
    }

    /** Whether there is something to look at again soon, without a bell. */
    boolean isWaiting()
    {
        return !releasing.isEmpty() || !watched.isEmpty();
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
        final List<Registration> all = new ArrayList<>(registrations.values());
        all.forEach(Registration::markClosed);
        all.addAll(releasing);
        final List<Registration> known = List.copyOf(all);
        registrations.clear();
        operations.values().forEach(operation -> operation.fail(new ClientClosedException("the client was closed")));
        operations.clear();
        final long start = System.nanoTime();
        all.removeIf(Registration::tryRelease);
        while (!all.isEmpty() && System.nanoTime() - start < CLOSE_PATIENCE)
        {
            LockSupport.parkNanos(SHORT_PARK);
            all.removeIf(Registration::tryRelease);
        }
        all.forEach(Registration::forceRelease);
        if (link.isDriverDead())
        {
            known.forEach(registration -> registration.leave(leftGates, 0));
            leftGates.leaveAll();
        }
        link.close(nextId());
        terminated = true;
    }
}

package io.gannet;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * What a client holds: publications, subscriptions and counters, from the moment they are asked for until their memory
 * is given back. For the conductor alone.
 */
final class Registrations
{
    private static final long CLOSE_PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORT_PARK = TimeUnit.MICROSECONDS.toNanos(200);

    private final ClientConductor conductor;
    private final DriverLink link;
    private final Long2ObjectHashMap<Registration> registrations = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Operation> operations = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<SharedRing> sharedRings = new Long2ObjectHashMap<>();
    private final List<Registration> releasing = new ArrayList<>();
    private final List<SubscriptionRegistration> watched = new ArrayList<>();
    private final LeftGates leftGates = new LeftGates();

    Registrations(final ClientConductor conductor, final DriverLink link)
    {
        this.conductor = conductor;
        this.link = link;
    }

    /** Keeps a registration and the operation that waits for it, and tells the driver. */
    void add(final Registration registration, final Operation operation)
    {
        registrations.put(registration.id(), registration);
        operations.put(registration.id(), operation);
        link.send(registration::sendAdd);
    }

    /** Tells a driver that has just come all that is held. */
    void sendAll()
    {
        for (final Registration registration : registrations.values())
        {
            link.send(registration::sendAdd);
            registration.resume(link::send);
        }
    }

    Registration get(final long id)
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
        if (tryRelease(registration))
        {
            released(registration);
        }
        else
        {
            releasing.add(registration);
        }
    }

    /** A ring whose file was cut is closed, and released at the next try. */
    private static boolean tryRelease(final Registration registration)
    {
        try
        {
            return registration.tryRelease();
        }
        catch (final InternalError truncated)
        {
            FaultedRings.check(truncated);
            return false;
        }
    }

    private void released(final Registration registration)
    {
        sharedRings.values().removeIf(ring -> !ring.isUsed());
        final long removal = conductor.nextId();
        registration.leave(leftGates, removal);
        link.send(out -> registration.sendRemove(out, removal));
        link.flush();
        leaveWithoutDriver();
    }

    /** Leaves the gates that no driver is there to take out. */
    void leaveWithoutDriver()
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

    /** Looks again at what could not be given back yet. */
    void releaseLate()
    {
        for (int i = releasing.size() - 1; i >= 0; i--)
        {
            final Registration registration = releasing.get(i);
            if (tryRelease(registration))
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

    /** Ends everything. Waits a moment for threads that are in an offer or a poll. */
    void closeAll()
    {
        final List<Registration> all = new ArrayList<>(registrations.values());
        all.forEach(Registration::markClosed);
        all.addAll(releasing);
        final List<Registration> known = List.copyOf(all);
        registrations.clear();
        operations.values().forEach(operation -> operation.fail(
            new ClientClosedException("the client is closed" + conductor.end())));
        operations.clear();
        final long start = System.nanoTime();
        all.removeIf(Registrations::tryRelease);
        while (!all.isEmpty() && System.nanoTime() - start < CLOSE_PATIENCE)
        {
            LockSupport.parkNanos(SHORT_PARK);
            all.removeIf(Registrations::tryRelease);
        }
        all.forEach(Registration::forceRelease);
        if (link.isDriverDead())
        {
            known.forEach(registration -> registration.leave(leftGates, 0));
            leftGates.leaveAll();
        }
    }
}

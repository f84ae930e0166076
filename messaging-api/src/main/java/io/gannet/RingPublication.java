package io.gannet;

import io.gannet.jfr.BackPressureEvent;
import io.gannet.os.LateFault;
import io.gannet.ring.GatingList;
import io.gannet.ring.Ring;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** What shared and exclusive publications have in common: names, close, waiting, and who holds them back. */
abstract class RingPublication implements ExclusivePublication
{
    private static final long MAX_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final ThreadLocal<IdleStrategy> IDLE =
        ThreadLocal.withInitial(() -> new BackoffIdleStrategy(10, 50, 1000, MAX_PARK_NANOS));

    private final PublicationRegistration registration;
    private final Ring ring;
    private final GatingList gating;
    private final int sessionId;
    private final int maxMessageLength;
    private final IdleStrategy idleStrategy;

    /** Read by every offer; set once. */
    private volatile boolean closed;
    /** Closed because its ring can't be read any more. */
    private volatile boolean lost;

    RingPublication(final PublicationRegistration registration, final Ring ring, final IdleStrategy idleStrategy)
    {
        this.registration = registration;
        this.ring = ring;
        gating = new GatingList(ring);
        this.idleStrategy = idleStrategy;
        sessionId = ring.description().sessionId();
        maxMessageLength = ring.maxMessageLength();
    }

    final Ring ring()
    {
        return ring;
    }

    /** A claim of this publication was committed or aborted. */
    abstract void claimEnded();

    /**
     * What an offer or another look at the ring answers if that can't be read any more; the driver says why.
     *
     * @param problem is thrown if it has another reason.
     */
    final long failed(final Throwable problem)
    {
        FaultedRings.check(problem);
        if (!ring.isClosed())
        {
            throw new GannetException("a fault that belongs to another ring, which is lost, came up in " + this +
                ": it is not known whether this message was sent", problem);
        }
        lost = true;
        markClosed();
        return CLOSED;
    }

    /** Whether an offer has found that the ring can't be read any more. */
    final boolean isLost()
    {
        return lost;
    }

    /** How far the stream came, also after the close; 0 if only the ring knows and that is closed. */
    abstract long lastPosition();

    /** Offers and claims are refused from now on. */
    final void markClosed()
    {
        closed = true;
    }

    /**
     * Gives the memory back if no thread is or will be in it. Only after {@link #markClosed()}.
     *
     * @return false to be called again.
     */
    abstract boolean tryRelease();

    /** Takes the ring away from whoever is still in it, without harm to them. */
    abstract void forceRelease();

    @Override
    public final String channel()
    {
        return registration.channel();
    }

    @Override
    public final int streamId()
    {
        return registration.streamId();
    }

    @Override
    public final int sessionId()
    {
        return sessionId;
    }

    @Override
    public final long registrationId()
    {
        return registration.id();
    }

    @Override
    public final int maxMessageLength()
    {
        return maxMessageLength;
    }

    @Override
    public final int ringCapacity()
    {
        return ring.capacity();
    }

    @Override
    public final boolean isClosed()
    {
        return closed;
    }

    @Override
    public final long offer(
        final DirectBuffer buffer, final int offset, final int length, final long timeout, final TimeUnit unit)
    {
        long result = offer(buffer, offset, length);
        if (result > 0 || timeout <= 0)
        {
            return result;
        }
        final IdleStrategy idle = idleStrategy != null ? idleStrategy : IDLE.get();
        final long start = System.nanoTime();
        final long limit = unit.toNanos(timeout);
        final BackPressureEvent waiting = result == BACK_PRESSURED ? BackPressureEvent.begun() : null;
        idle.reset();
        while ((result == BACK_PRESSURED || result == NOT_CONNECTED) && System.nanoTime() - start < limit &&
            !Thread.currentThread().isInterrupted())
        {
            idle.idle();
            result = offer(buffer, offset, length);
        }
        if (waiting != null)
        {
            waiting.finish(channel(), streamId(), sessionId(), null);
        }
        return result;
    }

    @Override
    public final boolean isConnected()
    {
        synchronized (this)
        {
            try
            {
                final boolean connected = !closed && !ring.isClosed() && gating.subscribers() > 0;
                LateFault.raise();
                return connected;
            }
            catch (final InternalError truncated)
            {
                FaultedRings.check(truncated);
                return false;
            }
        }
    }

    @Override
    public final SubscriberLag slowestSubscriber()
    {
        synchronized (this)
        {
            try
            {
                final SubscriberLag slowest = closed || ring.isClosed() ? null :
                    SlowestSubscriber.find(registration.directory(), registration.control(), ring, position());
                LateFault.raise();
                return slowest;
            }
            catch (final InternalError truncated)
            {
                FaultedRings.check(truncated);
                return null;
            }
        }
    }

    @Override
    public final void close()
    {
        registration.close();
    }

    @Override
    public final String toString()
    {
        return registration + ", session " + sessionId + (closed ? ", closed" : "");
    }
}

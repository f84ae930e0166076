package io.gannet;

import io.gannet.os.LateRelease;
import io.gannet.os.OsException;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * An exclusive publication. Each offer says by {@code busy} that it is inside, so that the ring can be taken away when
 * it is not, see {@link HotFence}.
 */
final class SoloPublication extends RingPublication
{
    private static final VarHandle BUSY;
    private static final VarHandle CLAIM_OPEN;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            BUSY = lookup.findVarHandle(SoloPublication.class, "busy", boolean.class);
            CLAIM_OPEN = lookup.findVarHandle(SoloPublication.class, "claimOpen", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final ExclusiveProducer producer;

    private boolean busy;
    private boolean claimOpen;

    SoloPublication(
        final PublicationRegistration registration,
        final Ring ring,
        final Bell.Waker waker,
        final IdleStrategy idleStrategy)
    {
        super(registration, ring, idleStrategy);
        producer = new ExclusiveProducer(ring, waker);
    }

    private boolean enter()
    {
        BUSY.setOpaque(this, true);
        HotFence.hot();
        if (isClosed())
        {
            exit();
            return false;
        }
        return true;
    }

    private void exit()
    {
        BUSY.setRelease(this, false);       // pairs with tryRelease(): nothing of the offer comes after this
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!enter())
        {
            return CLOSED;
        }
        try
        {
            return producer.offer(buffer, offset, length);
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            exit();
        }
    }

    @Override
    public long offer(
        final DirectBuffer buffer, final int offset, final int length, final ReservedValueSupplier reservedValue)
    {
        if (!enter())
        {
            return CLOSED;
        }
        try
        {
            return producer.offer(buffer, offset, length, reservedValue);
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            exit();
        }
    }

    @Override
    public long offer(final DirectBufferVector[] vectors, final ReservedValueSupplier reservedValue)
    {
        if (!enter())
        {
            return CLOSED;
        }
        try
        {
            return producer.offer(vectors, reservedValue);
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            exit();
        }
    }

    @Override
    public long offer(
        final DirectBuffer first,
        final int firstOffset,
        final int firstLength,
        final DirectBuffer second,
        final int secondOffset,
        final int secondLength,
        final ReservedValueSupplier reservedValue)
    {
        if (!enter())
        {
            return CLOSED;
        }
        try
        {
            return producer.offer(
                first, firstOffset, firstLength, second, secondOffset, secondLength, reservedValue);
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            exit();
        }
    }

    @Override
    public long tryClaim(final int length, final BufferClaim claim)
    {
        final RingClaim ringClaim = RingClaim.of(claim);
        if (!enter())
        {
            return CLOSED;
        }
        try
        {
            final long result = producer.tryClaim(length, ringClaim.frame());
            if (result > 0)
            {
                CLAIM_OPEN.setOpaque(this, true);
                ringClaim.open(this);
            }
            return result;
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            exit();
        }
    }

    @Override
    void claimEnded()
    {
        CLAIM_OPEN.setRelease(this, false); // pairs with tryRelease()
    }

    @Override
    public long position()
    {
        return isClosed() ? CLOSED : producer.position();
    }

    @Override
    public long positionLimit()
    {
        return isClosed() ? CLOSED : Math.max(producer.positionLimit(), 0);
    }

    @Override
    public long availableWindow()
    {
        return isClosed() ? CLOSED : producer.availableWindow();
    }

    @Override
    long lastPosition()
    {
        return producer.position();
    }

    @Override
    boolean tryRelease()
    {
        HotFence.rare();
        // Pair with the releases in exit() and claimEnded(): nothing of the offer or the claim comes after this.
        if ((boolean) BUSY.getAcquire(this) || (boolean) CLAIM_OPEN.getAcquire(this))
        {
            return false;
        }
        synchronized (this)
        {
            FaultedRings.free(ring());
        }
        return true;
    }

    @Override
    void forceRelease()
    {
        if (!tryRelease())
        {
            synchronized (this)
            {
                final Ring ring = ring();
                ring.close();
                LateRelease.after(this, () -> FaultedRings.free(ring));
            }
        }
    }
}

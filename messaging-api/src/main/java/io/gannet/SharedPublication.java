package io.gannet;

import io.gannet.os.LateFault;
import io.gannet.os.OsException;
import io.gannet.ring.ConcurrentProducer;
import java.lang.ref.Reference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * A publication for any number of threads. The reachability fences keep the ring's addresses from being freed under an
 * offer that is the last to use its publication.
 */
final class SharedPublication extends RingPublication
{
    private final SharedRing sharedRing;
    private final ConcurrentProducer producer;
    private boolean released;

    SharedPublication(
        final PublicationRegistration registration, final SharedRing sharedRing, final IdleStrategy idleStrategy)
    {
        super(registration, sharedRing.ring(), idleStrategy);
        this.sharedRing = sharedRing;
        producer = sharedRing.producer();
        sharedRing.acquire();
    }

    @Override
    public long offer(
        final DirectBuffer buffer, final int offset, final int length, final ReservedValueSupplier reservedValue)
    {
        if (isClosed())
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
            Reference.reachabilityFence(sharedRing);
        }
    }

    @Override
    public long offer(final DirectBufferVector[] vectors, final ReservedValueSupplier reservedValue)
    {
        if (isClosed())
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
            Reference.reachabilityFence(sharedRing);
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
        if (isClosed())
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
            Reference.reachabilityFence(sharedRing);
        }
    }

    @Override
    public long tryClaim(final int length, final BufferClaim claim)
    {
        final RingClaim ringClaim = RingClaim.of(claim);
        if (isClosed())
        {
            return CLOSED;
        }
        try
        {
            final long result = producer.tryClaim(length, ringClaim.frame());
            if (result > 0)
            {
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
            Reference.reachabilityFence(sharedRing);
        }
    }

    @Override
    void claimEnded()
    {
        // The producer's slots know which claims are open.
    }

    @Override
    public long position()
    {
        try
        {
            final long position = isClosed() ? CLOSED : producer.position();
            LateFault.raise();
            return position;
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            Reference.reachabilityFence(sharedRing);
        }
    }

    @Override
    public long positionLimit()
    {
        return isClosed() ? CLOSED : producer.positionLimit();
    }

    @Override
    public long availableWindow()
    {
        try
        {
            final long window = isClosed() ? CLOSED : producer.availableWindow();
            LateFault.raise();
            return window;
        }
        catch (final InternalError | OsException problem)
        {
            return failed(problem);
        }
        finally
        {
            Reference.reachabilityFence(sharedRing);
        }
    }

    @Override
    long lastPosition()
    {
        try
        {
            return ring().isClosed() ? 0 : producer.position();
        }
        catch (final InternalError truncated)
        {
            FaultedRings.check(truncated);
            return 0;
        }
    }

    @Override
    boolean tryRelease()
    {
        if (!released)
        {
            released = sharedRing.tryRelease();
        }
        return released;
    }

    @Override
    void forceRelease()
    {
        if (!released)
        {
            released = true;
            sharedRing.forceRelease();
        }
    }
}

package io.gannet;

import io.gannet.os.OsException;
import io.gannet.ring.FrameClaim;
import java.lang.ref.Reference;
import org.agrona.MutableDirectBuffer;

/** A claim in a ring, and the publication that wants to know when it ends. */
final class RingClaim implements BufferClaim
{
    private final FrameClaim frame = new FrameClaim();
    private RingPublication publication;

    static RingClaim of(final BufferClaim claim)
    {
        if (!(claim instanceof RingClaim ringClaim))
        {
            throw new IllegalArgumentException("a claim must be made by BufferClaim.allocate()");
        }
        if (ringClaim.publication != null)
        {
            throw new IllegalStateException("the claim is still open: commit or abort it first");
        }
        return ringClaim;
    }

    FrameClaim frame()
    {
        return frame;
    }

    void open(final RingPublication owner)
    {
        publication = owner;
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return frame.buffer();
    }

    @Override
    public int offset()
    {
        return frame.offset();
    }

    @Override
    public int length()
    {
        return frame.length();
    }

    @Override
    public BufferClaim reservedValue(final long value)
    {
        frame.reservedValue(value);
        return this;
    }

    @Override
    public void commit()
    {
        final RingPublication owner = publication;
        if (owner == null)
        {
            throw new IllegalStateException("no claim is open");
        }
        publication = null;
        try
        {
            frame.commit();
        }
        catch (final InternalError | OsException problem)
        {
            owner.failed(problem);
        }
        finally
        {
            owner.claimEnded();
            Reference.reachabilityFence(owner);
        }
    }

    @Override
    public void abort()
    {
        final RingPublication owner = publication;
        if (owner != null)
        {
            publication = null;
            try
            {
                frame.abort();
            }
            catch (final InternalError | OsException problem)
            {
                owner.failed(problem);
            }
            finally
            {
                owner.claimEnded();
                Reference.reachabilityFence(owner);
            }
        }
    }
}

package io.gannet.samples.marketdata.publisher;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.Publication;
import org.agrona.MutableDirectBuffer;

/**
 * Messages are written straight into a publication's ring.
 */
public final class PublicationOutlet implements Outlet
{
    private final ExclusivePublication publication;
    private final BufferClaim claim = BufferClaim.allocate();

    /**
     * @param publication used by the same thread as this outlet; closed by its owner.
     */
    public PublicationOutlet(final ExclusivePublication publication)
    {
        this.publication = publication;
    }

    @Override
    public int claim(final int length)
    {
        final long result = publication.tryClaim(length, claim);
        if (result > 0)
        {
            return 1;
        }
        return result == Publication.BACK_PRESSURED ? BACK_PRESSURED :
            result == Publication.NOT_CONNECTED ? NOT_CONNECTED : CLOSED;
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return claim.buffer();
    }

    @Override
    public int offset()
    {
        return claim.offset();
    }

    @Override
    public void commit()
    {
        claim.commit();
    }

    @Override
    public boolean isConnected()
    {
        return publication.isConnected();
    }
}

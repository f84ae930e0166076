package io.gannet;

import io.gannet.ring.RingKind;
import io.gannet.ring.model.ProcessWorld;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An exclusive publication offers and claims while the conductor closes it and frees its ring. */
final class SoloWorld extends ProcessWorld
{
    private static final int MESSAGES = 12;
    private static final int LENGTH = 24;

    private final SoloPublication publication;
    private final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));

    SoloWorld(final long seed, final String[] sites)
    {
        super(RingKind.EXCLUSIVE, seed, sites);
        join();
        publication = new SoloPublication(null, processRing("publisher", "conductor"), this::wake, null);
        thread("publisher", this::publish);
        thread("conductor", this::close);
    }

    private void publish()
    {
        final BufferClaim claim = BufferClaim.allocate();
        for (int i = 0; i < MESSAGES; i++)
        {
            final boolean inPlace = random.nextBoolean();
            final long result =
                inPlace ? publication.tryClaim(LENGTH, claim) : publication.offer(source, 0, LENGTH);
            if (result == Publication.CLOSED)
            {
                return;
            }
            if (result < 0)
            {
                throw new AssertionError("an offer says " + result);
            }
            if (inPlace)
            {
                pause(8);
                claim.commit();
            }
        }
    }

    private void close()
    {
        pause(150);
        publication.markClosed();
        while (!publication.tryRelease())
        {
            idle();
        }
    }
}

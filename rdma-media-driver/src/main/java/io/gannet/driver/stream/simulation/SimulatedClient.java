package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;

import org.agrona.DirectBuffer;

import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;

/**
 * A publisher's process: offers messages in bursts; of a concurrent ring also claims ranges, which it fills later or
 * gives back. It may die at any time.
 */
final class SimulatedClient
{
    private static final int CLAIM_CHANCE = 4;
    private static final int ABORT_CHANCE = 8;

    private final SimulatedPublication publication;
    private final Source source;
    private final SplittableRandom random;
    private final long id;
    private final ExclusiveProducer exclusive;
    private final ConcurrentProducer concurrent;
    private final FrameClaim claim = new FrameClaim();
    private long claimEnd;
    private boolean working;
    private boolean dead;

    /**
     * @param id    of the client, not 0.
     * @param waker of the driver that sleeps.
     */
    SimulatedClient(
        final SimulatedPublication publication,
        final Ring ring,
        final long id,
        final SplittableRandom random,
        final Bell.Waker waker)
    {
        this.publication = publication;
        this.id = id;
        this.random = random;
        source = publication.messages().newSource(random.split());
        final boolean isConcurrent = ring.kind() == RingKind.CONCURRENT;
        exclusive = isConcurrent ? null : new ExclusiveProducer(ring, waker);
        concurrent = isConcurrent ? new ConcurrentProducer(ring, id, waker) : null;
    }

    long id()
    {
        return id;
    }

    boolean isDead()
    {
        return dead;
    }

    /** {@return whether it does nothing that others wait for} */
    boolean isIdle()
    {
        return dead || (!working && !claim.isOpen());
    }

    /** {@return whether it may be about to ring a bell that it has taken} */
    boolean isWorking()
    {
        return !dead && working;
    }

    /** {@return nanoseconds for which its process stands still} */
    long pauseLeft()
    {
        return dead ? Long.MAX_VALUE : 0;
    }

    /** Its process ends wherever it is. */
    void die()
    {
        dead = true;
        if (source.isOffered())
        {
            publication.messages().onDeath(source.nextLength());
        }
    }

    /** Offers a burst, or finishes its claim. */
    int step()
    {
        working = true;
        if (claim.isOpen())
        {
            finish();
        }
        else
        {
            burst();
        }
        working = false;
        return 0;
    }

    private void burst()
    {
        int burst = random.nextInt(random.nextInt(8) == 0 ? 64 : 8);
        while (burst-- > 0 && !publication.hasAll())
        {
            final DirectBuffer message = source.next();
            if (concurrent != null && random.nextInt(CLAIM_CHANCE) == 0)
            {
                claimEnd = concurrent.tryClaim(source.nextLength(), claim);
                if (claimEnd < 0)
                {
                    source.refused();
                }
                else
                {
                    claim.buffer().putBytes(0, message, 0, source.nextLength());
                }
                return;
            }
            final long position = exclusive != null ?
                exclusive.offer(message, 0, source.nextLength()) :
                concurrent.offer(message, 0, source.nextLength());
            if (position < 0)
            {
                source.refused();
                return;
            }
            source.published(position);
        }
    }

    private void finish()
    {
        if (random.nextInt(ABORT_CHANCE) == 0)
        {
            publication.messages().onVoid(claimEnd - FrameHeader.step(source.nextLength()), claimEnd);
            claim.abort();
            source.refused();
        }
        else
        {
            claim.commit();
            source.published(claimEnd);
        }
    }
}

package io.gannet.driver;

import io.gannet.ring.ClaimView;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Tells who holds whom back in one ring: a subscriber that a full ring waits for, or a claim of a living client that
 * subscribers wait for. Nothing is taken from either; both are told once, and again when the ring goes on. Owned by the
 * conductor; makes no garbage unless it tells something.
 */
final class RingWatch
{
    private static final long NOBODY = -1;

    private final StreamRing ring;
    private final ClaimView claims;
    private long slowestPosition = NOBODY;
    private long slowestSince;
    private boolean slowestTold;
    private long claimPosition = NOBODY;
    private long claimSince;
    private boolean claimTold;

    RingWatch(final StreamRing ring)
    {
        this.ring = ring;
        claims = ring.kind() == RingKind.CONCURRENT ? new ClaimView(ring.ring()) : null;
    }

    /**
     * Looks at the subscribers.
     *
     * @param threshold of a wait that is worth a line, in nanoseconds.
     * @param who       describes a client by its id.
     */
    void lookAtSubscribers(
        final long now, final long threshold, final LongFunction<String> who, final DriverErrors errors)
    {
        final RingImage slowest = ring.kind() == RingKind.IMAGE ? null : slowestIfFull();
        final long position = slowest == null ? NOBODY : ring.gates().position(slowest.gate);
        if (position != slowestPosition)
        {
            if (slowestTold)
            {
                errors.tell(ring + " goes on after " + millis(now - slowestSince) + " ms");
            }
            slowestPosition = position;
            slowestSince = now;
            slowestTold = false;
        }
        else if (slowest != null && !slowestTold && now - slowestSince > threshold)
        {
            slowestTold = true;
            errors.tell(ring + " of " + ring.source() + " is full since " + millis(now - slowestSince) +
                " ms: it waits for subscriber " + who.apply(slowest.clientId) + " at position " + position +
                "; nothing is taken from that one");
        }
    }

    /** Looks at the claims of a concurrent ring. */
    void lookAtClaims(
        final long now, final long threshold, final LongFunction<String> who, final DriverErrors errors)
    {
        if (claims == null)
        {
            return;
        }
        final boolean found = claims.findOldest();
        final long position = found ? claims.position() : NOBODY;
        if (position != claimPosition)
        {
            if (claimTold)
            {
                errors.tell(ring + " goes on: the claim at position " + claimPosition + " has ended after " +
                    millis(now - claimSince) + " ms");
            }
            claimPosition = position;
            claimSince = now;
            claimTold = false;
        }
        else if (found && !claimTold && now - claimSince > threshold)
        {
            claimTold = true;
            errors.tell("publisher " + who.apply(claims.clientId()) + " has claimed " + claims.length() +
                " bytes at position " + position + " of " + ring + " and neither committed nor aborted them since " +
                millis(now - claimSince) + " ms: subscribers get nothing that comes after. Nothing is taken from a " +
                "living client");
        }
    }

    /** The subscriber of this host that a publisher has to wait for, null while there is room. */
    private RingImage slowestIfFull()
    {
        RingImage slowest = null;
        long minimum = RingLayout.FREE;
        for (int i = 0; i < ring.images().size(); i++)
        {
            final RingImage image = ring.images().get(i);
            final long position = ring.gates().position(image.gate);
            if (position < minimum)
            {
                minimum = position;
                slowest = image;
            }
        }
        return slowest != null && isFull(minimum) ? slowest : null;
    }

    /** Whether there may be no room for another message. */
    private boolean isFull(final long slowest)
    {
        final int capacity = ring.ring().capacity();
        final long full = slowest + RingLayout.window(ring.kind(), capacity) -
            RingLayout.maxFrameLength(ring.kind(), capacity);
        // Of an exclusive ring the position that is told may be a little behind, and the exact one costs a walk.
        return ring.sampledPosition() > full - RingLayout.COARSE_INTERVAL && ring.membership().finalPosition() > full;
    }

    private static long millis(final long nanos)
    {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}

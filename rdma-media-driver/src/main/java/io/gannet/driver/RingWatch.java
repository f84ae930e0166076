package io.gannet.driver;

import io.gannet.driver.stream.RemoteSubscriber;
import io.gannet.jfr.BackPressureEvent;
import io.gannet.ring.ClaimView;
import io.gannet.ring.GatingList;
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
    /** A subscriber with a larger part of an image before it that stands still is told of. */
    private static final int UNREAD_SHARE = 4;
    private static final int NONE = -1;

    private final StreamRing ring;
    private final ClaimView claims;
    /** Whom a full ring waits for: index in its gating list, and where it is. */
    private int slowest = NONE;
    private long slowestPosition = NOBODY;
    private long slowestSince;
    private boolean slowestTold;
    /** Whether publishers found the ring full at the last look, when that was, and for how long all in all. */
    private boolean held;
    private long lastLook;
    private long heldNanos;
    /** That has begun and not ended, if they are recorded. */
    private BackPressureEvent backPressure;
    private String recordedHolder;
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
        final int before = slowest;
        final long position = slowestIfFull();
        account(now, who);
        if (position != slowestPosition || slowest != before)
        {
            if (slowestTold)
            {
                errors.tell(ring + " goes on after " + millis(now - slowestSince) + " ms");
            }
            slowestPosition = position;
            slowestSince = now;
            slowestTold = false;
        }
        else if (slowest != NONE && !slowestTold && now - slowestSince > threshold)
        {
            slowestTold = true;
            errors.tell(ring + " of " + ring.source() +
                (ring.kind() == RingKind.IMAGE ? " is not read on since " : " is full since ") +
                millis(now - slowestSince) + " ms: it waits for " + describe(slowest, who) + " at position " +
                position + "; nothing is taken from that one");
        }
    }

    /** Since when publishers have found the ring full, in nanoseconds of the monotonic clock; 0 if there is room. */
    long heldSince()
    {
        return holdsPublishers() ? slowestSince : 0;
    }

    /** Nobody waits for a ring whose publishers have gone, though it is still read. */
    private boolean holdsPublishers()
    {
        return slowest != NONE && ring.kind() != RingKind.IMAGE && !ring.isEnded();
    }

    /** Nanoseconds for which publishers have found the ring full since it was made, from look to look. */
    long heldNanos()
    {
        return heldNanos;
    }

    private void account(final long now, final LongFunction<String> who)
    {
        final boolean full = holdsPublishers();
        if (held)
        {
            heldNanos += now - lastLook;
        }
        if (full && !held)
        {
            backPressure = BackPressureEvent.begun();
            recordedHolder = backPressure == null ? null : describe(slowest, who);
        }
        else if (held && !full)
        {
            end();
        }
        held = full;
        lastLook = now;
    }

    /** The ring goes, or its driver: what it was full for is told. */
    void end()
    {
        if (backPressure != null)
        {
            backPressure.finish(ring.channel().toString(), ring.streamId(), ring.sessionId(), recordedHolder);
            backPressure = null;
        }
    }

    private String describe(final int gate, final LongFunction<String> who)
    {
        if (ring.gates().kind(gate) == GatingList.Kind.LOCAL)
        {
            return "subscriber " + who.apply(ring.gates().clientId(gate));
        }
        if (ring.outbound() != null)
        {
            for (final RemoteSubscriber subscriber : ring.outbound().stream().subscribers())
            {
                if (subscriber.gate() == gate)
                {
                    return Addresses.host(subscriber.address());
                }
            }
        }
        return "another host";
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

    /** Finds the subscriber that a publisher has to wait for; its position, {@link #NOBODY} while there is room. */
    private long slowestIfFull()
    {
        final GatingList gates = ring.gates();
        final long lowest = ring.position() - ring.ring().capacity();
        long minimum = RingLayout.FREE;
        int index = NONE;
        for (int i = 0, size = gates.size(); i < size; i++)
        {
            final GatingList.Kind kind = gates.kind(i);
            final long position = gates.position(i);
            // What a host says of itself may not be true; producers do not heed it then.
            if (position < minimum &&
                (kind == GatingList.Kind.LOCAL || (kind == GatingList.Kind.REMOTE && position >= lowest)))
            {
                minimum = position;
                index = i;
            }
        }
        slowest = index != NONE && isFull(minimum) ? index : NONE;
        return slowest == NONE ? NOBODY : minimum;
    }

    /** Whether there may be no room for another message. */
    private boolean isFull(final long slowest)
    {
        final int capacity = ring.ring().capacity();
        if (ring.kind() == RingKind.IMAGE)
        {
            // How much of it the publisher uses depends on the kind of its own ring.
            return ring.receivedPosition() - slowest > capacity / UNREAD_SHARE;
        }
        final long full = slowest + RingLayout.window(ring.kind(), capacity) -
            RingLayout.maxFrameLength(ring.kind(), capacity);
        return ring.position() > full;
    }

    private static long millis(final long nanos)
    {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}

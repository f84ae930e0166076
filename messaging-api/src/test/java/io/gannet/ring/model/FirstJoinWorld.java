package io.gannet.ring.model;

import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.util.function.ToLongFunction;

/**
 * A producer publishes as soon as it may, and the driver lets the first subscriber in: one of this host, or one of
 * another, before which the sender comes in. It must start at the first message, also if the ring is full by then.
 */
final class FirstJoinWorld extends ProcessWorld
{
    private static final int ATTEMPTS = 60;
    private static final int SHORT = 16;

    private final ToLongFunction<FrameClaim> producer;
    private final boolean remote;
    private final int length;
    private long first = Long.MAX_VALUE;
    private long joined = -1;

    FirstJoinWorld(final long seed, final String[] sites)
    {
        this(seed % 2 == 0 ? RingKind.EXCLUSIVE : RingKind.CONCURRENT, seed, sites);
    }

    private FirstJoinWorld(final RingKind kind, final long seed, final String[] sites)
    {
        super(kind, seed, sites);
        remote = random.nextInt(3) > 0;
        // Long ones fill the window soon: five of them are more than half an exclusive ring.
        length = random.nextInt(4) == 0 ? SHORT :
            RingLayout.maxMessageLength(kind, RingLayout.MIN_CAPACITY) - FrameHeader.ALIGNMENT;
        if (kind == RingKind.EXCLUSIVE)
        {
            final ExclusiveProducer exclusive = new ExclusiveProducer(othersRing(), this::wake);
            producer = claim -> exclusive.tryClaim(length, claim);
        }
        else
        {
            final ConcurrentProducer concurrent = new ConcurrentProducer(othersRing(), 1, this::wake);
            producer = claim -> concurrent.tryClaim(length, claim);
        }
        thread("producer", this::publish);
        thread("driver", this::subscribe);
    }

    private void publish()
    {
        final FrameClaim claim = new FrameClaim();
        for (int i = 0; i < ATTEMPTS; i++)
        {
            final long result = producer.applyAsLong(claim);
            if (result > 0)
            {
                claim.commit();
                first = Math.min(first, result - FrameHeader.step(length));
            }
            else
            {
                pause(8);
            }
        }
    }

    private void subscribe()
    {
        final Membership membership = new Membership(othersRing());
        pause(40);
        if (remote)
        {
            membership.join(GatingList.Kind.SENDER, 0, 1);
            pause(8);
        }
        joined = membership.list().joinPosition(
            membership.join(remote ? GatingList.Kind.REMOTE : GatingList.Kind.LOCAL, 1, 1));
    }

    @Override
    protected void check()
    {
        if (joined > first)
        {
            throw new AssertionError("the first subscriber" + (remote ? ", of another host," : "") + " starts at " +
                joined + ", behind a message at " + first);
        }
    }
}

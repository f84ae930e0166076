package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;

import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;

/**
 * A publisher's process: offers messages in bursts, and then ends.
 */
final class SimulatedPublication
{
    /** Stream id of all publications. */
    static final int STREAM = 1001;

    private static final int SESSION = 7;

    private final Ring mapped;
    private final Ring ring;
    private Membership membership;
    private final Messages messages;
    private final SplittableRandom random;
    private final int total;
    private final ExclusiveProducer exclusive;
    private final ConcurrentProducer concurrent;
    private final long id;
    private Replication replication;
    private OutboundStream stream;

    /**
     * @param messagesToPublish before it ends.
     * @param id                names it for ever, not 0.
     * @param waker             of the driver that sleeps.
     */
    SimulatedPublication(
        final Scenario scenario,
        final int messagesToPublish,
        final long id,
        final RingMemory memory,
        final SplittableRandom random,
        final Bell.Waker waker)
    {
        this.id = id;
        this.random = random;
        final RingDescription description = new RingDescription(
            scenario.kind(), scenario.capacity(), SESSION, STREAM, id, 0, true);
        mapped = RingFile.createAnonymous(description);
        ring = mapped.accessedBy(memory);
        membership = new Membership(ring);
        messages = new Messages(random.split(), scenario.maxLength());
        total = messagesToPublish;
        final boolean isConcurrent = scenario.kind() == RingKind.CONCURRENT;
        exclusive = isConcurrent ? null : new ExclusiveProducer(ring, waker);
        concurrent = isConcurrent ? new ConcurrentProducer(ring, 1, waker) : null;
    }

    void stream(final Replication driver, final OutboundStream replicated)
    {
        replication = driver;
        stream = replicated;
    }

    /** {@return replication in the driver that has it} */
    Replication replication()
    {
        return replication;
    }

    OutboundStream stream()
    {
        return stream;
    }

    long id()
    {
        return id;
    }

    Ring ring()
    {
        return ring;
    }

    /** Another driver changes the gating list from now on. */
    void newMembership()
    {
        membership = new Membership(ring);
        membership.adopt();
    }

    Membership membership()
    {
        return membership;
    }

    Messages messages()
    {
        return messages;
    }

    /** {@return messages that are still to be published} */
    int left()
    {
        return total - messages.count();
    }

    boolean isDone()
    {
        return messages.count() == total;
    }

    /** Offers a burst. */
    void step()
    {
        int burst = random.nextInt(random.nextInt(8) == 0 ? 64 : 8);
        while (burst-- > 0 && !isDone())
        {
            final var message = messages.next();
            final long position = exclusive != null ?
                exclusive.offer(message, 0, messages.nextLength()) :
                concurrent.offer(message, 0, messages.nextLength());
            if (position < 0)
            {
                messages.refused();
                return;
            }
            messages.published(position);
        }
    }

    /** Writes into the words that other hosts' NICs may write. */
    void writeIntoRemoteGates(final long position)
    {
        final GatingList list = membership.list();
        for (int i = 0; i < list.size(); i++)
        {
            if (list.kind(i) == GatingList.Kind.REMOTE && list.position(i) != RingLayout.FREE)
            {
                ring.memory().putLongRelease(list.positionAddress(i), position);
            }
        }
    }

    /** An entry that nobody uses gates nothing, or the next that uses it would take another's position for its own. */
    void checkGates()
    {
        final GatingList list = membership.list();
        for (int i = 0; i < list.size(); i++)
        {
            if (list.kind(i) == GatingList.Kind.NONE && list.position(i) != RingLayout.FREE)
            {
                throw new SimulationFailure("unused gating entry " + i + " is at " + list.position(i));
            }
        }
    }

    void free()
    {
        mapped.close();
        mapped.free();
    }
}

package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.ring.Bell;
import io.gannet.ring.CorruptRingException;
import io.gannet.ring.RingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * All rings of the directory, their publications and subscriptions: what is to be done for all of them, and for one
 * client. Owned by the conductor.
 */
final class Streams
{
    /** The claim slots of a ring are 32 KiB, so they are looked at less often. */
    private static final int SLOTS_EACH = 10;
    /** Rings looked at in one duty cycle, so that ten thousand do not stop the conductor for milliseconds. */
    static final int MOST_AT_ONCE = 64;
    /**
     * Rings are sampled at this pace at most, so that many that rest cost the conductor no more than a thousand do. A
     * sample of one takes one or two microseconds: its lines are in no cache.
     */
    static final long SAMPLE_NANOS_EACH = 100_000;

    private final RingTable rings;
    private final RingRepairs repairs;
    private final RingEnding ending;
    private final LostRings lost;
    private final Subscriptions subscriptions;
    private final Publications publications;
    private final SlowSubscribers slow;
    private final RingCounters counters;
    private final RemoteStreams remote;
    private final DriverErrors errors;
    private LongFunction<String> who = JournalEntry::hex;
    private long patienceNanos = Long.MAX_VALUE;
    private final BrokenImages broken;
    private long samples;
    private long sampledAt;
    /** Past all rings between two samples. */
    private int nextSample = Integer.MAX_VALUE;
    private int nextDropping;
    private long looks;

    /**
     * @param remote ties them to other hosts, null if there is no device.
     */
    Streams(
        final RingMaker maker,
        final Bell.Waker waker,
        final BrokenImages broken,
        final RingCounters counters,
        final DriverErrors errors,
        final RemoteStreams remote)
    {
        this.counters = counters;
        this.errors = errors;
        this.remote = remote;
        this.broken = broken;
        rings = new RingTable(maker, counters, errors);
        repairs = new RingRepairs(waker, counters.repairedBytes(), errors);
        slow = new SlowSubscribers(counters.dropped());
        ending = new RingEnding(repairs, errors, rings::destroy, this::lose);
        lost = new LostRings(rings, repairs, ending, counters, broken, errors);
        subscriptions = new Subscriptions(rings, ending, lost, broken, remote, counters);
        publications = new Publications(
            rings, maker, repairs, ending, lost, subscriptions, remote, counters, errors);
    }

    Publications publications()
    {
        return publications;
    }

    Subscriptions subscriptions()
    {
        return subscriptions;
    }

    /** Null if there is none. */
    StreamRing ring(final long ringId)
    {
        return rings.get(ringId);
    }

    /** All of them; the order changes when one goes. */
    List<StreamRing> rings()
    {
        return rings.list();
    }

    /** Whether a publication of this host is there for a subscription. */
    boolean hasPublication(final Subscriber subscriber)
    {
        return rings.list().stream().anyMatch(ring -> ring.kind() != RingKind.IMAGE && ring.matches(subscriber));
    }

    /** Frees everything of a client that has no session in this driver or is leaving it. */
    void releaseClient(final long clientId)
    {
        broken.forget(clientId);
        for (final StreamRing ring : copy())
        {
            for (final RingImage image : List.copyOf(ring.images()))
            {
                if (image.clientId == clientId)
                {
                    subscriptions.release(image);
                }
            }
            for (final RingUser user : List.copyOf(ring.users()))
            {
                if (user.clientId == clientId)
                {
                    publications.remove(ring, user);
                }
            }
        }
    }

    /** Frees what a client held under the driver before and has not asked for again. */
    void releaseUnresumed(final long clientId)
    {
        for (final StreamRing ring : copy())
        {
            for (final RingImage image : List.copyOf(ring.images()))
            {
                if (image.clientId == clientId && image.subscriber() == null)
                {
                    subscriptions.release(image);
                }
            }
            for (final RingUser user : List.copyOf(ring.users()))
            {
                if (user.clientId == clientId && user.session() == null)
                {
                    publications.remove(ring, user);
                }
            }
        }
    }

    private List<StreamRing> copy()
    {
        return new ArrayList<>(rings.list());
    }

    /** Goes on with endings and repairs; returns how much was done. */
    int poll()
    {
        return rings.poll() + repairs.poll() + ending.poll() + lost.poll() + cutOffSlow() + sampleSome();
    }

    /** The conductor ends. */
    void close()
    {
        rings.poll();
        rings.list().forEach(ring -> ring.watch().end());
    }

    /** Looks at a few of the rings with {@code slow=drop}. */
    private int cutOffSlow()
    {
        final List<StreamRing> dropping = rings.dropping();
        int work = 0;
        for (int i = Math.min(dropping.size(), MOST_AT_ONCE); i > 0; i--)
        {
            nextDropping = nextDropping + 1 < dropping.size() ? nextDropping + 1 : 0;
            final StreamRing ring = dropping.get(nextDropping);
            looks++;
            try
            {
                work += slow.check(ring);
            }
            catch (final InternalError fault)
            {
                lose(ring, fault);
                return work + 1;
            }
        }
        return work;
    }

    /**
     * Begins to take positions into the counters, and to look whether the rings' headers make sense, which
     * {@link #poll()} goes on with; unless that is still under way, or was so lately.
     */
    void sample(final long now)
    {
        final int size = rings.list().size();
        if (nextSample >= size && (samples == 0 || now - sampledAt >= size * SAMPLE_NANOS_EACH))
        {
            nextSample = 0;
            sampledAt = now;
            samples++;
        }
    }

    /** Goes on with the sample; as long as there is something left of it, the conductor does not sleep. */
    private int sampleSome()
    {
        final List<StreamRing> list = rings.list();
        int looked = 0;
        while (looked < MOST_AT_ONCE && nextSample < list.size())
        {
            looked++;
            looks++;
            sample(list.get(nextSample++));
        }
        return nextSample < list.size() ? looked : 0;
    }

    private void sample(final StreamRing ring)
    {
        String problem;
        try
        {
            problem = audit(ring);
            if (problem == null)
            {
                ring.sample();
                watch(ring, sampledAt);
                counters.sample(ring);
            }
        }
        catch (final CorruptRingException damaged)
        {
            problem = damaged.getMessage();
        }
        catch (final InternalError fault)
        {
            lose(ring, fault);
            return;
        }
        if (problem != null)
        {
            lost.damaged(ring, problem);
        }
    }

    private void watch(final StreamRing ring, final long now)
    {
        ring.watch().lookAtSubscribers(now, patienceNanos, who, errors);
        if (samples % SLOTS_EACH == 0)
        {
            ring.watch().lookAtClaims(now, patienceNanos, who, errors);
        }
    }

    /** For tests: how often a ring was looked at. */
    long looks()
    {
        return looks;
    }

    /** Describes clients in what is told of them, and says how long a wait is to be for a line. */
    void describeBy(final LongFunction<String> description, final long patience)
    {
        who = description;
        patienceNanos = patience;
    }

    private String audit(final StreamRing ring)
    {
        final String problem =
            ring.audit().look(ring.kind() == RingKind.IMAGE || ending.isEnding(ring));
        return problem != null || samples % SLOTS_EACH != 0 ? problem : ring.audit().lookAtSlots();
    }

    /** A ring holds what can't be there, which completes "it is damaged: ". */
    void damaged(final StreamRing ring, final String problem)
    {
        lost.damaged(ring, problem);
    }

    private void lose(final StreamRing ring, final InternalError fault)
    {
        lost.lose(ring, fault);
    }

    /**
     * Parses a channel that a client sent for a publication.
     *
     * @throws RefusedException if it can't be served, with the remedy.
     */
    Channel publicationChannel(final String text)
    {
        return channel(text, false);
    }

    /**
     * Parses a channel that a client sent for a subscription.
     *
     * @throws RefusedException if it can't be served, with the remedy.
     */
    Channel subscriptionChannel(final String text)
    {
        return channel(text, true);
    }

    private Channel channel(final String text, final boolean subscribes)
    {
        final Channel channel;
        try
        {
            channel = Channel.parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, e.getMessage());
        }
        if (channel.media() == Channel.Media.RDMA)
        {
            checkRemote(channel, subscribes);
        }
        return channel;
    }

    private void checkRemote(final Channel channel, final boolean subscribes)
    {
        if (remote == null)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel +
                ": this driver has no device, as " + DriverOptions.DEVICE +
                "=none says; start it with auto or roce, or use gannet:ipc on one host");
        }
        remote.check(channel, subscribes);
    }
}

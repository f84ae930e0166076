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

    private final RingTable rings;
    private final RingRepairs repairs;
    private final RingEnding ending;
    private final LostRings lost;
    private final Subscriptions subscriptions;
    private final Publications publications;
    private final SlowSubscribers slow;
    private final StreamCounters counters;
    private final RemoteStreams remote;
    private final DriverErrors errors;
    private LongFunction<String> who = JournalEntry::hex;
    private long patienceNanos = Long.MAX_VALUE;
    private final BrokenImages broken;
    private long samples;

    /**
     * @param remote ties them to other hosts, null if there is no device.
     */
    Streams(
        final RingMaker maker,
        final Bell.Waker waker,
        final BrokenImages broken,
        final StreamCounters counters,
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
        lost = new LostRings(rings, repairs, ending, counters, errors);
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

    Iterable<StreamRing> rings()
    {
        return rings.all();
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
        final List<StreamRing> all = new ArrayList<>();
        rings.all().forEach(all::add);
        return all;
    }

    /** Goes on with endings and repairs; returns how much was done. */
    int poll()
    {
        int work = repairs.poll() + ending.poll() + lost.poll();
        StreamRing current = null;
        try
        {
            for (final StreamRing ring : rings.all())
            {
                current = ring;
                work += slow.check(ring);
            }
        }
        catch (final InternalError fault)
        {
            lose(current, fault);
        }
        return work;
    }

    /** Takes positions into the counters, and looks whether the rings' headers make sense. */
    void sample(final long now)
    {
        samples++;
        StreamRing current = null;
        String problem = null;
        try
        {
            for (final StreamRing ring : rings.all())
            {
                current = ring;
                problem = audit(ring);
                if (problem != null)
                {
                    break;
                }
                counters.sample(ring);
                watch(ring, now);
            }
        }
        catch (final CorruptRingException damaged)
        {
            problem = damaged.getMessage();
        }
        catch (final InternalError fault)
        {
            lose(current, fault);
        }
        if (problem != null)
        {
            lost.damaged(current, problem);
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

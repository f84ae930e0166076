package io.gannet.driver.stream.simulation;

import java.util.SplittableRandom;

import io.gannet.ring.RingKind;

/**
 * What a run does, drawn from its seed.
 *
 * @param seed           of everything.
 * @param kind           of the publication's ring.
 * @param capacity       of the rings.
 * @param hosts          with subscribers, at least 1.
 * @param messages       to publish.
 * @param maxLength      of a message.
 * @param dropsSlow      whether slow subscribers are cut off.
 * @param slowSubscriber whether one subscriber takes long pauses.
 * @param faults         injected while messages are published.
 * @param rough          whether the fabric loses, delays and reorders all the time.
 * @param fanOut         whether subscribers' drivers connect to the publisher's, not the other way round.
 * @param publications   that are published at the same time, each of so many messages, at least 1.
 * @param waits          whether agents arm and wait when they have been idle, or poll for ever.
 * @param writeWithImm   whether the NICs can write with an immediate.
 * @param producers      clients that publish into each concurrent ring at the same time, at least 1.
 * @param yields         whether threads lose their processors between any two accesses to ring memory.
 * @param narrow         whether links carry so little that rings take nearly as long as connections wait for a sign of
 *                       life.
 */
public record Scenario(
    long seed,
    RingKind kind,
    int capacity,
    int hosts,
    int messages,
    int maxLength,
    boolean dropsSlow,
    boolean slowSubscriber,
    int faults,
    boolean rough,
    boolean fanOut,
    int publications,
    boolean waits,
    boolean writeWithImm,
    int producers,
    boolean yields,
    boolean narrow)
{
    private static final int YIELDS_EVERY = 10;
    /** A sender that loses its processor at each of more frames is silent for longer than connections wait. */
    private static final int MOST_WITH_YIELDS = 1_024;
    private static final int ENDS_EARLY_EVERY = 4;

    /** {@return what the seed says} */
    public static Scenario of(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed ^ 0x5CE7A210L);
        final RingKind kind = random.nextInt(3) == 0 ? RingKind.CONCURRENT : RingKind.EXCLUSIVE;
        final int capacity = (64 * 1024) << random.nextInt(2);
        final int longest = capacity / 16 - 64;
        final int maxLength = switch (random.nextInt(4))
        {
            case 0 -> 64;
            case 1 -> longest;
            default -> 1024;
        };
        final int bytes = capacity * (2 + random.nextInt(5));
        final boolean fanOut = random.nextInt(3) == 0;
        final int hosts = fanOut ? 1 + random.nextInt(5) : 1 + random.nextInt(3) / 2 + random.nextInt(5) / 4;
        final int publications = 1 + random.nextInt(4) / 3;
        final int share = publications * Math.max(1, hosts / 2);
        return new Scenario(
            seed,
            kind,
            capacity,
            hosts,
            Math.max(20, Math.min(1_500, bytes / (32 + maxLength / 2)) / share),
            maxLength,
            random.nextInt(4) == 0,
            random.nextInt(3) == 0,
            random.nextInt(7),
            random.nextInt(3) != 0,
            fanOut,
            publications,
            random.nextInt(3) != 0,
            random.nextInt(4) != 0,
            kind == RingKind.CONCURRENT ? 1 + random.nextInt(3) : 1,
            seed % YIELDS_EVERY == 0,
            false);
    }

    /** {@return the same, with threads that lose their processors at any access, or at none} */
    public Scenario yielding(final boolean atAnyAccess)
    {
        return new Scenario(
            seed, kind, capacity, hosts, messages, maxLength, dropsSlow, slowSubscriber, faults, rough, fanOut,
            publications, waits, writeWithImm, producers, atAnyAccess, narrow);
    }

    /**
     * {@return two publications that begin at the same time and go to one or two hosts over narrow links, mostly with
     * faults}
     */
    public static Scenario narrow(final long seed)
    {
        final Scenario base = of(seed);
        final SplittableRandom random = new SplittableRandom(seed ^ 0x4A88_0EB3L);
        final int capacity = (64 * 1024) << (2 * random.nextInt(2));
        final int maxLength = random.nextInt(4) == 0 ? 64 : 1024;
        final int hosts = 1 + random.nextInt(3) / 2;
        final boolean fanOut = random.nextInt(4) == 0;
        final boolean yields = random.nextInt(4) == 0;
        final int messages = capacity / (32 + maxLength / 2);
        return new Scenario(
            seed, base.kind, capacity, hosts, yields ? Math.min(messages, MOST_WITH_YIELDS) : messages, maxLength,
            base.dropsSlow, base.slowSubscriber, base.faults, base.rough, fanOut, 2, base.waits, base.writeWithImm,
            base.producers, yields, true);
    }

    /** {@return a run without any fault, of one exclusive publication and one subscriber} */
    public static Scenario plain(final long seed)
    {
        return new Scenario(
            seed, RingKind.EXCLUSIVE, 64 * 1024, 1, 1_000, 1024, false, false, 0, false, false, 1, false, true, 1,
            false, false);
    }

    /**
     * {@return a run of one publisher's host with so many hosts of subscribers, and faults}
     *
     * @param subscribers at least 1, at most 63 hosts.
     * @param streams     publications, each of which goes to all subscribers; at least 1.
     */
    public static Scenario wide(final long seed, final int subscribers, final int streams)
    {
        final Scenario small = of(seed);
        return new Scenario(
            seed, small.kind, 64 * 1024, subscribers, 100, 1024, small.dropsSlow, small.slowSubscriber,
            small.faults, small.rough, true, streams, small.waits, small.writeWithImm, small.producers, false,
            false);
    }

    /** {@return whether publications end before subscribers have everything} */
    boolean endsEarly()
    {
        return faults > 0 && seed % ENDS_EARLY_EVERY == 1;
    }

    boolean isConcurrent()
    {
        return kind == RingKind.CONCURRENT;
    }
}

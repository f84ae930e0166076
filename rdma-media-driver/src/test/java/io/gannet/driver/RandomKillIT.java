package io.gannet.driver;

import io.gannet.harness.Holdings;
import io.gannet.harness.Hosts;
import io.gannet.harness.Hosts.Side;
import io.gannet.harness.Hosts.Where;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * kill -9 at random moments, of any driver or client, while checked messages flow, on one host or between two:
 * survivors see each publisher's messages whole and without a gap, nobody cleans anything up by hand, and files,
 * descriptors, mappings and memory are in the end what they were at the beginning.
 * <p>
 * The full run: {@code -Dgannet.kill.rounds=200 -Dgannet.kill.where=LOCAL,ENDPOINT,CONTROL}; the same kills again:
 * {@code -Dgannet.kill.seed=N}.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class RandomKillIT
{
    private static final int ROUNDS = Integer.getInteger("gannet.kill.rounds", 3);
    private static final String RING = "ring=256k";
    /** Longer than a busy machine takes to start a driver again, or what was published meanwhile is given up. */
    private static final String TIMEOUT = "image-timeout=50s";
    private static final long SOME = 2_000;
    private static final int LONGEST_PAUSE_MILLIS = 300;
    /** One in so many kills doesn't wait until everybody has got over the one before. */
    private static final int HASTE = 3;
    private static final int NEWS = 20;
    /** What heaps, compiled code and the allocator's arenas may take more at the end. */
    private static final long SLACK_KIB = 32 * 1024;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final long seed = Long.getLong("gannet.kill.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<Side, TestProcess> drivers = new EnumMap<>(Side.class);
    private Hosts hosts;
    private TestProcess publisher;
    private TestProcess subscriber;
    /** Never killed: they live through all that happens to the others. */
    private TestProcess oldPublisher;
    private TestProcess oldSubscriber;

    static Stream<Where> where()
    {
        return Hosts.named("gannet.kill.where", "LOCAL,ENDPOINT");
    }

    @ParameterizedTest
    @MethodSource("where")
    void survivorsGoOnAndNothingIsLeft(final Where where)
    {
        System.err.println("RandomKillIT: " + where + ", seed " + seed);
        hosts = new Hosts(harness, where);
        hosts.sides().forEach(side -> drivers.put(side, hosts.startDriver(side)));
        final List<Holdings> empty = holdings(drivers.values());
        oldSubscriber = startSubscriber();
        oldPublisher = startPublisher(false);
        harness.awaitProgress(oldSubscriber, SOME);
        final Levels before = new Levels();

        publisher = startPublisher(random.nextBoolean());
        subscriber = startSubscriber();
        everybodyMoves();
        for (int round = 1; round <= ROUNDS; round++)
        {
            if (random.nextInt(HASTE) != 0)
            {
                everybodyMoves();
            }
            pause();
            killSomebody();
            if (round % NEWS == 0)
            {
                System.err.println("RandomKillIT: " + where + ", round " + round + ", " +
                    ProcessHarness.count(oldSubscriber) + " messages");
            }
        }
        everybodyMoves();
        publisher.kill();
        subscriber.kill();
        before.awaitThatAllIsAsBefore();

        harness.await("the news of the driver to be complete, seed " + seed, () ->
            news("driver back") == news("driver lost"));
        oldPublisher.kill();
        oldSubscriber.kill();
        harness.await("everything to go, seed " + seed, () -> hosts.clients() + hosts.rings() + hosts.notes() == 0);
        harness.await("what the drivers hold to be as at first, " + empty + ", seed " + seed, () ->
            isAtMost(holdings(drivers.values()), empty));
    }

    /** How often the old subscriber was told so. */
    private long news(final String words)
    {
        return oldSubscriber.lines().stream().filter(line -> line.startsWith(words)).count();
    }

    private TestProcess startPublisher(final boolean exclusive)
    {
        return hosts.isRemote() ?
            hosts.startPublisher(exclusive, RING, TIMEOUT) : hosts.startPublisher(exclusive, RING);
    }

    private TestProcess startSubscriber()
    {
        return hosts.isRemote() ? hosts.startSubscriber(TIMEOUT) : hosts.startSubscriber();
    }

    private List<Holdings> holdings(final Collection<TestProcess> processes)
    {
        return processes.stream().map(process -> Holdings.of(process.pid())).toList();
    }

    private static boolean isAtMost(final List<Holdings> now, final List<Holdings> limit)
    {
        return IntStream.range(0, now.size()).allMatch(i -> now.get(i).isAtMost(limit.get(i), SLACK_KIB));
    }

    private void everybodyMoves()
    {
        for (final TestProcess process : List.of(oldPublisher, oldSubscriber, publisher, subscriber))
        {
            harness.awaitProgress(process, SOME);
        }
    }

    /** A moment that nothing in the protocol decides. */
    private void pause()
    {
        final long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(
            random.nextInt((int) TimeUnit.MILLISECONDS.toMicros(LONGEST_PAUSE_MILLIS)));
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime())
        {
            LockSupport.parkNanos(left);
        }
    }

    private void killSomebody()
    {
        final int victim = random.nextInt(2 + drivers.size());
        if (victim == 0)
        {
            publisher.kill();
            publisher = startPublisher(random.nextBoolean());
        }
        else if (victim == 1)
        {
            subscriber.kill();
            subscriber = startSubscriber();
        }
        else
        {
            final Side side = hosts.sides().get(victim - 2);
            drivers.get(side).kill();
            // Not waited for, so that it may be the next victim before it is ready.
            drivers.put(side, hosts.launchDriver(side));
        }
    }

    /** What there is while the old publisher and the old subscriber are alone. */
    private final class Levels
    {
        private final int files = hosts.clients() + hosts.rings();
        private final List<Long> bytes = hosts.sides().stream().map(this::bytes).toList();
        private final List<Holdings> holdings = holdings(processes());

        private long bytes(final Side side)
        {
            return Holdings.bytesOf(hosts.directory(side));
        }

        private List<TestProcess> processes()
        {
            final List<TestProcess> processes = new ArrayList<>(List.of(oldPublisher, oldSubscriber));
            processes.addAll(drivers.values());
            return processes;
        }

        void awaitThatAllIsAsBefore()
        {
            harness.await("the files of the dead to go, seed " + seed, () ->
                hosts.clients() + hosts.rings() == files && hosts.sides().stream().map(this::bytes).toList()
                    .equals(bytes));
            processes().forEach(TestProcess::collectGarbage);
            try
            {
                harness.await("descriptors, mappings and memory to be as before, seed " + seed, () ->
                    isAtMost(holdings(processes()), holdings));
            }
            finally
            {
                final List<Holdings> now = holdings(processes());
                for (int i = 0; i < now.size(); i++)
                {
                    System.err.println("RandomKillIT: " + processes().get(i).name() + " had " + holdings.get(i) +
                        ", has " + now.get(i));
                }
            }
        }
    }
}

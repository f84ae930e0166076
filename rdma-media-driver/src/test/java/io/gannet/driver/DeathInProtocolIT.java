package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.DyingPublisher;
import io.gannet.harness.Hosts;
import io.gannet.harness.Hosts.Side;
import io.gannet.harness.Hosts.Where;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes that die in the middle of what others wait for, on one host or between two: survivors go on, without a gap
 * or a torn message. The full run: {@code -Dgannet.death.step=1 -Dgannet.death.where=LOCAL,ENDPOINT,CONTROL}.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class DeathInProtocolIT
{
    private static final String RING = "ring=256k";
    private static final long SOME = 1_000;
    /** Memory accesses between two deaths; 1 for each point, which is what the full run has. */
    private static final int STEP = Integer.getInteger("gannet.death.step", 6);

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    static Stream<Where> where()
    {
        return Hosts.named("gannet.death.where", "LOCAL,ENDPOINT");
    }

    /** By an offer, and by a claim that the application fills itself; between hosts in the full run alone. */
    static Stream<Arguments> claims()
    {
        return Hosts.named("gannet.death.where", "LOCAL").flatMap(where ->
            Stream.of(Arguments.of(where, false), Arguments.of(where, true)));
    }

    static Stream<Arguments> kinds()
    {
        return where().flatMap(where -> Stream.of(Arguments.of(where, false), Arguments.of(where, true)));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aPublisherKilledAtAnyPointOfAClaimHoldsNobodyUp(final Where where, final boolean claim)
    {
        final Hosts hosts = new Hosts(harness, where);
        hosts.startDrivers();
        final TestProcess first = hosts.startSubscriber();
        final TestProcess second = hosts.startSubscriber();
        final TestProcess survivor = hosts.startPublisher(false, RING);
        harness.awaitProgress(first, SOME);
        long longestMillis = 0;
        int points = 0;
        boolean survived = false;
        for (int access = points; !survived; access += STEP)
        {
            final TestProcess victim = harness.start("victim before access " + access, DyingPublisher.class.getName(),
                List.of(hosts.directory(Side.PUBLISHERS).toString(), hosts.channel(RING), Integer.toString(access),
                    Boolean.toString(claim)));
            harness.await("the victim's end", () -> !victim.isAlive());
            final long start = System.nanoTime();
            harness.awaitProgress(first, SOME);
            longestMillis = Math.max(longestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            harness.awaitProgress(second, SOME);
            harness.awaitProgress(survivor, SOME);
            victim.close();
            assertThat(victim.lastAfter(DyingPublisher.BEGINS)).as("%s: %s", victim.name(), victim.lines()).isNotNull();
            survived = victim.lastAfter(DyingPublisher.SURVIVED) != null;
            points++;
        }
        System.err.println("DeathInProtocolIT: " + where + ", " + points + " points of " +
            (claim ? "a claim" : "an offer") + ", " + SOME + " messages later after " + longestMillis + " ms at most");
        assertThat(points).as("points of a claim").isGreaterThan(3);
        harness.await("the dead ones' files to go", () -> hosts.clients() == 3);
    }

    @ParameterizedTest
    @MethodSource("where")
    void aSubscriberKilledInsideItsHandlerHoldsNobodyBack(final Where where)
    {
        final Hosts hosts = new Hosts(harness, where);
        hosts.startDrivers();
        final TestProcess survivor = hosts.startSubscriber();
        final TestProcess victim = hosts.startSubscriberThat("stop-in-handler-after=500");
        final TestProcess publisher = hosts.startPublisher(true, RING);
        harness.await("the victim's handler to stop", () -> victim.lastAfter("inside") != null);
        victim.kill();
        harness.awaitProgress(survivor, SOME);
        harness.awaitProgress(publisher, 4 * SOME);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whenTheLastSubscriberDiesWithABacklogTheNextOneStartsWhole(final Where where, final boolean exclusive)
    {
        final Hosts hosts = new Hosts(harness, where);
        hosts.startDrivers();
        final TestProcess publisher = hosts.startPublisher(exclusive, RING);
        for (int round = 0; round < 2; round++)
        {
            final TestProcess last = hosts.startSubscriberThat("stop-in-handler-after=500");
            harness.await("its handler to stop", () -> last.lastAfter("inside") != null);
            harness.awaitStandstill(publisher);
            last.kill();
            final TestProcess next = hosts.startSubscriber();
            harness.awaitProgress(next, SOME);
            harness.awaitProgress(publisher, SOME);
            next.kill();
        }
    }

    @ParameterizedTest
    @MethodSource("where")
    void aProcessThatEndsWithoutCloseLeavesNothing(final Where where)
    {
        final Hosts hosts = new Hosts(harness, where);
        hosts.startDrivers();
        final TestProcess survivor = hosts.startSubscriber();
        final TestProcess publisher = hosts.startPublisher(false, RING);
        final TestProcess subscriber = hosts.startSubscriberThat("exit-after=500");
        harness.await("its end", () -> !subscriber.isAlive());
        assertThat(subscriber.exitCode()).isEqualTo(3);
        harness.awaitProgress(survivor, SOME);
        harness.awaitProgress(publisher, 4 * SOME);
        harness.await("its file to go", () -> hosts.clients() == 2);
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.DyingPublisher;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that die in the middle of what others wait for: survivors go on, without a gap or a torn message.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class DeathInProtocolIT
{
    private static final String CHANNEL = "gannet:ipc?ring=256k";
    private static final long SOME = 1_000;
    /** Memory accesses between two deaths; 1 for each point, which is what the full run has. */
    private static final int STEP = Integer.getInteger("gannet.death.step", 3);

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    /** By an offer, and by a claim that the application fills itself. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPublisherKilledAtAnyPointOfAClaimHoldsNobodyUp(final boolean claim)
    {
        harness.startDriver();
        final TestProcess first = harness.startSubscriber();
        final TestProcess second = harness.startSubscriber();
        final TestProcess survivor = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(first, SOME);
        long longestMillis = 0;
        int points = 0;
        boolean survived = false;
        for (int access = points; !survived; access += STEP)
        {
            final TestProcess victim = harness.start("victim before access " + access, DyingPublisher.class.getName(),
                List.of(harness.directory().toString(), CHANNEL, Integer.toString(access), Boolean.toString(claim)));
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
        System.err.println("DeathInProtocolIT: " + points + " points of " + (claim ? "a claim" : "an offer") +
            ", " + SOME + " messages later after " + longestMillis + " ms at most");
        assertThat(points).as("points of a claim").isGreaterThan(3);
        harness.await("the dead ones' files to go",
            () -> TestDirectory.list(harness.directory().resolve("clients")).size() == 3);
    }

    @Test
    void aSubscriberKilledInsideItsHandlerHoldsNobodyBack()
    {
        harness.startDriver();
        final TestProcess survivor = harness.startSubscriber();
        final TestProcess victim = harness.startSubscriber("stop-in-handler-after=500");
        final TestProcess publisher = harness.startPublisher(true, CHANNEL);
        harness.await("the victim's handler to stop", () -> victim.lastAfter("inside") != null);
        victim.kill();
        harness.awaitProgress(survivor, SOME);
        harness.awaitProgress(publisher, 4 * SOME);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whenTheLastSubscriberDiesWithABacklogTheNextOneStartsWhole(final boolean exclusive)
    {
        harness.startDriver();
        final TestProcess publisher = harness.startPublisher(exclusive, CHANNEL);
        for (int round = 0; round < 3; round++)
        {
            final TestProcess last = harness.startSubscriber("stop-in-handler-after=500");
            harness.await("its handler to stop", () -> last.lastAfter("inside") != null);
            harness.awaitStandstill(publisher);
            last.kill();
            final TestProcess next = harness.startSubscriber();
            harness.awaitProgress(next, SOME);
            harness.awaitProgress(publisher, SOME);
            next.kill();
        }
    }

    @Test
    void aProcessThatEndsWithoutCloseLeavesNothing()
    {
        harness.startDriver();
        final TestProcess survivor = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(false, CHANNEL);
        final TestProcess subscriber = harness.startSubscriber("exit-after=500");
        harness.await("its end", () -> !subscriber.isAlive());
        assertThat(subscriber.exitCode()).isEqualTo(3);
        harness.awaitProgress(survivor, SOME);
        harness.awaitProgress(publisher, 4 * SOME);
        harness.await("its file to go",
            () -> TestDirectory.list(harness.directory().resolve("clients")).size() == 2);
    }
}

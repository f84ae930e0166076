package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGSTOP of anybody: nobody is cut off, it is told who holds whom back, and everything goes on after SIGCONT without a
 * loss. Lengths of the pauses in seconds: {@code -Dgannet.pause.seconds=1,15,60}, 1 by default.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class PauseIT
{
    private static final String CHANNEL = "gannet:ipc?ring=256k";
    private static final long SOME = 2_000;
    private static final int ATTEMPTS = 10;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    static Stream<Integer> seconds()
    {
        return Stream.of(System.getProperty("gannet.pause.seconds", "1").split(",")).map(Integer::valueOf);
    }

    /** A pause is a time, not a condition: what happens in it is what is tested. */
    private void pauseFor(final TestProcess process, final int seconds)
    {
        process.pause();
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0)
        {
            java.util.concurrent.locks.LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static boolean says(final TestProcess driver, final String... words)
    {
        return driver.lines().stream().anyMatch(line -> List.of(words).stream().allMatch(line::contains));
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void aPausedSubscriberIsNamedAndCutOffFromNothing(final int seconds)
    {
        final TestProcess driver = harness.startDriver("--pause-threshold", "500ms");
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess other = harness.startSubscriber();
        final TestProcess exclusive = harness.startPublisher(true, CHANNEL);
        final TestProcess shared = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(other, SOME);
        pauseFor(subscriber, seconds);
        harness.await("both rings and the client to be told", () ->
            says(driver, "pid " + subscriber.pid(), "silent since") &&
            says(driver, "pid " + exclusive.pid(), "is full since", "pid " + subscriber.pid()) &&
            says(driver, "pid " + shared.pid(), "is full since", "pid " + subscriber.pid()));
        subscriber.resume();
        for (final TestProcess process : List.of(subscriber, other, exclusive, shared))
        {
            harness.awaitProgress(process, 2 * SOME);
        }
        harness.await("the end to be told", () -> says(driver, "goes on after") && says(driver, "goes on"));
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void aPausedPublisherHoldsNobodyElseUp(final int seconds)
    {
        final TestProcess driver = harness.startDriver("--pause-threshold", "500ms");
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess victim = harness.startPublisher(true, CHANNEL);
        final TestProcess other = harness.startPublisher(true, CHANNEL);
        harness.awaitProgress(victim, SOME);
        harness.awaitProgress(other, SOME);
        pauseFor(victim, seconds);
        harness.await("it to be told", () -> says(driver, "pid " + victim.pid(), "silent since"));
        harness.awaitProgress(other, SOME);
        harness.awaitProgress(subscriber, SOME);
        victim.resume();
        harness.awaitProgress(victim, SOME);
        harness.awaitProgress(subscriber, SOME);
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void streamsGoOnUnderAPausedDriver(final int seconds)
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        pauseFor(driver, seconds);
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(publisher, SOME);
        driver.resume();
        harness.awaitProgress(harness.startSubscriber(), SOME);
        assertThat(subscriber.lastAfter("driver lost")).as("a driver that lives").isNull();
        assertThat(publisher.lastAfter("driver lost")).as("a driver that lives").isNull();
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void aPausedSubscriberOfADroppingStreamIsCutOffAndToldItsGap(final int seconds)
    {
        harness.startDriver("--pause-threshold", "500ms");
        final TestProcess subscriber = harness.startSubscriber("may-drop=0");
        final TestProcess publisher = harness.startPublisher(true, "gannet:ipc?ring=256k|slow=drop");
        harness.awaitProgress(subscriber, SOME);
        for (int attempt = 1; subscriber.lastAfter("gap ") == null; attempt++)
        {
            // One that is stopped inside a poll is never cut off, so it may take more than one try.
            assertThat(attempt).as("pauses without a gap").isLessThanOrEqualTo(ATTEMPTS);
            pauseFor(subscriber, seconds);
            subscriber.resume();
            harness.awaitProgress(subscriber, SOME);
        }
        harness.awaitProgress(publisher, SOME);
        assertThat(subscriber.lastAfter("gap ").split(" ")).satisfies(gap ->
            assertThat(Long.parseLong(gap[1])).isGreaterThan(Long.parseLong(gap[0])));
    }
}

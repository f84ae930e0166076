package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

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
 * SIGSTOP of anybody, on one host or between two: nobody is cut off, it is told who holds whom back, and everything
 * goes on after SIGCONT without a loss. The full run:
 * {@code -Dgannet.pause.seconds=1,15,60 -Dgannet.pause.where=LOCAL,ENDPOINT,CONTROL}.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class PauseIT
{
    private static final String RING = "ring=256k";
    /** Longer than any pause here, or a driver that is stopped would have lost its streams to and from other hosts. */
    private static final String TIMEOUT = "image-timeout=120s";
    private static final long SOME = 2_000;
    private static final int ATTEMPTS = 10;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    static Stream<Arguments> pauses()
    {
        return Hosts.named("gannet.pause.where", "LOCAL,ENDPOINT").flatMap(where ->
            seconds().map(seconds -> Arguments.of(where, seconds)));
    }

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
    @MethodSource("pauses")
    void aPausedSubscriberIsNamedAndCutOffFromNothing(final Where where, final int seconds)
    {
        final Hosts hosts = new Hosts(harness, where);
        final List<TestProcess> drivers = hosts.startDrivers("--pause-threshold", "500ms");
        final TestProcess publishers = drivers.getFirst();
        final TestProcess subscribers = drivers.getLast();
        final TestProcess subscriber = hosts.startSubscriber();
        final TestProcess other = hosts.startSubscriber();
        final TestProcess exclusive = hosts.startPublisher(true, RING);
        final TestProcess shared = hosts.startPublisher(false, RING);
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(other, SOME);
        pauseFor(subscriber, seconds);
        harness.await("its driver to tell of the client", () ->
            says(subscribers, "pid " + subscriber.pid(), "silent since"));
        // The publishers' host knows the other one, which knows who it is.
        final String holder = hosts.isRemote() ? hosts.address(Side.SUBSCRIBERS) : "pid " + subscriber.pid();
        harness.await("both rings to be told of", () ->
            says(publishers, "pid " + exclusive.pid(), "is full since", holder) &&
            says(publishers, "pid " + shared.pid(), "is full since", holder) &&
            (!hosts.isRemote() || says(subscribers, "is not read on since", "pid " + subscriber.pid())));
        subscriber.resume();
        for (final TestProcess process : List.of(subscriber, other, exclusive, shared))
        {
            harness.awaitProgress(process, 2 * SOME);
        }
        harness.await("the end to be told", () -> says(subscribers, "goes on after") && says(publishers, "goes on"));
    }

    @ParameterizedTest
    @MethodSource("pauses")
    void aPausedPublisherHoldsNobodyElseUp(final Where where, final int seconds)
    {
        final Hosts hosts = new Hosts(harness, where);
        final TestProcess driver = hosts.startDrivers("--pause-threshold", "500ms").getFirst();
        final TestProcess subscriber = hosts.startSubscriber();
        final TestProcess victim = hosts.startPublisher(true, RING);
        final TestProcess other = hosts.startPublisher(true, RING);
        harness.awaitProgress(victim, SOME);
        harness.awaitProgress(other, SOME);
        pauseFor(victim, seconds);
        harness.await("it to be told", () -> says(driver, "pid " + victim.pid(), "silent since"));
        harness.awaitProgress(other, SOME);
        harness.awaitProgress(subscriber, SOME);
        victim.resume();
        harness.awaitProgress(victim, SOME);
        harness.awaitProgress(subscriber, SOME);
        assertThat(subscriber.lastAfter("image gone")).as("an end of a stream").isNull();
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void streamsOfTheHostGoOnUnderAPausedDriver(final int seconds)
    {
        final Hosts hosts = new Hosts(harness, Where.LOCAL);
        final TestProcess driver = hosts.startDriver(Side.PUBLISHERS);
        final TestProcess subscriber = hosts.startSubscriber();
        final TestProcess publisher = hosts.startPublisher(false, RING);
        harness.awaitProgress(subscriber, SOME);
        pauseFor(driver, seconds);
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(publisher, SOME);
        driver.resume();
        harness.awaitProgress(hosts.startSubscriber(), SOME);
        assertThat(subscriber.lastAfter("driver lost")).as("a driver that lives").isNull();
        assertThat(publisher.lastAfter("driver lost")).as("a driver that lives").isNull();
    }

    static Stream<Arguments> pausesBetweenHosts()
    {
        return pauses().filter(pause -> !Where.LOCAL.equals(pause.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("pausesBetweenHosts")
    void streamsBetweenHostsGoOnAfterAPauseOfEitherDriver(final Where where, final int seconds)
    {
        final Hosts hosts = new Hosts(harness, where);
        final List<TestProcess> drivers = hosts.startDrivers();
        final TestProcess subscriber = hosts.startSubscriber(TIMEOUT);
        final TestProcess publisher = hosts.startPublisher(true, RING, TIMEOUT);
        for (final TestProcess driver : drivers)
        {
            harness.awaitProgress(subscriber, SOME);
            pauseFor(driver, seconds);
            driver.resume();
        }
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(publisher, SOME);
        for (final TestProcess client : List.of(subscriber, publisher))
        {
            assertThat(client.lines()).as("news for %s", client.name()).noneMatch(line ->
                line.startsWith("driver lost") || line.startsWith("image gone") || line.startsWith("gap"));
        }
    }

    /** That the gap comes before the first message behind it, the subscriber checks itself. */
    @ParameterizedTest
    @MethodSource("pauses")
    void aPausedSubscriberOfADroppingStreamIsCutOffAndToldItsGapBeforeTheStreamGoesOn(
        final Where where, final int seconds)
    {
        final Hosts hosts = new Hosts(harness, where);
        hosts.startDrivers("--pause-threshold", "500ms");
        final TestProcess subscriber = hosts.startSubscriberThat("may-drop=0");
        final TestProcess publisher = hosts.startPublisher(true, RING, "slow=drop");
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

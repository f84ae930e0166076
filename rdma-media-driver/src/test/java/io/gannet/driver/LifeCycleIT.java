package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.Await;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Drivers and clients as real processes: started in any order, killed at any moment.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class LifeCycleIT
{
    private static final String CHANNEL = "gannet:ipc?ring=1m";
    private static final long SOME = 4_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private List<String> rings()
    {
        return TestDirectory.list(harness.directory().resolve("rings"));
    }

    private List<String> clients()
    {
        return TestDirectory.list(harness.directory().resolve("clients"));
    }

    @Test
    void clientsThatComeBeforeTheDriverWaitForIt()
    {
        final TestProcess subscriber = harness.startSubscriber();
        harness.startPublisher(true, CHANNEL);
        harness.startDriver();
        harness.awaitProgress(subscriber, SOME);
    }

    @Test
    void aSecondDriverEndsNamingTheFirstAndTheFirstGoesOn()
    {
        final TestProcess first = harness.startDriver();
        final TestProcess second = harness.launchDriver();
        Await.until("the second driver's end", () -> !second.isAlive());
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.lines()).hasSize(1);
        assertThat(second.lines().getFirst())
            .contains("pid " + first.pid()).contains(harness.directory().toString());
        first.kill();
        harness.startDriver();
    }

    @Test
    void streamsGoOnWhileTheDriverIsDeadAndAfterItsRestart()
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess exclusive = harness.startPublisher(true, CHANNEL);
        final TestProcess concurrent = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(exclusive, SOME);
        harness.awaitProgress(concurrent, SOME);
        driver.kill();
        harness.awaitProgress(subscriber, SOME);
        harness.await("the clients to notice", () -> subscriber.lastAfter("driver lost") != null &&
            exclusive.lastAfter("driver lost") != null && concurrent.lastAfter("driver lost") != null);
        harness.startDriver();
        harness.await("the clients to come back", () -> subscriber.lastAfter("driver back") != null &&
            exclusive.lastAfter("driver back") != null && concurrent.lastAfter("driver back") != null);
        harness.awaitProgress(exclusive, SOME);
        harness.awaitProgress(concurrent, SOME);
        harness.awaitProgress(subscriber, SOME);

        final TestProcess late = harness.startSubscriber();
        harness.awaitProgress(late, SOME);
        assertThat(subscriber.lines().stream().filter(line -> line.startsWith("driver back"))).hasSize(1);
        assertThat(rings()).hasSize(4);
    }

    @Test
    void aKilledSubscriberHoldsNobodyBack()
    {
        harness.startDriver();
        final TestProcess victim = harness.startSubscriber();
        final TestProcess survivor = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, CHANNEL);
        harness.awaitProgress(victim, SOME);
        harness.awaitProgress(survivor, SOME);
        victim.kill();
        harness.awaitProgress(survivor, 4 * SOME);
        harness.awaitProgress(publisher, SOME);
        harness.await("the dead one's file to go", () -> clients().size() == 2);
    }

    @Test
    void aKilledPublisherEndsItsStreamAndNoOther()
    {
        harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess exclusive = harness.startPublisher(true, CHANNEL);
        final TestProcess concurrentVictim = harness.startPublisher(false, CHANNEL);
        final TestProcess survivor = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(exclusive, SOME);
        harness.awaitProgress(concurrentVictim, SOME);
        harness.awaitProgress(survivor, SOME);
        concurrentVictim.kill();
        exclusive.kill();
        harness.await("the exclusive stream's end", () -> subscriber.lastAfter("image gone") != null);
        harness.awaitProgress(survivor, SOME);
        harness.awaitProgress(subscriber, SOME);
        harness.await("what the dead held to go", () -> clients().size() == 2 && rings().size() == 2);
        survivor.kill();
        subscriber.kill();
        harness.await("everything to go", () -> clients().isEmpty() && rings().isEmpty());
    }

    @Test
    void whoeverDiesWhileTheDriverIsDeadIsFoundAfterTheRestart()
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess victim = harness.startSubscriber();
        final TestProcess survivor = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(victim, SOME);
        harness.awaitProgress(survivor, SOME);
        driver.kill();
        victim.kill();
        harness.startDriver();
        harness.awaitProgress(survivor, 4 * SOME);
        harness.awaitProgress(publisher, SOME);
        harness.await("the dead one's file to go", () -> clients().size() == 2);
    }

    @Test
    void aDriverThatIsAskedToEndClosesInOrder()
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        harness.startPublisher(true, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        driver.terminate();
        harness.await("its end", () -> !driver.isAlive());
        assertThat(driver.lastAfter("gannet driver stopped")).isNotNull();
        assertThat(driver.exitCode()).isEqualTo(143);
        harness.awaitProgress(subscriber, SOME);
        harness.startDriver();
        harness.awaitProgress(subscriber, SOME);
    }

    @Test
    void aDriverThatNobodyCanReachAnyMoreEndsWithAnErrorAndItsExitCode() throws IOException
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        harness.startPublisher(true, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        Files.delete(harness.directory().resolve("control"));
        harness.await("its end", () -> !driver.isAlive());
        driver.close();
        assertThat(driver.exitCode()).isEqualTo(1);
        assertThat(driver.lines()).hasSize(2);
        assertThat(driver.lines().getLast()).startsWith("gannet driver: error: ")
            .contains(harness.directory().resolve("control").toString()).contains("Start it again");
        harness.awaitProgress(subscriber, SOME);
        harness.startDriver();
        harness.await("the subscriber to know the next one", () -> subscriber.lastAfter("driver back") != null);
        harness.awaitProgress(subscriber, SOME);
    }

    @Test
    void aPausedSubscriberIsReportedAndLosesNothing()
    {
        final TestProcess driver = harness.startDriver("--pause-threshold", "500ms");
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        subscriber.pause();
        harness.await("the report", () ->
            driver.lines().stream().anyMatch(line -> line.contains("pid " + subscriber.pid()) &&
                line.contains("silent")));
        subscriber.resume();
        harness.awaitProgress(subscriber, 2 * SOME);
        harness.awaitProgress(publisher, SOME);
    }

    @Test
    void anIdleDriverCostsLittle()
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        harness.await("a subscription", () -> subscriber.lastAfter("subscribed") != null);
        // 5 % of 3 s are 150 ms; twice that is allowed here, where the machine is anybody's. It may still compile.
        Await.until("a driver that is idle to take less than 300 ms in 3 s", () ->
            cpuNanosWithin(driver, 3_000) < 300_000_000L);
    }

    @Test
    void toolsReadAnyDriverDeadOrAlive()
    {
        final TestProcess driver = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        harness.startPublisher(true, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        assertThat(tool("streams")).anyMatch(line -> line.contains("running"))
            .anyMatch(line -> line.startsWith(CHANNEL)).anyMatch(line -> line.contains("pid " + subscriber.pid()));
        assertThat(tool("stat", "--json")).singleElement().asString().contains("\"state\":\"running\"");
        driver.kill();
        assertThat(tool("stat")).anyMatch(line -> line.contains("dead")).anyMatch(line -> line.contains("rings"));
        assertThat(tool("streams")).anyMatch(line -> line.startsWith(CHANNEL));
        assertThat(tool("errors")).contains("no errors");
    }

    private List<String> tool(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--dir", harness.directory().toString()));
        final TestProcess tool = harness.start(arguments[0], "io.gannet.cli.Main", all);
        harness.await("the tool's end", () -> !tool.isAlive());
        tool.close();
        assertThat(tool.exitCode()).as(tool.lines().toString()).isZero();
        return tool.lines();
    }

    /** CPU time that a process takes in a window of wall-clock time. */
    private static long cpuNanosWithin(final TestProcess process, final long windowMillis)
    {
        final ProcessHandle handle = ProcessHandle.of(process.pid()).orElseThrow();
        final long before = handle.info().totalCpuDuration().orElseThrow().toNanos();
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(windowMillis);
        while (System.nanoTime() - end < 0)
        {
            java.util.concurrent.locks.LockSupport.parkNanos(end - System.nanoTime());
        }
        return handle.info().totalCpuDuration().orElseThrow().toNanos() - before;
    }
}

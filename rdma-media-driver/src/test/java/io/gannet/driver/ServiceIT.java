package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.LoopbackAddress;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import io.gannet.os.UnixDatagram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A driver as a service of systemd, whose side the test plays: it holds the socket that the driver tells.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ServiceIT
{
    private static final long SOME = 1_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final List<String> told = new ArrayList<>();
    private final String name = "@gannet-service-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    private UnixDatagram socket;

    @BeforeEach
    void listen()
    {
        socket = UnixDatagram.bind(name);
        launchByManager();
    }

    /** As systemd does: the socket, the watchdog of this process, and the stream of its standard error. */
    private void launchByManager()
    {
        harness.launchBy("sh", "-c", "NOTIFY_SOCKET=" + name + " WATCHDOG_USEC=1000000 WATCHDOG_PID=$$ " +
            "JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) exec \"$@\"", "sh");
    }

    @AfterEach
    void close()
    {
        socket.close();
    }

    private boolean isTold(final String text)
    {
        for (byte[] bytes = socket.receive(10_000); bytes != null; bytes = socket.receive(10_000))
        {
            told.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return told.stream().anyMatch(message -> message.contains(text));
    }

    private void awaitTold(final String text)
    {
        try
        {
            harness.await("the driver to tell " + text, () -> isTold(text));
        }
        catch (final AssertionError late)
        {
            throw new AssertionError(late.getMessage() + "; it told " + told, late);
        }
    }

    private long count(final String text)
    {
        isTold(text);
        return told.stream().filter(message -> message.contains(text)).count();
    }

    @Test
    void readinessStatusWatchdogAndStopAreTold()
    {
        final TestProcess driver = harness.startDriver("--device", "roce");
        awaitTold("READY=1\nSTATUS=ready: directory " + harness.directory() + ", pid " + driver.pid());
        assertThat(told.stream().filter(message -> message.contains("READY=1")).toList())
            .singleElement().asString().contains("device roce:127.");
        harness.await("the watchdog to be fed again and again", () -> count("WATCHDOG=1") >= 4);
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(harness.directory())
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)))
        {
            awaitTold("STATUS=serving 1 clients, 0 publications");
            assertThat(client.isClosed()).isFalse();
        }
        awaitTold("STATUS=serving 0 clients");
        assertThat(isTold("STOPPING=1")).isFalse();
        driver.terminate();
        harness.await("the driver's end", () -> !driver.isAlive());
        awaitTold("STOPPING=1");
        assertThat(driver.lastAfter("gannet driver stopped")).isEmpty();
        // In the journal a line has a priority.
        assertThat(driver.lines()).anyMatch(line -> line.startsWith("<6>gannet driver: device roce:127."));
        // 128 + SIGTERM is what the JVM ends with, and what the unit calls a success.
        assertThat(driver.exitCode()).isEqualTo(143);
    }

    @Test
    void nothingIsReadyWithoutItsDevice()
    {
        // Of a network for documentation: no host has it.
        final TestProcess driver = harness.launchDriver("--device", "roce", "--device-address", "192.0.2.1");
        assertEndsWithAnError(driver, 1, "192.0.2.1");
    }

    @Test
    void nothingIsReadyWithoutItsDirectory()
    {
        assertEndsWithAnError(harness.launchDriver("--dir", "/proc/gannet-test"), 1, "/proc/gannet-test");
    }

    /** Of which the unit says that it is not to be tried again. */
    @Test
    void aMistakeOfTheConfigurationHasItsOwnExitCode()
    {
        assertEndsWithAnError(harness.launchDriver("--ring-capacity", "3m"), 2, "3m");
    }

    /** One line, which the journal files as an error, and nothing is told that makes systemd call it started. */
    private void assertEndsWithAnError(final TestProcess driver, final int exitCode, final String word)
    {
        harness.await("its end", () -> !driver.isAlive());
        driver.close();         // all of its output is there
        assertThat(driver.exitCode()).isEqualTo(exitCode);
        assertThat(driver.lines()).filteredOn(line -> line.startsWith("<3>")).singleElement().asString()
            .startsWith("<3>gannet: ").contains(word).matches(".* \\(E\\d{3}\\)");
        assertThat(driver.lines()).noneMatch(line -> line.startsWith("\tat ") || line.contains("Exception"));
        assertThat(isTold("READY=1")).as(told.toString()).isFalse();
        assertThat(isTold("WATCHDOG=1")).as(told.toString()).isFalse();
    }

    @Test
    void sigtermWaitsForSubscribersOfOtherHosts()
    {
        final int messages = 50;
        final String address = LoopbackAddress.random().getHostAddress();
        harness.launchBy();
        harness.startDriver("--device", "roce", "--device-address", address);
        launchByManager();
        final Path publishers = harness.anotherDirectory();
        final TestProcess driver = harness.startDriver("--dir", publishers.toString(), "--device", "roce",
            "--device-address", LoopbackAddress.random().getHostAddress(), "--drain-timeout", "100s");
        final String channel = "gannet:rdma?endpoint=" + address + ":4100";
        try (Gannet there = Gannet.connect(new Gannet.Context().directory(harness.directory())
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Gannet here = Gannet.connect(new Gannet.Context().directory(publishers)
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription = there.addSubscription(channel, 1);
            Publication publication = here.addPublication(channel + "|ring=64k", 1))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
            for (int i = 0; i < messages; i++)
            {
                Await.until("room", () -> publication.offer(message, 0, 100) > 0);
            }
            driver.terminate();
            awaitTold("STOPPING=1\nSTATUS=stopping: waits for subscribers of other hosts");
            // Longer than systemd would wait by itself.
            assertThat(told.stream().filter(text -> text.contains("STOPPING=1")).toList()).singleElement().asString()
                .contains("\nEXTEND_TIMEOUT_USEC=120000000");
            final long fed = count("WATCHDOG=1");
            harness.await("the driver to serve on", () -> count("WATCHDOG=1") >= fed + 4);
            assertThat(driver.isAlive()).as(driver.lines().toString()).isTrue();
            final int[] polled = new int[1];
            harness.await("all messages", () ->
                (polled[0] += subscription.poll((buffer, offset, length, header) -> { }, 10)) == messages);
            harness.await("the driver's end", () -> !driver.isAlive());
            driver.close();
            assertThat(driver.lastAfter("gannet driver stopped")).as(driver.lines().toString()).isEmpty();
        }
    }

    @Test
    void sigtermWaitsNoLongerThanItIsToldTo()
    {
        final String address = LoopbackAddress.random().getHostAddress();
        harness.launchBy();
        harness.startDriver("--device", "roce", "--device-address", address);
        final Path publishers = harness.anotherDirectory();
        final TestProcess driver = harness.startDriver("--dir", publishers.toString(), "--device", "roce",
            "--device-address", LoopbackAddress.random().getHostAddress(), "--drain-timeout", "100ms");
        final String channel = "gannet:rdma?endpoint=" + address + ":4100";
        try (Gannet there = Gannet.connect(new Gannet.Context().directory(harness.directory())
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Gannet here = Gannet.connect(new Gannet.Context().directory(publishers)
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription = there.addSubscription(channel, 1);
            Publication publication = here.addPublication(channel + "|ring=64k", 1))
        {
            Await.until("room", () -> publication.offer(new UnsafeBuffer(new byte[100]), 0, 100) > 0);
            driver.terminate();
            harness.await("the driver's end", () -> !driver.isAlive());
            driver.close();
            assertThat(driver.lastAfter("gannet driver stopped")).as(driver.lines().toString())
                .isEqualTo(": 128 bytes were not consumed by subscribers of other hosts within drain-timeout=100ms; " +
                    "they stay in their rings for the next driver");
            // The other driver may tell its client of the image only now.
            harness.await("the image", subscription::isConnected);
        }
    }

    @Test
    void aStoppedDriverStopsFeedingTheWatchdog()
    {
        final TestProcess driver = harness.startDriver();
        harness.await("the watchdog to be fed", () -> count("WATCHDOG=1") >= 2);
        driver.pause();
        // What it had sent before is taken; then nothing comes, within the watchdog's time and more.
        count("WATCHDOG=1");
        final long start = System.nanoTime();
        harness.await("more than the watchdog's time", () -> System.nanoTime() - start > 1_500_000_000L);
        final long fed = count("WATCHDOG=1");
        final long later = System.nanoTime();
        harness.await("the watchdog's time again", () -> System.nanoTime() - later > 1_100_000_000L);
        assertThat(count("WATCHDOG=1")).isEqualTo(fed);
        driver.resume();
        harness.await("the watchdog to be fed again", () -> count("WATCHDOG=1") > fed);
    }

    @Test
    void anUpgradeStopsNoClient()
    {
        final TestProcess old = harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, "gannet:ipc?ring=256k");
        harness.awaitProgress(subscriber, SOME);
        old.terminate();
        harness.await("the old driver's end", () -> !old.isAlive());
        harness.awaitProgress(subscriber, SOME);
        final TestProcess next = harness.startDriver();
        harness.await("the clients to know the next driver", () -> subscriber.lastAfter("driver back") != null);
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(publisher, SOME);
        awaitTold("1 rings (");
        assertThat(next.isAlive()).isTrue();
    }
}

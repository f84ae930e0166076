package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.Bell;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Drivers with connected streams that have nothing to do sleep, and wake for the first message.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RdmaWaitingTest
{
    private static final int STREAM = 10;
    private static final int ROUNDS = 31;
    private static final long PROMPT = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(2);

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"DEDICATED", "SHARED"})
    void idleThreadsSleepAndWakeForAMessage(final ThreadingMode threading)
    {
        try (RdmaHost from = host("sleepy-from", threading); RdmaHost to = host("sleepy-to", threading);
            Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(to.channel(4100), STREAM);
            Publication publication = publisher.addPublication(to.channel(4100) + "|ring=64k", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            assertPrompt(publication, subscription, from.directory().resolve("rings"));
            assertIdle();
        }
    }

    /**
     * In a guest, which may be slow, a message is prompt beside one with a muted bell, which waits until the sender's
     * next sign of life, 85 ms or so. The software NIC has timers of its own that wake the sender sooner.
     */
    private static void assertPrompt(
        final Publication publication, final Subscription subscription, final Path rings)
    {
        if (!TestNic.isEmulated())
        {
            assertThat(quickest(() -> latency(publication, subscription))).as("latency, ns").isLessThan(PROMPT);
            return;
        }
        final String name = TestDirectory.list(rings).stream()
            .filter(file -> file.endsWith(RingJournal.RING_SUFFIX)).findFirst().orElseThrow();
        try (Ring ring = RingFile.attach(rings.resolve(name), RingFile.Access.WRITE))
        {
            final Bell mute = new Bell(ring, (address, waiters) -> { });
            final long muted = quickest(() ->
            {
                mute.ringIfAwaited();           // nobody is awaited any more, and nobody wakes
                return latency(publication, subscription);
            });
            assertThat(quickest(() -> latency(publication, subscription)))
                .as("latency beside that of messages without a bell, ns").isLessThan(muted / 2);
        }
    }

    private static RdmaHost host(final String name, final ThreadingMode threading)
    {
        return new RdmaHost(name, configuration -> configuration
            .with(DriverOptions.THREADING, threading)
            .with(DriverOptions.IDLE, IdleMode.SLEEP)
            .with(DriverOptions.IDLE_SLEEP, TimeUnit.SECONDS.toNanos(1)));
    }

    /** Each message comes when everybody sleeps; what a quarter of them stays below, as a busy machine delays many. */
    private static long quickest(final LongSupplier latency)
    {
        final long[] latencies = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            latencies[i] = latency.getAsLong();
        }
        Arrays.sort(latencies);
        return latencies[ROUNDS / 4];
    }

    private static long latency(final Publication publication, final Subscription subscription)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        final long start = System.nanoTime();
        Await.until("room", () -> publication.offer(message, 0, 64) > 0);
        final long deadline = start + TimeUnit.SECONDS.toNanos(30);
        while (subscription.poll((buffer, offset, length, header) -> { }, 1) == 0)
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("a message did not arrive");
            }
            Thread.onSpinWait();
        }
        return System.nanoTime() - start;
    }

    /** 5 % of a core for each thread of both drivers; twice that where the machine is anybody's, more in a guest. */
    private static void assertIdle()
    {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long[] ids = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().matches("gannet-.*(conductor|sender|receiver).*"))
            .filter(thread -> !thread.getName().contains("client"))
            .mapToLong(Thread::threadId).toArray();
        assertThat(ids).isNotEmpty();
        final long[] before = threads.getThreadCpuTime(ids);
        final long end = System.nanoTime() + WINDOW;
        while (System.nanoTime() - end < 0)
        {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        final long[] after = threads.getThreadCpuTime(ids);
        for (int i = 0; i < ids.length; i++)
        {
            assertThat(after[i] - before[i]).as("CPU time in 2 s of %s", threads.getThreadInfo(ids[i]))
                .isLessThan(TestNic.isEmulated() ? WINDOW / 4 : WINDOW / 10);
        }
    }
}

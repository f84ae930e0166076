package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bytes that all threads of two clients and two drivers, conductors, senders, receivers and NICs, allocate while
 * messages go from host to host: next to none.
 */
@SuppressWarnings("ThreadPriorityCheck")
class RdmaAllocationTest
{
    private static final int MESSAGES = 100_000;
    private static final int MESSAGE_LENGTH = 64;
    /** How long the virtual machine may compile, link and learn what it likes. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int WARM_UP_SLEEPS = 1_000;
    private static final int CLEAN_ROUNDS = 2;
    private static final long ALLOWED_BYTES = 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private volatile int started;
    private volatile int received;
    private volatile boolean stopped;

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void messagesBetweenHostsMakeNoGarbage(final boolean fanOut) throws InterruptedException
    {
        try (RdmaHost from = new RdmaHost("clean-from"); RdmaHost to = new RdmaHost("clean-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = fanOut ? from.control(4500) : to.channel(4500);
            try (Publication publication = publisher.addPublication(channel + "|ring=256k", 1);
                Subscription subscription = subscriber.addSubscription(channel, 1))
            {
                Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
                final Thread reader = new Thread(() -> receive(subscription), "test-subscriber");
                final Thread writer = new Thread(() -> publish(publication), "test-publisher");
                warmUpSleeps();
                reader.start();
                writer.start();
                final Map<String, Long> bytes = roundsUntilClean(fanOut);
                stopped = true;
                reader.join();
                writer.join();
                assertThat(bytes.keySet()).anyMatch(name -> name.startsWith("gannet-conductor"))
                    .anyMatch(name -> name.startsWith("gannet-client-conductor")).hasSizeGreaterThanOrEqualTo(6);
                assertThat(sum(fanOut ? withoutQuestions(bytes) : bytes))
                    .as("bytes by thread: %s", bytes).isLessThan(ALLOWED_BYTES);
                assertThat(sum(bytes) / MESSAGES).as("bytes per message, of all threads: %s", bytes).isZero();
            }
        }
    }

    /** Threads that seldom sleep would need long until the calls of a sleep are linked for good. */
    private static void warmUpSleeps()
    {
        final PollBell bell = new PollBell(new PollBell.Waking()
        {
            @Override
            public void arm()
            {
            }

            @Override
            public void disarm()
            {
            }

            @Override
            public long waitLimit()
            {
                return 1;
            }

            @Override
            public void drain()
            {
            }
        });
        for (int i = 0; i < WARM_UP_SLEEPS; i++)
        {
            bell.arm();
            if (i % 2 == 0)
            {
                bell.ring();
            }
            bell.sleep(1);
        }
        bell.close();
    }

    private Map<String, Long> roundsUntilClean(final boolean fanOut)
    {
        Map<String, Long> bytes = Map.of();
        int clean = 0;
        final long start = System.nanoTime();
        while (clean < CLEAN_ROUNDS && System.nanoTime() - start < PATIENCE)
        {
            bytes = measuredRound();
            clean = sum(fanOut ? withoutQuestions(bytes) : bytes) < ALLOWED_BYTES ? clean + 1 : 0;
        }
        return bytes;
    }

    /**
     * A fan-out subscription's driver asks the publisher's what publications there are, once in a while however many
     * messages go; conductors and connection managers, which receivers move, make garbage then.
     */
    private static Map<String, Long> withoutQuestions(final Map<String, Long> bytes)
    {
        final Map<String, Long> others = new TreeMap<>(bytes);
        others.keySet().removeIf(name ->
            name.startsWith("gannet-conductor") || name.startsWith("gannet-receiver"));
        return others;
    }

    private static long sum(final Map<String, Long> bytes)
    {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private Map<String, Long> measuredRound()
    {
        final long[] ids = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("test-") || thread.getName().startsWith("gannet-"))
            .mapToLong(Thread::threadId).toArray();
        final long[] before = threads.getThreadAllocatedBytes(ids);
        final int round = started + 1;
        started = round;
        Await.until("a round of messages", () -> received == round);
        final long[] after = threads.getThreadAllocatedBytes(ids);
        final Map<String, Long> bytes = new TreeMap<>();
        for (int i = 0; i < ids.length; i++)
        {
            final ThreadInfo thread = threads.getThreadInfo(ids[i]);
            // One that ended meanwhile is of a test before.
            if (thread != null && after[i] >= 0)
            {
                bytes.put(thread.getThreadName() + " " + ids[i], after[i] - before[i]);
            }
        }
        return bytes;
    }

    private void publish(final Publication publication)
    {
        int round = 0;
        while (!stopped)
        {
            if (round < started)
            {
                for (int i = 0; i < MESSAGES && !stopped; i++)
                {
                    buffer.putLong(0, i);
                    while (publication.offer(buffer, 0, MESSAGE_LENGTH) <= 0 && !stopped)
                    {
                        Thread.yield();
                    }
                }
                round++;
            }
            Thread.yield();
        }
    }

    private void receive(final Subscription subscription)
    {
        final long[] count = new long[1];
        final FragmentHandler handler = (bytes, offset, length, header) ->
        {
            if (bytes.getLong(offset) != count[0] % MESSAGES)
            {
                throw new AssertionError("message " + bytes.getLong(offset) + " in place of " + count[0]);
            }
            count[0]++;
        };
        while (!stopped)
        {
            if (subscription.poll(handler, 64) == 0)
            {
                Thread.yield();
            }
            if (received < started && count[0] == (long) started * MESSAGES)
            {
                received = started;
            }
        }
    }
}

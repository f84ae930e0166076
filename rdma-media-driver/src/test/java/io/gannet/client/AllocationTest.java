package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.BufferClaim;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.os.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bytes that all threads of client and driver, conductors too, allocate while a million messages go by, by offer and by
 * claim, into a poll: next to none.
 */
@SuppressWarnings("ThreadPriorityCheck")
class AllocationTest
{
    private static final int MESSAGES = 1_000_000;
    /** Rounds in which the virtual machine may compile, link and learn what it likes. */
    private static final int WARM_UP_ROUNDS = 3;
    /** The warm-up goes on until it is over, but not for ever. */
    private static final int MOST_ROUNDS = 24;
    private static final int CLEAN_ROUNDS = 2;
    private static final int WARM_UP_SLEEPS = 1_000;
    private static final int MESSAGE_LENGTH = 64;
    private static final long ALLOWED_BYTES = 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Rounds that may start, and those that each side has finished. */
    private volatile int started;
    private volatile int sent;
    private volatile int received;
    private volatile boolean stopped;

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void aMillionMessagesMakeNoGarbage(final boolean exclusive, final boolean claim) throws InterruptedException
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("allocation"); Gannet gannet = driver.connect())
        {
            final Publication publication = exclusive ?
                gannet.addExclusivePublication("gannet:ipc?ring=1m", 1) :
                gannet.addPublication("gannet:ipc?ring=1m", 1);
            final Subscription subscription = gannet.addSubscription("gannet:ipc", 1);
            EmbeddedDriver.awaitConnected(publication, subscription);
            final Thread publisher = new Thread(() -> publish(publication, claim), "test-publisher");
            final Thread subscriber = new Thread(() -> receive(subscription), "test-subscriber");
            publisher.start();
            subscriber.start();
            warmUpSleeps();
            for (int i = 0; i < WARM_UP_ROUNDS; i++)
            {
                round();
            }
            final Map<String, Long> bytes = roundsUntilClean();
            stopped = true;
            publisher.join();
            subscriber.join();
            assertThat(bytes.keySet()).anyMatch(name -> name.startsWith("gannet-conductor"))
                .anyMatch(name -> name.startsWith("gannet-client-conductor")).hasSizeGreaterThanOrEqualTo(4);
            assertThat(sum(bytes)).as("bytes by thread: %s", bytes).isLessThan(ALLOWED_BYTES);
        }
    }

    /** A conductor alone would need seconds for the few hundred sleeps until their call is linked for good. */
    private static void warmUpSleeps()
    {
        final MemorySegment word = Arena.ofAuto().allocate(Integer.BYTES, Integer.BYTES);
        for (int i = 0; i < WARM_UP_SLEEPS; i++)
        {
            Futex.await(word.address(), 0, 1);
        }
    }

    /** Bytes of the last round: the second clean one in a row, unless there are no two. */
    private Map<String, Long> roundsUntilClean()
    {
        Map<String, Long> bytes = Map.of();
        int clean = 0;
        for (int i = 0; i < MOST_ROUNDS && clean < CLEAN_ROUNDS; i++)
        {
            bytes = measuredRound();
            clean = sum(bytes) < ALLOWED_BYTES ? clean + 1 : 0;
        }
        return bytes;
    }

    private static long sum(final Map<String, Long> bytes)
    {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private Map<String, Long> measuredRound()
    {
        final long[] ids = idsOfOurThreads();
        final long[] before = threads.getThreadAllocatedBytes(ids);
        round();
        final long[] after = threads.getThreadAllocatedBytes(ids);
        final Map<String, Long> bytes = new LinkedHashMap<>();
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

    private void round()
    {
        final int round = started + 1;
        started = round;
        Await.until("a round of messages", () -> sent == round && received == round);
    }

    private static long[] idsOfOurThreads()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("test-") || thread.getName().startsWith("gannet-"))
            .mapToLong(Thread::threadId).toArray();
    }

    private void publish(final Publication publication, final boolean claim)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final BufferClaim bufferClaim = BufferClaim.allocate();
        while (!stopped)
        {
            if (sent < started)
            {
                for (int i = 0; i < MESSAGES && !stopped; i++)
                {
                    while ((claim ? claim(publication, bufferClaim, i) : offer(publication, buffer, i)) <= 0)
                    {
                        Thread.yield();
                    }
                }
                sent = started;
            }
            Thread.yield();
        }
    }

    private static long offer(final Publication publication, final UnsafeBuffer buffer, final int value)
    {
        buffer.putLong(0, value);
        return publication.offer(buffer, 0, MESSAGE_LENGTH);
    }

    private static long claim(final Publication publication, final BufferClaim claim, final int value)
    {
        final long result = publication.tryClaim(MESSAGE_LENGTH, claim);
        if (result > 0)
        {
            claim.buffer().putLong(claim.offset(), value);
            claim.commit();
        }
        return result;
    }

    private void receive(final Subscription subscription)
    {
        final long[] count = new long[1];
        final FragmentHandler handler = (buffer, offset, length, header) ->
        {
            if (buffer.getLong(offset) != count[0] % MESSAGES)
            {
                throw new AssertionError("message " + buffer.getLong(offset) + " in place of " + count[0]);
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

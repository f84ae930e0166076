package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.os.Futex;
import io.gannet.os.Membarrier;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BellTest
{
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    @Test
    void isRungOnlyWhenSomebodyWaitsAndOnlyOnce()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY))
        {
            final long[] rung = new long[2];
            final ExclusiveProducer producer = new ExclusiveProducer(test.ring, (address, waiters) ->
            {
                rung[0]++;
                rung[1] = waiters;
            });
            test.join();
            final Bell bell = new Bell(test.ring, Bell.FUTEX_WAKER);
            producer.offer(test.source, 0, 1);
            assertThat(rung[0]).isZero();
            final int value = bell.announce(Bell.WAITER_FUTEX);
            assertThat(bell.announce(Bell.WAITER_PIPE)).isEqualTo(value);
            producer.offer(test.source, 0, 1);
            assertThat(rung).containsExactly(1, Bell.WAITER_FUTEX | Bell.WAITER_PIPE);
            assertThat(test.ring.memory().getInt(bell.address())).isEqualTo(value + 1);
            producer.offer(test.source, 0, 1);
            assertThat(rung[0]).isEqualTo(1);
        }
    }

    @Test
    void doesNotLetASleeperSleepThatWasRungBeforeItLay()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            test.join();
            final Bell bell = new Bell(test.ring, Bell.FUTEX_WAKER);
            final int value = bell.announce(Bell.WAITER_FUTEX);
            producer.offer(test.source, 0, 1);
            assertThat(Futex.await(bell.address(), value, LONG)).isTrue();
        }
    }

    @Test
    void wakesAReaderForEveryMessage() throws Exception
    {
        Assumptions.assumeTrue(Membarrier.isSupported(), "membarrier: waking without fences was not tested");
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY);
            TestRing reply = new TestRing(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY))
        {
            final int count = 2_000;
            final RingReader reader = test.reader();
            final RingReader replyReader = reply.reader();
            final ExclusiveProducer producer = test.exclusiveProducer();
            final ExclusiveProducer replyProducer = reply.exclusiveProducer();
            final CompletableFuture<Integer> echo = CompletableFuture.supplyAsync(() ->
            {
                int lost = 0;
                for (int i = 0; i < count; i++)
                {
                    lost += await(reader) ? 0 : 1;
                    replyProducer.offer(reply.source, 0, 1);
                }
                return lost;
            });
            int lost = 0;
            for (int i = 0; i < count; i++)
            {
                producer.offer(test.source, 0, 1);
                lost += await(replyReader) ? 0 : 1;
            }
            assertThat(lost + echo.get()).as("sleeps that ran into their time-out").isZero();
        }
    }

    /** Sleeps until there is a message and takes it. */
    private static boolean await(final RingReader reader)
    {
        final Bell bell = new Bell(reader.ring(), Bell.FUTEX_WAKER);
        boolean inTime = true;
        while (reader.poll((buffer, offset, length, position) -> { }, 1) == 0)
        {
            final int value = bell.announce(Bell.WAITER_FUTEX);
            Bell.fence(reader.ring().memory(), reader.ring().hotFence());
            if (!reader.isReady())
            {
                inTime &= Futex.await(bell.address(), value, LONG);
            }
        }
        return inTime;
    }
}

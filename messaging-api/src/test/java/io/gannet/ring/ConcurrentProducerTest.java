package io.gannet.ring;

import static io.gannet.ring.TestRing.lengths;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConcurrentProducerTest
{
    private static final int CAPACITY = RingLayout.MIN_CAPACITY;

    private final TestRing test = new TestRing(RingKind.CONCURRENT, CAPACITY);
    private final ConcurrentProducer producer = test.concurrentProducer(TestRing.CLIENT);

    @AfterEach
    void close()
    {
        test.close();
    }

    @Test
    void offersNothingWithoutSubscriber()
    {
        assertThat(producer.offer(test.source, 0, 10)).isEqualTo(Ring.NOT_CONNECTED);
        assertThat(producer.position()).isZero();
    }

    @Test
    void hasNoWindowAfterTheLastSubscriber()
    {
        final int entry = test.join();
        assertThat(producer.offer(test.source, 0, 10)).isPositive();
        assertThat(producer.availableWindow()).isPositive();
        test.membership.leave(entry);
        assertThat(producer.offer(test.source, 0, 10)).isEqualTo(Ring.NOT_CONNECTED);
        assertThat(producer.availableWindow()).isZero();
    }

    /** Somebody has written into the header. */
    @Test
    void aTailThatCanBeNoneIsAnsweredAsAClosedRing()
    {
        test.join();
        final long tail = test.ring.headerAddress() + RingLayout.TAIL_OFFSET;
        final FrameClaim claim = new FrameClaim();
        for (final long garbage : new long[] {-7_041_247_135_567_048_326L, -32, Long.MIN_VALUE, 1, 33, 4_095})
        {
            // More often than there are slots: each is given back.
            for (int i = 0; i <= RingLayout.MAX_SLOTS; i++)
            {
                test.ring.memory().putLong(tail, garbage);
                assertThat(producer.offer(test.source, 0, 10)).as("tail " + garbage).isEqualTo(Ring.CLOSED);
                assertThat(producer.tryClaim(10, claim)).as("tail " + garbage).isEqualTo(Ring.CLOSED);
                assertThat(test.ring.memory().getLong(tail)).isEqualTo(garbage);
            }
        }
        test.ring.memory().putLong(tail, 0);
        assertThat(producer.offer(test.source, 0, 10)).isPositive();
    }

    @Test
    void isHeldBackAtHalfTheRingLessSlack()
    {
        final RingReader reader = test.reader();
        final int window = RingLayout.window(RingKind.CONCURRENT, CAPACITY);
        while (producer.offer(test.source, 0, 48) > 0)
        {
            assertThat(producer.position()).isLessThanOrEqualTo(window);
        }
        assertThat(producer.position()).isGreaterThan(window - 64);
        assertThat(producer.offer(test.source, 0, 48)).isEqualTo(Ring.BACK_PRESSURED);
        lengths(reader);
        assertThat(producer.offer(test.source, 0, 48)).isPositive();
    }

    @Test
    void showsMessagesInTheOrderOfTheirClaims()
    {
        final RingReader reader = test.reader();
        final FrameClaim first = new FrameClaim();
        final FrameClaim second = new FrameClaim();
        producer.tryClaim(1, first);
        producer.tryClaim(2, second);
        producer.offer(test.source, 0, 3);
        second.commit();
        assertThat(lengths(reader)).isEmpty();
        first.commit();
        assertThat(lengths(reader)).containsExactly(1, 2, 3);
    }

    @Test
    void skipsAnAbortedClaim()
    {
        final RingReader reader = test.reader();
        final FrameClaim claim = new FrameClaim();
        producer.tryClaim(1000, claim);
        producer.offer(test.source, 0, 3);
        claim.abort();
        assertThat(lengths(reader)).containsExactly(3);
        assertThat(reader.position()).isEqualTo(producer.position());
    }

    @Test
    void leavesPaddingAndNoHoleIfTheSupplierThrows()
    {
        final RingReader reader = test.reader();
        assertThatThrownBy(() -> producer.offer(test.source, 0, 77, (buffer, offset, length) ->
        {
            throw new UnsupportedOperationException("no value");
        })).hasMessage("no value");
        producer.offer(test.source, 0, 5);
        assertThat(lengths(reader)).containsExactly(5);
    }

    @Test
    void isBackPressuredWhenAllSlotsHoldOpenClaims()
    {
        final RingReader reader = test.reader();
        final List<FrameClaim> claims = new ArrayList<>();
        FrameClaim claim = new FrameClaim();
        while (producer.tryClaim(0, claim) > 0)
        {
            claims.add(claim);
            claim = new FrameClaim();
        }
        assertThat(claims).hasSize(32);
        assertThat(producer.offer(test.source, 0, 1)).isEqualTo(Ring.BACK_PRESSURED);
        claims.get(5).commit();
        assertThat(producer.offer(test.source, 0, 1)).isPositive();
        claims.remove(5);
        claims.forEach(FrameClaim::commit);
        assertThat(lengths(reader)).hasSize(33);
    }

    @Test
    void sharesTheRingWithOtherClientsProducers()
    {
        final RingReader reader = test.reader();
        final ConcurrentProducer other = test.concurrentProducer(TestRing.OTHER_CLIENT);
        for (int i = 0; i < 1000; i++)
        {
            assertThat((i % 3 == 0 ? other : producer).offer(test.source, 0, i % 100)).isPositive();
            assertThat(lengths(reader)).containsExactly(i % 100);
        }
    }

    @Test
    void saysClosedAfterClose()
    {
        test.join();
        final FrameClaim claim = new FrameClaim();
        producer.tryClaim(100, claim);
        test.ring.close();
        assertThat(producer.offer(test.source, 0, 5)).isEqualTo(Ring.CLOSED);
        assertThat(producer.tryClaim(5, new FrameClaim())).isEqualTo(Ring.CLOSED);
        claim.commit();
    }

    @Test
    void anOfferAfterCloseTakesNoSlotAgain()
    {
        test.join();
        final FrameClaim claim = new FrameClaim();
        assertThat(producer.tryClaim(100, claim)).isPositive();
        producer.close();
        assertThat(producer.isIdle()).isFalse();
        claim.commit();
        assertThat(producer.isIdle()).isTrue();
        assertThat(producer.offer(test.source, 0, 5)).isEqualTo(Ring.CLOSED);
        assertThat(slotsTaken()).isZero();
        assertThat(producer.isIdle()).isTrue();
    }

    /** So that threads that offer one after the other don't take the line of a slot from each other. */
    @Test
    void threadsHaveSlotsOfTheirOwnAsLongAsTheyAreFew() throws Exception
    {
        final RingReader reader = test.reader();
        final List<ExecutorService> threads = new ArrayList<>();
        try
        {
            for (final long expected : new long[] {1, 2, 4, 4, 8, 8, 8, 8, 8, 8})
            {
                threads.add(Executors.newSingleThreadExecutor());
                for (int round = 0; round < 3; round++)
                {
                    for (final ExecutorService thread : threads)
                    {
                        assertThat(thread.submit(() -> producer.offer(test.source, 0, 7)).get()).isPositive();
                    }
                }
                assertThat(lengths(reader)).hasSize(3 * threads.size()).containsOnly(7);
                assertThat(slotsTaken()).as(threads.size() + " threads").isEqualTo(expected);
            }
        }
        finally
        {
            threads.forEach(ExecutorService::shutdown);
        }
    }

    @Test
    void threadsShareASlotWhereTheRingHasNoMore() throws InterruptedException
    {
        final RingReader reader = test.reader();
        for (long client = TestRing.OTHER_CLIENT; slotsTaken() < RingLayout.MAX_SLOTS; client++)
        {
            test.concurrentProducer(client);
        }
        for (int i = 0; i < 20; i++)
        {
            final int length = i;
            final Thread thread = new Thread(() -> producer.offer(test.source, 0, length));
            thread.start();
            thread.join();
            assertThat(lengths(reader)).containsExactly(i);
        }
        assertThat(slotsTaken()).isEqualTo(RingLayout.MAX_SLOTS);
    }

    /** However many threads each client has had: places for them are no need, and a claim is one. */
    @Test
    void placesOfThreadsLeaveHalfOfTheSlotsToOtherClientsAndToOpenClaims() throws InterruptedException
    {
        final RingReader reader = test.reader();
        ConcurrentProducer last = producer;
        for (int client = 2; client <= 112; client++)
        {
            final ConcurrentProducer its = test.concurrentProducer(TestRing.OTHER_CLIENT + client);
            for (int thread = 0; thread < 20; thread++)
            {
                final int length = thread;
                final Thread offering = new Thread(() -> its.offer(test.source, 0, length));
                offering.start();
                offering.join();
                assertThat(lengths(reader)).containsExactly(thread);
            }
            last = its;
        }
        final long taken = slotsTaken();
        final List<FrameClaim> claims = new ArrayList<>();
        for (int i = 0; i < 32; i++)
        {
            claims.add(new FrameClaim());
            assertThat(last.tryClaim(i, claims.getLast())).isPositive();
        }
        assertThat(slotsTaken()).isEqualTo(taken + 31);
        claims.forEach(FrameClaim::commit);
        assertThat(lengths(reader)).hasSize(32);
    }

    private long slotsTaken()
    {
        return IntStream.range(0, RingLayout.MAX_SLOTS)
            .mapToLong(i -> test.ring.headerAddress() + RingLayout.slotOffset(i) + RingLayout.SLOT_CLIENT_ID)
            .filter(address -> test.ring.memory().getLongAcquire(address) != 0)
            .count();
    }

    @Test
    void refusesAMessageThatIsTooLong()
    {
        test.join();
        final int max = producer.ring().maxMessageLength();
        assertThat(max).isEqualTo(CAPACITY / 16 - FrameHeader.HEADER_LENGTH);
        assertThatThrownBy(() -> producer.offer(test.source, 0, max + 1))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(Integer.toString(max));
        assertThat(producer.offer(test.source, 0, max)).isPositive();
    }

    static LongStream seeds()
    {
        return new Random().longs(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void behavesLikeAQueueInClaimOrder(final long seed)
    {
        final Random random = new Random(seed);
        final RingReader reader = test.reader();
        final ArrayDeque<long[]> model = new ArrayDeque<>();
        final List<FrameClaim> open = new ArrayList<>();
        final List<long[]> openModel = new ArrayList<>();
        long number = 0;
        for (int i = 0; i < 20_000; i++)
        {
            final int choice = random.nextInt(6);
            if (choice < 2)
            {
                final int length = random.nextInt(random.nextInt(10) == 0 ? 4000 : 300);
                test.fill(number, length);
                if (producer.offer(test.source, 0, length) > 0)
                {
                    model.add(new long[] {number++, length, 1});
                }
            }
            else if (choice == 2 && open.size() < 8)
            {
                final int length = random.nextInt(300);
                final FrameClaim claim = new FrameClaim();
                if (producer.tryClaim(length, claim) > 0)
                {
                    final long[] message = {number++, length, 0};
                    model.add(message);
                    open.add(claim);
                    openModel.add(message);
                }
            }
            else if (choice == 3 && !open.isEmpty())
            {
                final int index = random.nextInt(open.size());
                final FrameClaim claim = open.remove(index);
                final long[] message = openModel.remove(index);
                test.fill(message[0], claim.length());
                claim.buffer().putBytes(0, test.source, 0, claim.length());
                if (random.nextInt(4) == 0)
                {
                    claim.abort();
                    message[2] = 2;
                }
                else
                {
                    claim.commit();
                    message[2] = 1;
                }
            }
            else if (choice > 3)
            {
                reader.poll(
                    (buffer, offset, length, position) ->
                    {
                        dropAborted(model);
                        final long[] next = model.remove();
                        assertThat(next[2]).isEqualTo(1);
                        assertThat(length).isEqualTo((int) next[1]);
                        TestRing.verify(buffer, offset, length, next[0]);
                    },
                    random.nextInt(20));
            }
        }
        open.forEach(FrameClaim::abort);
        openModel.forEach(message -> message[2] = 2);
        final int rest = (int) model.stream().filter(message -> message[2] == 1).count();
        assertThat(lengths(reader)).hasSize(rest);
        assertThat(reader.position()).isEqualTo(producer.position());
    }

    private static void dropAborted(final ArrayDeque<long[]> model)
    {
        while (model.peek()[2] == 2)
        {
            model.remove();
        }
    }
}

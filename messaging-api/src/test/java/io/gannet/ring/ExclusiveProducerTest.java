package io.gannet.ring;

import static io.gannet.ring.TestRing.lengths;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExclusiveProducerTest
{
    private static final int CAPACITY = RingLayout.MIN_CAPACITY;

    private final TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY);
    private final ExclusiveProducer producer = test.exclusiveProducer();

    @AfterEach
    void close()
    {
        test.close();
    }

    @Test
    void offersNothingWithoutSubscriber()
    {
        assertThat(producer.offer(test.source, 0, 10)).isEqualTo(Ring.NOT_CONNECTED);
        assertThat(producer.isConnected()).isFalse();
        assertThat(producer.position()).isZero();
    }

    @Test
    void isConnectedAsSoonAsASubscriberHasJoinedAndNoLonger()
    {
        final int entry = test.join();
        assertThat(producer.isConnected()).isTrue();
        assertThat(producer.offer(test.source, 0, 10)).isEqualTo(32);
        test.membership.leave(entry);
        assertThat(producer.offer(test.source, 0, 10)).isEqualTo(Ring.NOT_CONNECTED);
        assertThat(producer.availableWindow()).isZero();
    }

    @Test
    void deliversMessagesOfAllLengthsWholeAndInOrder()
    {
        final RingReader reader = test.reader();
        for (int length = 0; length <= producer.ring().maxMessageLength(); length += 1 + length / 9)
        {
            test.fill(length, length);
            assertThat(producer.offer(test.source, 0, length)).isPositive();
            final int expected = length;
            assertThat(reader.poll(
                (buffer, offset, actual, position) ->
                {
                    assertThat(actual).isEqualTo(expected);
                    TestRing.verify(buffer, offset, actual, expected);
                    assertThat(position).isEqualTo(producer.position());
                    assertThat(FrameHeader.type(buffer, offset - FrameHeader.HEADER_LENGTH))
                        .isEqualTo(FrameHeader.TYPE_DATA);
                    assertThat(FrameHeader.flags(buffer, offset - FrameHeader.HEADER_LENGTH))
                        .isEqualTo(FrameHeader.FLAGS_UNFRAGMENTED);
                },
                10)).isEqualTo(1);
        }
    }

    @Test
    void isHeldBackExactlyAtTheWindowAndGoesOnWhenTheReaderDoes()
    {
        final RingReader reader = test.reader();
        final int window = RingLayout.window(RingKind.EXCLUSIVE, CAPACITY);
        long position = 0;
        while (position + 128 <= window)
        {
            position = producer.offer(test.source, 0, 112);
            assertThat(position).isPositive();
        }
        assertThat(producer.offer(test.source, 0, 112)).isEqualTo(Ring.BACK_PRESSURED);
        assertThat(producer.availableWindow()).isLessThan(128);
        assertThat(producer.gating().holder()).isZero();
        assertThat(producer.gating().minimum()).isZero();
        reader.poll((buffer, offset, length, end) -> { }, 1);
        assertThat(producer.offer(test.source, 0, 112)).isEqualTo(position + 128);
        assertThat(producer.offer(test.source, 0, 112)).isEqualTo(Ring.BACK_PRESSURED);
    }

    @Test
    void refusesAMessageThatIsTooLongWithTheLimitInTheMessage()
    {
        test.join();
        final int max = producer.ring().maxMessageLength();
        assertThat(max).isEqualTo(CAPACITY / 8 - FrameHeader.HEADER_LENGTH);
        assertThatThrownBy(() -> producer.offer(test.source, 0, max + 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(Integer.toString(max + 1)).hasMessageContaining(Integer.toString(max));
        assertThatThrownBy(() -> producer.tryClaim(-1, new FrameClaim()))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(producer.offer(test.source, 0, max)).isPositive();
    }

    @Test
    void refusesARangeThatIsNotWithinTheSource()
    {
        test.join();
        final UnsafeBuffer small = new UnsafeBuffer(new byte[10]);
        assertThatThrownBy(() -> producer.offer(small, 1, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.offer(small, -1, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.offer(small, 0, -5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.offer(small, Integer.MAX_VALUE, 5))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(producer.position()).isZero();
    }

    @Test
    void showsAClaimOnlyWhenItIsCommitted()
    {
        final RingReader reader = test.reader();
        final FrameClaim claim = new FrameClaim();
        assertThat(producer.tryClaim(100, claim)).isEqualTo(128);
        assertThat(claim.length()).isEqualTo(100);
        assertThat(claim.buffer().capacity()).isEqualTo(100);
        assertThat(producer.position()).isZero();
        assertThat(lengths(reader)).isEmpty();
        test.fill(5, 100);
        claim.buffer().putBytes(claim.offset(), test.source, 0, 100);
        claim.reservedValue(42).commit();
        assertThat(claim.isOpen()).isFalse();
        assertThat(producer.position()).isEqualTo(128);
        reader.poll(
            (buffer, offset, length, position) ->
            {
                TestRing.verify(buffer, offset, length, 5);
                assertThat(FrameHeader.reservedValue(buffer, offset - FrameHeader.HEADER_LENGTH)).isEqualTo(42);
            },
            1);
        assertThat(reader.position()).isEqualTo(128);
    }

    @Test
    void leavesNoTraceOfAnAbortedClaim()
    {
        final RingReader reader = test.reader();
        final FrameClaim claim = new FrameClaim();
        producer.tryClaim(100, claim);
        claim.abort();
        assertThat(producer.offer(test.source, 0, 7)).isEqualTo(32);
        assertThat(lengths(reader)).containsExactly(7);
    }

    @Test
    void offersNothingElseWhileAClaimIsOpen()
    {
        test.join();
        final FrameClaim claim = new FrameClaim();
        producer.tryClaim(100, claim);
        assertThatThrownBy(() -> producer.offer(test.source, 0, 1))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("commit or abort");
        claim.commit();
        assertThatThrownBy(claim::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(claim::abort).isInstanceOf(IllegalStateException.class);
        assertThat(producer.offer(test.source, 0, 1)).isEqualTo(160);
    }

    @Test
    void gathersAMessageFromPieces()
    {
        final RingReader reader = test.reader();
        test.fill(3, 300);
        final ExpandableArrayBuffer expandable = new ExpandableArrayBuffer(8);
        expandable.putBytes(0, test.source, 100, 50);
        final BufferVector[] vectors = {
            new BufferVector(test.source, 0, 100),
            new BufferVector(expandable, 0, 50),
            new BufferVector(test.source, 150, 0),
            new BufferVector(test.source, 150, 150),
        };
        assertThat(producer.offer(vectors, null)).isEqualTo(320);
        assertThat(producer.offer(test.source, 0, 13, test.source, 13, 287, null)).isEqualTo(640);
        final int polled = reader.poll(
            (buffer, offset, length, position) ->
            {
                assertThat(length).isEqualTo(300);
                TestRing.verify(buffer, offset, length, 3);
            },
            10);
        assertThat(polled).isEqualTo(2);
    }

    @Test
    void givesTheSupplierThePayloadInPlaceAndStoresItsValue()
    {
        final RingReader reader = test.reader();
        test.fill(9, 77);
        producer.offer(test.source, 0, 77, (buffer, offset, length) ->
        {
            TestRing.verify((UnsafeBuffer) buffer, offset, length, 9);
            return -9L;
        });
        reader.poll((buffer, offset, length, position) ->
            assertThat(FrameHeader.reservedValue(buffer, offset - FrameHeader.HEADER_LENGTH)).isEqualTo(-9L), 1);
    }

    @Test
    void sendsNothingIfTheSupplierThrows()
    {
        final RingReader reader = test.reader();
        assertThatThrownBy(() -> producer.offer(test.source, 0, 77, (buffer, offset, length) ->
        {
            throw new UnsupportedOperationException("no value");
        })).hasMessage("no value");
        assertThat(producer.position()).isZero();
        producer.offer(test.source, 0, 5);
        assertThat(lengths(reader)).containsExactly(5);
    }

    @Test
    void leavesNoHoleIfTheSupplierOffersOrClaims()
    {
        final RingReader reader = test.reader();
        final FrameClaim claim = new FrameClaim();
        assertThatThrownBy(() -> producer.offer(
            test.source, 0, 77, (buffer, offset, length) -> producer.offer(test.source, 0, 200)))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("supplier");
        assertThatThrownBy(() -> producer.offer(
            test.source, 0, 77, (buffer, offset, length) -> producer.tryClaim(6, claim)))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("supplier");
        claim.commit();
        producer.offer(test.source, 0, 5);
        assertThat(lengths(reader)).containsExactly(200, 6, 5);
    }

    @Test
    void saysClosedAfterClose()
    {
        test.join();
        assertThat(producer.offer(test.source, 0, 5)).isPositive();
        test.ring.close();
        assertThat(test.ring.isAcknowledged()).isFalse();
        assertThat(producer.offer(test.source, 0, 5)).isEqualTo(Ring.CLOSED);
        assertThat(producer.tryClaim(5, new FrameClaim())).isEqualTo(Ring.CLOSED);
        assertThat(producer.isConnected()).isFalse();
        assertThat(test.ring.isAcknowledged()).isTrue();
    }

    @Test
    void survivesTheCommitOfAClaimAfterClose()
    {
        test.join();
        final FrameClaim claim = new FrameClaim();
        producer.tryClaim(1000, claim);
        test.ring.close();
        claim.buffer().setMemory(0, 1000, (byte) 1);
        claim.commit();
        assertThat(producer.offer(test.source, 0, 5)).isEqualTo(Ring.CLOSED);
    }

    @Test
    void endsAtTheLargestPosition()
    {
        try (TestRing last =
            new TestRing(RingKind.EXCLUSIVE, CAPACITY, (RingLayout.MAX_POSITION & -32) - 64))
        {
            final ExclusiveProducer lastProducer = last.exclusiveProducer();
            final RingReader reader = last.reader();
            assertThat(lastProducer.offer(last.source, 0, 48)).isPositive();
            assertThat(lengths(reader)).containsExactly(48);
            assertThat(lastProducer.offer(last.source, 0, 48)).isEqualTo(Ring.MAX_POSITION_EXCEEDED);
        }
    }

    @Test
    void publishesACoarsePositionThatLagsByLessThanItsInterval()
    {
        final RingReader reader = test.reader();
        final long coarse = test.ring.headerAddress() + RingLayout.COARSE_OFFSET;
        for (int i = 0; i < 3000; i++)
        {
            producer.offer(test.source, 0, i % 500);
            final long lag = producer.position() - test.ring.memory().getLong(coarse);
            assertThat(lag).isBetween(0L, RingLayout.COARSE_INTERVAL - 1L);
            lengths(reader);
        }
    }

    static LongStream seeds()
    {
        return new Random().longs(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void behavesLikeAQueueWithAWindow(final long seed)
    {
        final Random random = new Random(seed);
        final RingReader reader = test.reader();
        final ArrayDeque<Long> model = new ArrayDeque<>();
        final FrameClaim claim = new FrameClaim();
        final int window = RingLayout.window(RingKind.EXCLUSIVE, CAPACITY);
        long number = 0;
        for (int i = 0; i < 20_000; i++)
        {
            if (random.nextInt(5) < 3)
            {
                final int length = random.nextInt(random.nextInt(10) == 0 ? 8000 : 300);
                final long end = producer.position() + FrameHeader.step(length);
                final boolean fits = end <= reader.position() + window;
                test.fill(number, length);
                final boolean inPlace = random.nextBoolean();
                final long result =
                    inPlace ? producer.tryClaim(length, claim) : producer.offer(test.source, 0, length);
                assertThat(result).isEqualTo(fits ? end : Ring.BACK_PRESSURED);
                if (fits && inPlace)
                {
                    claim.buffer().putBytes(0, test.source, 0, length);
                    if (random.nextInt(4) == 0)
                    {
                        claim.abort();
                        continue;
                    }
                    claim.commit();
                }
                if (fits)
                {
                    model.add(number << 16 | length);
                    number++;
                }
            }
            else
            {
                final int limit = random.nextInt(20);
                final int expected = Math.min(limit, model.size());
                assertThat(reader.poll(
                    (buffer, offset, length, position) ->
                    {
                        final long next = model.remove();
                        assertThat(length).isEqualTo((int) (next & 0xFFFF));
                        TestRing.verify(buffer, offset, length, next >>> 16);
                    },
                    limit)).isEqualTo(expected);
            }
        }
    }
}

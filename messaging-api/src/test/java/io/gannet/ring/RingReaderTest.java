package io.gannet.ring;

import static io.gannet.ring.TestRing.lengths;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.ring.ControlledFrameHandler.Action;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingReaderTest
{
    private static final FrameHandler IGNORE = (buffer, offset, length, position) -> { };

    private final TestRing test = new TestRing(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY);
    private final ExclusiveProducer producer = test.exclusiveProducer();
    private final RingReader reader = test.reader();

    @AfterEach
    void close()
    {
        test.close();
    }

    private void offer(final int... lengths)
    {
        for (final int length : lengths)
        {
            assertThat(producer.offer(test.source, 0, length)).isPositive();
        }
    }

    private long storedPosition()
    {
        return test.membership.list().position(0);
    }

    @Test
    void takesNoMoreThanItsLimit()
    {
        offer(1, 2, 3);
        assertThat(reader.poll(IGNORE, 2)).isEqualTo(2);
        assertThat(storedPosition()).isEqualTo(64);
        assertThat(reader.poll(IGNORE, 2)).isEqualTo(1);
        assertThat(reader.poll(IGNORE, 2)).isZero();
        assertThat(reader.poll(IGNORE, 0)).isZero();
    }

    @Test
    void passesOnAHandlersExceptionWithThePositionBehindTheMessage()
    {
        offer(1, 2, 3);
        final List<Integer> seen = new ArrayList<>();
        assertThatThrownBy(() -> reader.poll(
            (buffer, offset, length, position) ->
            {
                seen.add(length);
                if (length == 2)
                {
                    throw new UnsupportedOperationException("not 2");
                }
            },
            10)).hasMessage("not 2");
        assertThat(storedPosition()).isEqualTo(64);
        assertThat(reader.isInPoll()).isFalse();
        seen.addAll(lengths(reader));
        assertThat(seen).containsExactly(1, 2, 3);
    }

    @Test
    void obeysTheActionsOfAControlledHandler()
    {
        offer(1, 2, 3, 4, 5);
        final List<Integer> seen = new ArrayList<>();
        final List<Long> stored = new ArrayList<>();
        final ControlledFrameHandler handler = (buffer, offset, length, position) ->
        {
            seen.add(length);
            stored.add(storedPosition());
            return switch (length)
            {
                case 1 -> Action.CONTINUE;
                case 2 -> Action.COMMIT;
                case 3 -> Action.BREAK;
                case 4 -> seen.contains(40) ? Action.CONTINUE : Action.ABORT;
                default -> Action.CONTINUE;
            };
        };
        assertThat(reader.controlledPoll(handler, 10)).isEqualTo(3);
        assertThat(stored).containsExactly(0L, 0L, 64L);
        assertThat(storedPosition()).isEqualTo(96);
        assertThat(reader.controlledPoll(handler, 10)).isZero();
        assertThat(storedPosition()).isEqualTo(96);
        seen.add(40);
        assertThat(reader.controlledPoll(handler, 10)).isEqualTo(2);
        assertThat(seen).containsExactly(1, 2, 3, 4, 40, 4, 5);
    }

    @Test
    void stopsABoundedPollBeforeTheBound()
    {
        offer(1, 2, 3);
        assertThat(reader.boundedPoll(IGNORE, 64, 10)).isEqualTo(2);
        assertThat(reader.boundedPoll(IGNORE, 64, 10)).isZero();
        assertThat(reader.boundedPoll(IGNORE, 65, 10)).isEqualTo(1);
    }

    @Test
    void handsOutWholeFramesByTheBlock()
    {
        offer(100, 100, 100, 1000);
        final List<String> blocks = new ArrayList<>();
        final BlockHandler handler =
            (buffer, offset, length, position) -> blocks.add(offset + "+" + length + "=" + position);
        assertThat(reader.blockPoll(handler, 300)).isEqualTo(256);
        assertThat(reader.blockPoll(handler, 300)).isEqualTo(128);
        assertThat(reader.blockPoll(handler, 300)).isEqualTo(1024);
        assertThat(reader.blockPoll(handler, 300)).isZero();
        assertThat(blocks).containsExactly("0+256=256", "256+128=384", "384+1024=1408");
        assertThat(storedPosition()).isEqualTo(1408);
    }

    @Test
    void handsOutPaddingOnlyInRawBlocks()
    {
        try (TestRing concurrent = new TestRing(RingKind.CONCURRENT, RingLayout.MIN_CAPACITY))
        {
            final ConcurrentProducer shared = concurrent.concurrentProducer(TestRing.CLIENT);
            final RingReader plain = concurrent.reader();
            final RingReader raw = concurrent.reader();
            final FrameClaim claim = new FrameClaim();
            for (int i = 0; i < 2; i++)
            {
                shared.tryClaim(100, claim);
                claim.abort();
                shared.offer(concurrent.source, 0, 48);
            }
            final List<Integer> blocks = new ArrayList<>();
            final BlockHandler handler = (buffer, offset, length, position) -> blocks.add(length);
            assertThat(plain.blockPoll(handler, 1000)).isEqualTo(64);
            assertThat(plain.blockPoll(handler, 1000)).isEqualTo(64);
            assertThat(raw.rawPoll(handler, 1000)).isEqualTo(384);
            assertThat(blocks).containsExactly(64, 64, 384);
            raw.rewindTo(128);
            assertThat(raw.rawPoll(handler, 100)).isEqualTo(64);
            assertThat(raw.position()).isEqualTo(192);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 15, 8193, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void refusesALengthThatCannotBeOne(final int length)
    {
        offer(1);
        test.ring.memory().putInt(test.ring.addressOf(32), length);
        final List<Integer> seen = new ArrayList<>();
        assertThatThrownBy(() -> reader.poll((buffer, offset, size, position) -> seen.add(size), 10))
            .isInstanceOf(CorruptRingException.class).hasMessageContaining("position 32");
        assertThat(seen).containsExactly(1);
        assertThat(storedPosition()).isEqualTo(32);
        assertThatThrownBy(() -> reader.controlledPoll((buffer, offset, size, position) -> Action.CONTINUE, 10))
            .isInstanceOf(CorruptRingException.class);
        assertThatThrownBy(() -> reader.blockPoll((buffer, offset, size, position) -> { }, 1000))
            .isInstanceOf(CorruptRingException.class);
    }

    @Test
    void refusesAFrameOfAnUnknownKind()
    {
        offer(1, 2);
        test.ring.memory().putInt(test.ring.addressOf(32) + FrameHeader.KIND_OFFSET, 0x7777_7777);
        assertThatThrownBy(() -> reader.poll(IGNORE, 10)).isInstanceOf(CorruptRingException.class);
        assertThat(storedPosition()).isEqualTo(32);
    }

    @Test
    void readsAnImageOnlyUpToTheReceivedPosition()
    {
        try (TestRing image = new TestRing(RingKind.IMAGE, RingLayout.MIN_CAPACITY))
        {
            final RingMemory memory = image.ring.memory();
            final RingReader imageReader = image.reader();
            for (int i = 0; i < 3; i++)
            {
                final long frame = image.ring.addressOf(i * 32L);
                memory.putInt(frame + FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);
                memory.putInt(frame, FrameHeader.HEADER_LENGTH + i + 1);
            }
            assertThat(imageReader.isReady()).isFalse();
            assertThat(lengths(imageReader)).isEmpty();
            memory.putLongRelease(image.ring.headerAddress() + RingLayout.RECEIVED_OFFSET, 64);
            assertThat(imageReader.isReady()).isTrue();
            assertThat(lengths(imageReader)).containsExactly(1, 2);
            assertThat(image.membership.list().position(0)).isEqualTo(64);
        }
    }

    @Test
    void refusesAFrameOfAnImageThatReachesOverTheReceivedPosition()
    {
        try (TestRing image = new TestRing(RingKind.IMAGE, RingLayout.MIN_CAPACITY))
        {
            final RingMemory memory = image.ring.memory();
            final RingReader imageReader = image.reader();
            final long frame = image.ring.addressOf(0);
            memory.putInt(frame + FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);
            memory.putInt(frame, 100);
            memory.putLongRelease(image.ring.headerAddress() + RingLayout.RECEIVED_OFFSET, 64);
            assertThatThrownBy(() -> imageReader.poll(IGNORE, 1)).isInstanceOf(CorruptRingException.class);
            memory.putInt(frame, 0);
            assertThatThrownBy(() -> imageReader.poll(IGNORE, 1)).isInstanceOf(CorruptRingException.class);
        }
    }

    @Test
    void isAtTheEndOfTheStreamWhenItHasConsumedAllBeforeIt()
    {
        offer(1, 2);
        assertThat(reader.isEndOfStream()).isFalse();
        test.ring.endStreamAt(test.membership.finalPosition());
        assertThat(reader.isEndOfStream()).isFalse();
        lengths(reader);
        assertThat(reader.isEndOfStream()).isTrue();
    }

    @Test
    void takesNothingMoreOnceItIsClosed()
    {
        offer(1, 2);
        reader.poll(IGNORE, 1);
        reader.close();
        assertThat(reader.poll(IGNORE, 1)).isZero();
        assertThat(reader.isInPoll()).isFalse();
        assertThat(reader.isReady()).isTrue();
        assertThat(storedPosition()).isEqualTo(32);
    }

    @Test
    void acknowledgesAClosedRing()
    {
        offer(1, 2);
        test.ring.close();
        assertThat(reader.poll(IGNORE, 1)).isZero();
        assertThat(test.ring.isAcknowledged()).isTrue();
    }

    @Test
    void touchesNothingOnceItHasSeenTheRingClosed()
    {
        final UnsafeBuffer[] kept = new UnsafeBuffer[1];
        offer(1, 2);
        reader.poll((buffer, offset, length, position) -> kept[0] = buffer, 1);
        test.ring.close();
        reader.poll(IGNORE, 1);
        assertThat(producer.offer(test.source, 0, 1)).isEqualTo(Ring.CLOSED);
        test.ring.free();
        assertThat(reader.poll(IGNORE, 1)).isZero();
        assertThat(reader.controlledPoll((buffer, offset, length, position) -> Action.CONTINUE, 1)).isZero();
        assertThat(reader.rawPoll((buffer, offset, length, position) -> { }, 1)).isZero();
        assertThat(reader.isReady()).isTrue();
        assertThat(reader.isEndOfStream()).isFalse();
        assertThat(producer.offer(test.source, 0, 1)).isEqualTo(Ring.CLOSED);
        assertThat(producer.tryClaim(1, new FrameClaim())).isEqualTo(Ring.CLOSED);
        assertThat(producer.isConnected()).isFalse();
        assertThatThrownBy(() -> kept[0].getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void endsAPollInWhoseHandlerTheRingIsClosed()
    {
        offer(1, 2, 3);
        final List<Integer> seen = new ArrayList<>();
        reader.poll(
            (buffer, offset, length, position) ->
            {
                seen.add(length);
                test.ring.close();
            },
            10);
        assertThat(seen).containsExactly(1);
    }

    @Test
    void isNotDroppedWhileItIsInItsHandler()
    {
        offer(1, 2, 3);
        final List<Integer> seen = new ArrayList<>();
        reader.poll(
            (buffer, offset, length, position) ->
            {
                seen.add(length);
                test.membership.requestDrop(0);
                assertThat(test.membership.tryDrop(0)).isFalse();
            },
            2);
        assertThat(storedPosition()).isEqualTo(64);
        assertThat(reader.isDropped()).isFalse();
        assertThat(test.membership.tryDrop(0)).isTrue();
        assertThat(storedPosition()).isEqualTo(RingLayout.FREE);
        seen.addAll(lengths(reader));
        assertThat(seen).containsExactly(1, 2);
        assertThat(reader.isDropped()).isTrue();
        assertThat(producer.offer(test.source, 0, 1)).isEqualTo(Ring.NOT_CONNECTED);
        assertThat(test.join()).as("its entry is not reused before it has left").isEqualTo(1);
        test.membership.leave(0);
        assertThat(test.join()).isZero();
    }
}

package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import io.gannet.rdma.ConnectionManager;

class WireFormatsTest
{
    private static final SetupRequest REQUEST = new SetupRequest(
        SetupRequest.VERSION, true, -7, 0x8000_0001, 1 << 24, 0xFFFF_FFF0, Long.MIN_VALUE + 5);

    private static MutableDirectBuffer padded(final DirectBuffer data, final int length)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        buffer.putBytes(0, data, 0, data.capacity());
        return buffer;
    }

    @Test
    void requestFitsAndSurvivesZeroPadding()
    {
        assertThat(REQUEST.encode().capacity()).isLessThanOrEqualTo(ConnectionManager.MAX_CONNECT_PRIVATE_DATA);
        assertThat(SetupRequest.decode(padded(REQUEST.encode(), 56))).isEqualTo(REQUEST);
    }

    @Test
    void replySurvivesZeroPadding()
    {
        final SetupReply reply = new SetupReply(9, -1, 512, Long.MIN_VALUE, 1L << 40);
        assertThat(SetupReply.decode(padded(reply.encode(), 196), 9)).isEqualTo(reply);
        assertThatThrownBy(() -> SetupReply.decode(reply.encode(), 8)).isInstanceOf(SetupException.class);
    }

    @Test
    void refusalSurvivesZeroPadding()
    {
        assertThat(SetupRefusal.decode(padded(SetupRefusal.encode(SetupRefusal.NOT_READY, 7), 148), 7))
            .isEqualTo(SetupRefusal.NOT_READY);
        assertThat(SetupRefusal.decode(SetupRefusal.encode(SetupRefusal.VERSION, SetupRefusal.ANY), 7))
            .isEqualTo(SetupRefusal.VERSION);
        assertThat(SetupRefusal.decode(SetupRefusal.encode(SetupRefusal.NO_SUCH_IMAGE, 6), 7))
            .isEqualTo(SetupRefusal.UNKNOWN);
        assertThat(SetupRefusal.decode(new UnsafeBuffer(new byte[148]), 7)).isEqualTo(SetupRefusal.UNKNOWN);
        assertThat(SetupRefusal.decode(new UnsafeBuffer(new byte[0]), 7)).isEqualTo(SetupRefusal.UNKNOWN);
    }

    @Test
    void otherVersionIsRefusedWithBothNamed()
    {
        final MutableDirectBuffer data = padded(REQUEST.encode(), 56);
        data.putShort(4, (short) 77);
        assertThatThrownBy(() -> SetupRequest.decode(data))
            .isInstanceOfSatisfying(
                SetupException.class, ex -> assertThat(ex.refusal()).isEqualTo(SetupRefusal.VERSION))
            .hasMessageContaining("77").hasMessageContaining("speaks 1");
    }

    @Test
    void noBytesWhateverMakeADecoderThrowAnythingElse()
    {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++)
        {
            final byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            final UnsafeBuffer data = new UnsafeBuffer(bytes);
            if (random.nextBoolean() && bytes.length >= SetupRequest.LENGTH)
            {
                data.putBytes(0, REQUEST.encode(), 0, 4 + random.nextInt(SetupRequest.LENGTH - 4));
            }
            decode(data);
        }
    }

    private static void decode(final UnsafeBuffer data)
    {
        try
        {
            assertThat(SetupRequest.decode(data).capacity()).isBetween(64 * 1024, 512 * 1024 * 1024);
        }
        catch (final SetupException expected)
        {
            assertThat(expected.refusal()).isNotEqualTo(SetupRefusal.UNKNOWN);
        }
        try
        {
            SetupReply.decode(data, 0);
        }
        catch (final SetupException expected)
        {
            assertThat(expected.refusal()).isNotEqualTo(SetupRefusal.UNKNOWN);
        }
        SetupRefusal.decode(data, 7);
    }

    @Test
    void controlMessageCarriesItsFields()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ControlMessage.LENGTH]);
        ControlMessage.putStart(buffer, 3, 1L << 50, -2, 77);
        assertThat(ControlMessage.type(buffer)).isEqualTo(ControlMessage.START);
        assertThat(ControlMessage.generation(buffer)).isEqualTo(3);
        assertThat(ControlMessage.position(buffer)).isEqualTo(1L << 50);
        assertThat(ControlMessage.cellAddress(buffer)).isEqualTo(-2);
        assertThat(ControlMessage.cellRkey(buffer)).isEqualTo(77);
        ControlMessage.putEndOfStream(buffer, 4, 64);
        assertThat(ControlMessage.type(buffer)).isEqualTo(ControlMessage.END_OF_STREAM);
        assertThat(ControlMessage.position(buffer)).isEqualTo(64);
        assertThat(ControlMessage.cellAddress(buffer)).isZero();
    }

    @Test
    void workIdTellsItsConnectionFromAllOthers()
    {
        final long base = WorkId.base(0xFFFF, 0x1_8001);
        final long wrId = WorkId.of(base, -1);
        assertThat(WorkId.index(wrId)).isEqualTo(0xFFFF);
        assertThat(WorkId.sequence(wrId)).isEqualTo(-1);
        assertThat(WorkId.isOf(wrId, base)).isTrue();
        assertThat(WorkId.isOf(wrId, WorkId.base(0xFFFF, 0x8002))).isFalse();
        assertThat(WorkId.isOf(wrId, WorkId.base(0xFFFE, 0x8001))).isFalse();
    }

    @Test
    void immediateTellsTheAdvanceFromAnyPosition()
    {
        final SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 100_000; i++)
        {
            final long position = random.nextLong(1L << 62) & -32L;
            final long advance = random.nextLong(1L << 30) & -32L;
            assertThat(ImmPosition.advance(position, ImmPosition.of(position + advance))).isEqualTo(advance);
        }
        assertThat(ImmPosition.advance(64, ImmPosition.of(32))).as("backwards is far ahead").isEqualTo((1L << 37) - 32);
    }
}

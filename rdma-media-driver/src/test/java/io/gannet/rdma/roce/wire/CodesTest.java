package io.gannet.rdma.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CodesTest
{
    @Test
    void sequenceNumbersExtendToTheNearestOnBothSidesOfAWrap()
    {
        final long reference = 0x5_00ff_fff0L;
        assertThat(Psn.extend(reference, 0xff_fff0)).isEqualTo(reference);
        assertThat(Psn.extend(reference, 0x00_0010)).isEqualTo(reference + 0x20);
        assertThat(Psn.extend(reference, 0xff_ffe0)).isEqualTo(reference - 0x10);
        assertThat(Psn.extend(reference, 0x7f_ffef)).isEqualTo(reference + 0x7f_ffff);
        assertThat(Psn.extend(reference, 0x7f_fff0)).isEqualTo(reference - 0x80_0000);
        assertThat(Psn.onWire(reference + 0x20)).isEqualTo(0x10);
    }

    @Test
    void creditCodesRoundDown()
    {
        assertThat(CreditCode.credits(5)).isEqualTo(6);
        assertThat(CreditCode.credits(30)).isEqualTo(32_768);
        for (int code = 0; code < CreditCode.NONE; code++)
        {
            assertThat(CreditCode.codeFor(CreditCode.credits(code))).isEqualTo(code);
            if (code > 3)
            {
                assertThat(CreditCode.codeFor(CreditCode.credits(code) - 1)).isEqualTo(code - 1);
            }
        }
        assertThat(CreditCode.codeFor(1 << 20)).isEqualTo(30);
    }

    @Test
    void timerCodesAreThoseOfTheSpecification()
    {
        assertThat(RnrTimer.nanos(0)).isEqualTo(655_360_000L);
        assertThat(RnrTimer.nanos(1)).isEqualTo(10_000L);
        assertThat(RnrTimer.nanos(12)).isEqualTo(640_000L);
        assertThat(RnrTimer.nanos(31)).isEqualTo(491_520_000L);
        assertThat(AckTimeout.nanos(14)).isEqualTo(67_108_864L);
        assertThat(AckTimeout.nanos(0)).isEqualTo(8_192L);
    }

    @Test
    void corruptionHasNoIpIdThatExplainsIt()
    {
        final Random random = new Random(4711);
        final Icrc icrc = new Icrc();
        int explained = 0;
        for (int i = 0; i < 20_000; i++)
        {
            final int length = Packets.MIN_SIZE + 4 * random.nextInt((Packets.MAX_SIZE - Packets.MIN_SIZE) / 4 + 1);
            final ByteBuffer bytes = ByteBuffer.allocateDirect(length);
            final UnsafeBuffer packet = new UnsafeBuffer(bytes);
            for (int at = 0; at < length; at += 4)
            {
                packet.putInt(at, random.nextInt());
            }
            icrc.ipv4(random.nextInt(), random.nextInt(), random.nextInt(65_536));
            final int id = random.nextInt(65_536);
            icrc.append(packet, bytes, 0, length, id);
            assertThat(icrc.verify(packet, bytes, 0, length)).isEqualTo(id);

            int at = random.nextInt(length);
            at = at == Bth.CONGESTION ? 0 : at;
            packet.putByte(at, (byte) (packet.getByte(at) ^ 1 << random.nextInt(8)));
            explained += icrc.verify(packet, bytes, 0, length) == Icrc.WRONG ? 0 : 1;
        }
        // one bit never looks like an id: any difference of two ids is longer than a byte's
        assertThat(explained).isZero();
    }

    @Test
    void theIcrcMatchesAKernelPeersOverIpv4AndIpv6()
    {
        final Icrc icrc = new Icrc();
        icrc.ipv4(0x0a090901, 0x0a090902, 0xf156);
        check(icrc, 0xcc4f, "0b30ffff0000001280309ba200007fc54745d0000000023f00000001112200010000000023aaf433");
        icrc.ipv6(new Gid(0xfd00_0009_0000_0000L, 1), new Gid(0xfd00_0009_0000_0000L, 2), 0xe59b);
        check(icrc, 0, "0b30ffff0000001280516c1000007fe22bd560000000032a0000000111220001000000000576a117");
    }

    private static void check(final Icrc icrc, final int expectedId, final String hex)
    {
        final byte[] packet = HexFormat.of().parseHex(hex);
        final ByteBuffer bytes = ByteBuffer.allocateDirect(packet.length).put(0, packet);
        assertThat(icrc.verify(new UnsafeBuffer(bytes), bytes, 0, packet.length)).isEqualTo(expectedId);
    }

    @Test
    void gidsOfIpv4AddressesAreMapped()
    {
        final Gid gid = Gid.ofIpv4(0x0a090901);
        assertThat(gid.isIpv4()).isTrue();
        assertThat(gid.toString()).isEqualTo("10.9.9.1");
        assertThat(Gid.of(gid.toInetAddress())).isEqualTo(gid);
        final Gid six = new Gid(0xfd00_0009_0000_0000L, 1);
        assertThat(Gid.of(six.toInetAddress())).isEqualTo(six);
        assertThat(six.isIpv4()).isFalse();
    }
}

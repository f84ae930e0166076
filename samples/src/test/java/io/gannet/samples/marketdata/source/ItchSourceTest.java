package io.gannet.samples.marketdata.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ItchSourceTest
{
    private static final List<String> EXPECTED = List.of(
        "STATUS ABC 0 NONE none 0 TRADING",
        "ADD ABC 1 BID 10500000000 100 end",
        "ADD ABC 2 OFFER 10600000000 50 end",
        "TRADE ABC 0 OFFER 10500000000 30",
        "FILL ABC 1 BID 10500000000 30",
        "CANCEL ABC 1 BID 10500000000 30 end",
        "TRADE ABC 0 BID 10590000000 20",
        "FILL ABC 2 OFFER 10590000000 20",
        "CANCEL ABC 2 OFFER 10600000000 20 end",
        "CANCEL ABC 1 BID 10500000000 10 end",
        "CANCEL ABC 1 BID 10500000000 60",
        "ADD ABC 3 BID 10510000000 70 end",
        "CANCEL ABC 3 BID 10510000000 70 end",
        "TRADE ABC 0 NONE 10550000000 5 end",
        "TRADE ABC 0 NONE 10540000000 900 end");

    @TempDir
    private Path directory;

    @Test
    void readsALengthPrefixedFileRawAndCompressed() throws IOException
    {
        final byte[] file = plain();
        assertThat(read(file)).isEqualTo(EXPECTED);
        final ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped))
        {
            gzip.write(file);
        }
        assertThat(read(zipped.toByteArray())).isEqualTo(EXPECTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsMoldPacketsOfACapture(final boolean littleEndian) throws IOException
    {
        assertThat(read(capture(littleEndian, messages(), 3))).isEqualTo(EXPECTED);
    }

    @Test
    void packetsOfASecondLineArePassedOverAndLostOnesCounted() throws IOException
    {
        final List<byte[]> messages = messages();
        final FileBytes file = captureHeader(true);
        packet(file, 1, messages.subList(0, 5));
        packet(file, 1, messages.subList(0, 5));
        packet(file, 4, messages.subList(3, 8));
        packet(file, 100, messages.subList(8, messages.size()));
        final Path path = FileBytes.write(directory, "lines.pcap", file.toBytes());
        assertThat(read(file.toBytes())).isEqualTo(EXPECTED);
        try (FeedSource source = FeedFile.open(path))
        {
            final FeedEvent event = new FeedEvent();
            while (source.next(event))
            {
                assertThat(event.transactTime).isPositive();
            }
            assertThat(source.summary()).contains("91 messages lost", "7 repeated", "1 on orders from before");
        }
    }

    @Test
    void everyTruncationEndsWithOneMessageThatNamesTheOffset() throws IOException
    {
        for (final byte[] file : List.of(plain(), capture(true, messages(), 4)))
        {
            int clean = 0;
            for (int length = 1; length < file.length; length++)
            {
                try
                {
                    read(Arrays.copyOf(file, length));
                    clean++;
                }
                catch (final FeedFormatException expected)
                {
                    assertThat(expected.getMessage()).contains("at byte ");
                }
            }
            // Only cuts between two messages or packets can't be seen.
            assertThat(clean).isLessThanOrEqualTo(messages().size());
        }
    }

    @Test
    void wrongBytesAreNamedWithTheirOffset()
    {
        final byte[] plain = plain();
        assertFails(new byte[0], "at byte 0", "empty");
        assertFails(patch(plain, 2, '?'), "at byte 2", "not an ITCH 5.0 file");
        assertFails(patch(plain, 1, 13), "at byte 2", "type 'S' has 13 bytes, it must have 12");
        final byte[] capture = capture(true, messages(), 4);
        assertFails(patch(capture, 4, 9), "at byte 4", "version 9");
        assertFails(patch(capture, 20, 7), "at byte 20", "link type 7");
        assertFails(patch(capture, 24 + 8, 1), "at byte 32", "only ", "bytes of a packet were captured");
        final int mold = 24 + 16 + 42;
        assertFails(patch(capture, mold + 19, 5), "the packet ends before a message");
        assertFails(patch(capture, mold + 19, 3), "behind the last message");
        assertFails(patch(capture, mold + 20, 0x40), "at byte " + (mold + 20), "a message of 16396 bytes");
        assertFails(new byte[] {0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 0}, "pcapng", "editcap");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomDamageNeverDoesMoreThanEndTheReading(final long seed) throws IOException
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final byte[] file = seed % 2 == 0 ? plain() : capture(seed % 3 == 0, messages(), 3);
        for (int i = 0; i < 400; i++)
        {
            final byte[] damaged = file.clone();
            for (int j = 0, n = 1 + random.nextInt(4); j < n; j++)
            {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try
            {
                read(damaged);
            }
            catch (final FeedFormatException expected)
            {
                assertThat(expected.getMessage()).contains("at byte ");
            }
        }
    }

    private static List<byte[]> messages()
    {
        return List.of(
            head('S', 0).u8('O').toBytes(),
            head('R', 9).text("ABC", 8, ' ').zeros(20).toBytes(),
            head('H', 9).text("ABC", 8, ' ').u8('T').zeros(5).toBytes(),
            head('A', 9).u64(1).u8('B').u32(100).text("ABC", 8, ' ').u32(105_000).toBytes(),
            head('F', 9).u64(2).u8('S').u32(50).text("ABC", 8, ' ').u32(106_000).text("MPID", 4, ' ').toBytes(),
            head('E', 9).u64(1).u32(30).u64(77).toBytes(),
            head('C', 9).u64(2).u32(20).u64(78).u8('Y').u32(105_900).toBytes(),
            head('X', 9).u64(1).u32(10).toBytes(),
            head('D', 9).u64(999).toBytes(),
            head('U', 9).u64(1).u64(3).u32(70).u32(105_100).toBytes(),
            head('D', 9).u64(3).toBytes(),
            head('P', 9).u64(0).u8('B').u32(5).text("ABC", 8, ' ').u32(105_500).u64(79).toBytes(),
            head('Q', 9).u64(900).text("ABC", 8, ' ').u32(105_400).u64(80).u8('O').toBytes());
    }

    private static FileBytes head(final char type, final int locate)
    {
        return new FileBytes(ByteOrder.BIG_ENDIAN).u8(type).u16(locate).u16(0).u16(0x1F23).u32(0xE0981AE1L);
    }

    private static byte[] plain()
    {
        final FileBytes file = new FileBytes(ByteOrder.BIG_ENDIAN);
        messages().forEach(message -> file.u16(message.length).raw(message));
        return file.u16(0).toBytes();
    }

    private static FileBytes captureHeader(final boolean littleEndian)
    {
        return new FileBytes(littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
            .u32(0xA1B2C3D4L).u16(2).u16(4).u32(0).u32(0).u32(65_536).u32(1);
    }

    private static byte[] capture(final boolean littleEndian, final List<byte[]> messages, final int perPacket)
    {
        final FileBytes file = captureHeader(littleEndian);
        for (int i = 0; i < messages.size(); i += perPacket)
        {
            packet(file, i + 1, messages.subList(i, Math.min(i + perPacket, messages.size())));
        }
        return file.toBytes();
    }

    private static void packet(
        final FileBytes file, final long first, final List<byte[]> messages)
    {
        final FileBytes mold = new FileBytes(ByteOrder.BIG_ENDIAN).text("SESSION1", 10, ' ').u64(first)
            .u16(messages.size());
        messages.forEach(message -> mold.u16(message.length).raw(message));
        final FileBytes frame = new FileBytes(ByteOrder.BIG_ENDIAN).zeros(12).u16(0x0800)
            .u8(0x45).u8(0).u16(28 + mold.size()).u32(0).u8(64).u8(17).u16(0).u32(1).u32(2)
            .u16(1000).u16(26_477).u16(8 + mold.size()).u16(0).raw(mold.toBytes());
        file.u32(1_692_712_024L).u32(7).u32(frame.size()).u32(frame.size()).raw(frame.toBytes());
    }

    private void assertFails(final byte[] file, final String... parts)
    {
        assertThatThrownBy(() -> read(file)).isInstanceOf(FeedFormatException.class).hasMessageContainingAll(parts);
    }

    private List<String> read(final byte[] file) throws IOException
    {
        final List<String> events = new ArrayList<>();
        final FeedEvent event = new FeedEvent();
        try (FeedSource source = FeedFile.open(FileBytes.write(directory, "test.itch", file)))
        {
            while (source.next(event))
            {
                events.add(event.type + " " + source.instruments().get(event.instrument).symbol() + " " +
                    event.orderId + " " + event.side + " " +
                    (event.price == FeedEvent.NO_PRICE ? "none" : String.valueOf(event.price)) + " " +
                    event.quantity + (event.type == FeedEvent.Type.STATUS ? " " + event.status :
                        event.endOfEvent ? " end" : ""));
            }
        }
        return events;
    }

    private static byte[] patch(final byte[] bytes, final int index, final int value)
    {
        final byte[] copy = bytes.clone();
        copy[index] = (byte) value;
        return copy;
    }
}

package io.gannet.samples.marketdata.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DbnSourceTest
{
    private static final int LAST = 0x80;
    private static final int SNAPSHOT = 0x20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"1,false", "2,false", "3,false", "1,true", "3,true"})
    void readsEveryVersionRawAndCompressed(final int version, final boolean sendTime) throws IOException
    {
        final byte[] file = file(version, sendTime);
        final List<String> expected = List.of(
            "ADD ESX 7 BID 100000000000 3 t1 opening end",
            "ADD ESX 8 OFFER 101000000000 4 t2 end",
            "TRADE ESX 0 BID 101000000000 1 t3",
            "FILL ESX 8 OFFER 101000000000 1 t3",
            "MODIFY ESX 8 OFFER 101000000000 3 t3 end",
            "CANCEL ESX 7 BID 100000000000 3 t4 end",
            "CLEAR ESX 0 NONE none 0 t5 end");
        assertThat(read(file)).isEqualTo(expected);
        assertThat(read(Zstd.compress(file))).isEqualTo(expected);
    }

    @Test
    void everyTruncationEndsWithOneMessageThatNamesTheOffset() throws IOException
    {
        final byte[] file = file(2, false);
        final int header = FileBytes.dbnHeader(2, "ESX", false).length;
        for (int length = 1; length < file.length; length++)
        {
            final byte[] cut = Arrays.copyOf(file, length);
            final int records = length - header;
            if ((records >= 0 && records <= 6 * 56 && records % 56 == 0) || records == 6 * 56 + 24)
            {
                // cut between two records: six of 56 bytes, one of 24
                assertThat(read(cut)).hasSizeLessThan(8);
            }
            else
            {
                assertThatThrownBy(() -> read(cut)).as("cut at %d", length).isInstanceOf(FeedFormatException.class)
                    .hasMessageContaining("at byte ");
            }
        }
    }

    @Test
    void aCutCompressedFileIsSaidToBeCut()
    {
        final byte[] compressed = Zstd.compress(file(1, false));
        final byte[] cut = Arrays.copyOf(compressed, compressed.length - 6);
        assertThatThrownBy(() -> read(cut)).isInstanceOf(FeedFormatException.class)
            .hasMessageContaining("damaged or cut short");
    }

    @Test
    void wrongBytesAreNamedWithTheirOffset()
    {
        final byte[] header = FileBytes.dbnHeader(1, "ESX", false);
        final byte[] record = FileBytes.mbo('A', 'B', 1, 5, 1, LAST, 1);
        assertFails(patch(header, 0, 'X'), "at byte 0", "must begin with \"DBN\"");
        assertFails(patch(header, 3, 4), "at byte 3", "DBN version 4 is not supported, only 1 to 3");
        assertFails(patch(header, 7, 0x7F), "at byte 4", "the metadata's length is 213");
        assertFails(patch(header, 24, 3), "at byte 24", "schema 3 is not market by order");
        assertFails(patch(header, 8 + 52, 9), "ts_out is 9");
        assertFails(patch(header, 8 + 107, 0x11), "the metadata ends in a list of symbols");
        final int at = header.length;
        assertFails(join(header, patch(record, 0, 0)), "at byte " + at, "length is 0");
        assertFails(join(header, patch(record, 0, 13)), "at byte " + at, "length is 52, it must be 56");
        assertFails(join(header, patch(record, 38, 'Q')), "at byte " + (at + 38), "action 'Q'");
        assertFails(join(header, patch(record, 39, 0)), "at byte " + (at + 39), "side 0x0");
        assertFails(join(header, patch(record, 39, 'N')), "at byte " + (at + 39), "without a side");
        assertFails(join(header, FileBytes.mbo('A', 'B', 1, Long.MAX_VALUE, 1, LAST, 1)), "at byte " + (at + 24),
            "without a price");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomDamageNeverDoesMoreThanEndTheReading(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final byte[] file = file(1 + (int) (seed % 3), false);
        for (int i = 0; i < 300; i++)
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
            catch (final IOException other)
            {
                throw new AssertionError(other);
            }
        }
    }

    private static byte[] file(final int version, final boolean sendTime)
    {
        final FileBytes file = new FileBytes(ByteOrder.LITTLE_ENDIAN).raw(FileBytes.dbnHeader(version, "ESX",
            sendTime));
        final byte[][] records =
        {
            FileBytes.mbo('A', 'B', 7, 100_000_000_000L, 3, SNAPSHOT | 8, 1),
            FileBytes.mbo('A', 'A', 8, 101_000_000_000L, 4, LAST | 2, 2),
            FileBytes.mbo('T', 'B', 0, 101_000_000_000L, 1, 0, 3),
            FileBytes.mbo('F', 'A', 8, 101_000_000_000L, 1, 0, 3),
            FileBytes.mbo('M', 'A', 8, 101_000_000_000L, 3, LAST, 3),
            FileBytes.mbo('C', 'B', 7, 100_000_000_000L, 3, LAST, 4),
        };
        for (final byte[] record : records)
        {
            append(file, record, sendTime);
        }
        // a record of another kind, then one that clears the book
        file.u8(6).u8(23).u16(1).u32(17).u64(5).u64(0);
        append(file, FileBytes.mbo('R', 'N', 0, Long.MAX_VALUE, 0, LAST, 5), sendTime);
        return file.toBytes();
    }

    private static void append(final FileBytes file, final byte[] record, final boolean sendTime)
    {
        file.raw(sendTime ? join(patch(record, 0, 16), new byte[8]) : record);
    }

    private void assertFails(final byte[] file, final String... parts)
    {
        assertThatThrownBy(() -> read(file)).isInstanceOf(FeedFormatException.class).hasMessageContainingAll(parts);
    }

    private List<String> read(final byte[] file) throws IOException
    {
        final List<String> events = new ArrayList<>();
        final FeedEvent event = new FeedEvent();
        try (FeedSource source = DbnSource.open(FileBytes.write(directory, "test.dbn", file)))
        {
            while (source.next(event))
            {
                events.add(event.type + " " + source.instruments().get(event.instrument).symbol() + " " +
                    event.orderId + " " + event.side + " " +
                    (event.price == FeedEvent.NO_PRICE ? "none" : String.valueOf(event.price)) + " " +
                    event.quantity + " t" + event.transactTime + (event.opening ? " opening" : "") +
                    (event.endOfEvent ? " end" : ""));
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

    private static byte[] join(final byte[] first, final byte[] second)
    {
        final byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}

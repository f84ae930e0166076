package io.gannet.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * Where in a segment the positions and times of its streams are: for each stream its first block and one every 256 KiB.
 * A finished segment has it in a file of its own; for any other it is made from the block headers, as it is if that
 * file is missing or damaged. So nothing depends on the file but time. Not thread-safe.
 * <pre>
 *  0       8            16        24       32      36                40
 *  +-------+------------+---------+--------+-------+-----------------+---- entries of 40 bytes ----
 *  | magic | recording  | segment | bytes  | count | crc32c of all   | offset | session | stream |
 *  |       | id         | number  | of it  |       | but this        | from | position | time     |
 *  +-------+------------+---------+--------+-------+-----------------+-----------------------------
 * </pre>
 */
final class SegmentIndex
{
    static final int INTERVAL = 256 << 10;

    private static final long MAGIC = 0x3158_4449_434E_4E47L;
    private static final int HEADER = 40;
    private static final int ENTRY = 40;
    private static final int ID = 8;
    private static final int NUMBER = 16;
    private static final int BYTES = 24;
    private static final int COUNT = 32;
    private static final int CHECKSUM = 36;

    /**
     * A block.
     *
     * @param offset   in the file.
     * @param session  of the stream.
     * @param stream   its number.
     * @param from     position that the block continues.
     * @param position of its first frame.
     * @param time     of its first frame.
     */
    record Entry(long offset, int session, int stream, long from, long position, long time)
    {
    }

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, Long> last = new HashMap<>();

    List<Entry> entries()
    {
        return entries;
    }

    /** Takes note of a block, in the order of the file. */
    void add(final DirectBuffer buffer, final int at, final long offset)
    {
        if (Block.type(buffer, at) == Block.STATE)
        {
            return;
        }
        final int stream = Block.stream(buffer, at);
        final Long before = last.get(stream);
        if (before == null || offset - before >= INTERVAL)
        {
            last.put(stream, offset);
            entries.add(new Entry(offset, Block.session(buffer, at), stream, Block.from(buffer, at),
                Block.position(buffer, at), Block.time(buffer, at)));
        }
    }

    /** Writes the file of a finished segment; it appears whole or not at all. */
    void save(final Path directory, final SegmentHeader header, final long length) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(HEADER + ENTRY * entries.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putLong(header.recordingId()).putLong(header.number()).putLong(length)
            .putInt(entries.size()).putInt(0);
        for (final Entry entry : entries)
        {
            bytes.putLong(entry.offset).putInt(entry.session).putInt(entry.stream).putLong(entry.from)
                .putLong(entry.position).putLong(entry.time);
        }
        bytes.putInt(CHECKSUM, checksum(bytes)).clear();
        final Path temporary = SegmentFiles.temporary(directory);
        try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING))
        {
            while (bytes.hasRemaining())
            {
                file.write(bytes);
            }
        }
        Files.move(temporary, SegmentFiles.index(directory, header.number()), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads the file of a segment.
     *
     * @return null if there is none that is intact and fits the segment.
     */
    static SegmentIndex load(final Path directory, final SegmentHeader header, final long length)
    {
        final byte[] content;
        try
        {
            final Path file = SegmentFiles.index(directory, header.number());
            if (Files.size(file) > HEADER + (long) ENTRY * (length / INTERVAL + length / Block.HEADER_LENGTH))
            {
                return null;
            }
            content = Files.readAllBytes(file);
        }
        catch (final NoSuchFileException none)
        {
            return null;
        }
        catch (final IOException unreadable)
        {
            return null;
        }
        final ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (content.length < HEADER || bytes.getLong(0) != MAGIC || bytes.getLong(ID) != header.recordingId() ||
            bytes.getLong(NUMBER) != header.number() || bytes.getLong(BYTES) != length ||
            content.length != HEADER + (long) ENTRY * bytes.getInt(COUNT) || bytes.getInt(CHECKSUM) != checksum(bytes))
        {
            return null;
        }
        final SegmentIndex index = new SegmentIndex();
        bytes.position(HEADER);
        while (bytes.hasRemaining())
        {
            final Entry entry = new Entry(bytes.getLong(), bytes.getInt(), bytes.getInt(), bytes.getLong(),
                bytes.getLong(), bytes.getLong());
            index.entries.add(entry);
            index.last.put(entry.stream, entry.offset);
        }
        return index;
    }

    private static int checksum(final ByteBuffer bytes)
    {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(0, CHECKSUM));
        checksum.update(bytes.slice(HEADER, bytes.capacity() - HEADER));
        return (int) checksum.getValue();
    }
}

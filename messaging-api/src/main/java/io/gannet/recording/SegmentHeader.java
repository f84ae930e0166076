package io.gannet.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Start of a segment file, little-endian; blocks follow at 512.
 * <pre>
 *  0       8         12              16             24        32             40       44        48
 *  +-------+---------+---------------+--------------+---------+--------------+--------+---------+
 *  | magic | version | crc32c of the | recording id | segment | sequence of  | stream | channel |
 *  |       |         | rest          |              | number  | first block  | id     | bytes   |
 *  +-------+---------+---------------+--------------+---------+--------------+--------+---------+
 *   48        56 channel, UTF-8, and zeros                                                     512
 *  +---------+----------------------------------------------------------------------------------+
 *  | made at |                                                                                  |
 *  +---------+----------------------------------------------------------------------------------+
 * </pre>
 *
 * @param recordingId   the same in all segments of a recording.
 * @param number        of the segment, from 1.
 * @param firstSequence of its first block.
 * @param streamId      that is recorded.
 * @param channel       that is recorded.
 * @param time          at which it was made, ns since 1970.
 */
record SegmentHeader(long recordingId, long number, long firstSequence, int streamId, String channel, long time)
{
    static final int LENGTH = 512;
    static final int MAX_CHANNEL = 400;

    private static final long MAGIC = 0x3145_5254_434E_4E47L;
    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int CHECKSUM = 12;
    private static final int ID = 16;
    private static final int NUMBER = 24;
    private static final int FIRST_SEQUENCE = 32;
    private static final int STREAM_ID = 40;
    private static final int CHANNEL_LENGTH = 44;
    private static final int TIME = 48;
    private static final int CHANNEL = 56;

    ByteBuffer bytes()
    {
        final ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        final byte[] name = channel.getBytes(StandardCharsets.UTF_8);
        bytes.putLong(0, MAGIC).putInt(VERSION_OFFSET, VERSION).putLong(ID, recordingId).putLong(NUMBER, number)
            .putLong(FIRST_SEQUENCE, firstSequence).putInt(STREAM_ID, streamId).putInt(CHANNEL_LENGTH, name.length)
            .putLong(TIME, time).put(CHANNEL, name);
        bytes.putInt(CHECKSUM, checksum(bytes));
        return bytes.clear();
    }

    /**
     * Reads the header of a segment.
     *
     * @return null if none that is intact is there.
     * @throws RecordingException if it is one of another version.
     */
    static SegmentHeader read(final FileChannel file, final Object name) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining())
        {
            if (file.read(bytes, bytes.position()) < 0)
            {
                return null;
            }
        }
        final int version = bytes.getInt(VERSION_OFFSET);
        final int length = bytes.getInt(CHANNEL_LENGTH);
        if (bytes.getLong(0) != MAGIC)
        {
            return null;
        }
        if (bytes.getInt(CHECKSUM) != checksum(bytes) || length < 0 || length > MAX_CHANNEL)
        {
            return null;
        }
        if (version != VERSION)
        {
            throw new RecordingException(name + " is of version " + version + " of the recording's format, and this " +
                "program knows " + VERSION + ": use the release that it was recorded with");
        }
        return new SegmentHeader(bytes.getLong(ID), bytes.getLong(NUMBER), bytes.getLong(FIRST_SEQUENCE),
            bytes.getInt(STREAM_ID), StandardCharsets.UTF_8.decode(bytes.slice(CHANNEL, length)).toString(),
            bytes.getLong(TIME));
    }

    private static int checksum(final ByteBuffer bytes)
    {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(0, CHECKSUM));
        checksum.update(bytes.slice(ID, LENGTH - ID));
        return (int) checksum.getValue();
    }
}

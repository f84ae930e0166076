package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends commands to mapped files. What {@link #append} returned from survives the death of this process, as the pages
 * are the kernel's; what {@link #endOfBatch} returned from survives the machine's as well if the policy is
 * {@link Durability#MACHINE}. Each run begins a file of its own; another thread makes the next one ahead. For one
 * thread; does not allocate.
 */
public final class Journal implements AutoCloseable
{
    /** What an acknowledged command survives. */
    public enum Durability
    {
        /** The death of the process, kill -9 included. A loss of power may lose what the kernel had not yet written. */
        PROCESS,
        /** Also a crash of the machine: each batch is forced to the disk before it is matched. */
        MACHINE
    }

    /** Default size of a file. */
    public static final int SEGMENT_SIZE = 64 << 20;

    private static final int LARGEST_RECORD = 4096;

    private final int segmentSize;
    private final Durability durability;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer scratchBytes = ByteBuffer.allocateDirect(LARGEST_RECORD).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer scratch = new UnsafeBuffer(scratchBytes);
    private final SegmentSupply files;
    private Segment segment;
    private UnsafeBuffer buffer;
    private int position;
    private long sequence;
    private long durable;

    /**
     * @param directory     exists.
     * @param lastSequence  of what is there already.
     * @param segmentSize   bytes of a file, at least 64 KiB.
     * @param configuration of the engine, see {@link io.gannet.samples.orderflow.matching.MatchingEngine}.
     */
    public Journal(
        final Path directory, final long lastSequence, final int segmentSize, final Durability durability,
        final long configuration)
        throws IOException
    {
        if (segmentSize < 1 << 16)
        {
            throw new IllegalArgumentException("a journal's segment size is " + segmentSize + ", it must be " +
                (1 << 16) + " or more");
        }
        this.segmentSize = segmentSize;
        this.durability = durability;
        sequence = lastSequence;
        durable = lastSequence;
        // A run that took nothing left a file for the same sequence.
        Files.deleteIfExists(JournalLayout.segment(directory, sequence + 1));
        files = new SegmentSupply(directory, segmentSize, durability == Durability.MACHINE,
            configuration);
        try
        {
            open();
        }
        catch (final IOException failure)
        {
            files.close();
            throw failure;
        }
    }

    /** Makes good what a run left undone that died while it began a file; to be called before its journal is read. */
    public static void repair(final Path directory) throws IOException
    {
        SegmentSupply.nameBegun(directory);
    }

    private void open() throws IOException
    {
        segment = files.take(segment, sequence + 1);
        buffer = segment.buffer();
        position = JournalLayout.SEGMENT_HEADER;
    }

    /**
     * Appends a command.
     *
     * @return its sequence number.
     * @throws IOException if a new file was needed and could not be made; the journal is then unusable.
     */
    public long append(final long time, final DirectBuffer command, final int offset, final int length)
        throws IOException
    {
        final int total = BitUtil.align(JournalLayout.COMMAND + length, 8);
        if (length < 0 || total > LARGEST_RECORD)
        {
            throw new IllegalArgumentException("a command of " + length + " bytes; at most " +
                (LARGEST_RECORD - JournalLayout.COMMAND) + " are possible");
        }
        if (total > segmentSize - position)
        {
            roll();
        }
        final long number = sequence + 1;
        scratch.putLong(total - 8, 0);
        scratch.putLong(JournalLayout.SEQUENCE, number, ByteOrder.LITTLE_ENDIAN);
        scratch.putLong(JournalLayout.TIME, time, ByteOrder.LITTLE_ENDIAN);
        scratch.putInt(JournalLayout.COMMAND_LENGTH, length, ByteOrder.LITTLE_ENDIAN);
        scratch.putInt(JournalLayout.RESERVED, 0);
        scratch.putBytes(JournalLayout.COMMAND, command, offset, length);
        checksum.reset();
        checksum.update(scratchBytes.limit(total).position(JournalLayout.SEQUENCE));
        scratchBytes.clear();
        scratch.putInt(JournalLayout.CHECKSUM, (int) checksum.getValue(), ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(position + 4, scratch, 4, total - 4);
        // Last, so that a process that dies before leaves nothing; a machine's crash is found by the checksum.
        buffer.putIntRelease(position, total);
        position += total;
        sequence = number;
        return number;
    }

    private void roll() throws IOException
    {
        if (durability == Durability.MACHINE)
        {
            segment.force();
        }
        open();
    }

    /** Nothing more is at hand: makes durable what was appended, as the policy says. */
    public void endOfBatch()
    {
        if (durable != sequence && durability == Durability.MACHINE)
        {
            segment.force();
        }
        durable = sequence;
    }

    /** Number of the last command that is as durable as the policy says. */
    public long durable()
    {
        return durable;
    }

    /** Number of the last command. */
    public long sequence()
    {
        return sequence;
    }

    @Override
    public void close()
    {
        segment.force();
        files.close();
        segment.close();
    }
}

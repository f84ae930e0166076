package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends commands to mapped files. What {@link #append} returned from survives the death of this process, as the pages
 * are the kernel's; what {@link #endOfBatch} returned from survives the machine's as well if the policy is
 * {@link Durability#MACHINE}. Each run begins a file of its own; the next file is made ahead by another thread. For one
 * thread; does not allocate, but for a new file.
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
    private static final String SPARE = "next.tmp";

    private final Path directory;
    private final int segmentSize;
    private final Durability durability;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer scratchBytes = ByteBuffer.allocateDirect(LARGEST_RECORD).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer scratch = new UnsafeBuffer(scratchBytes);
    private final ExecutorService maker = Executors.newSingleThreadExecutor(task ->
    {
        final Thread thread = new Thread(task, "journal-files");
        thread.setDaemon(true);
        return thread;
    });
    private CompletableFuture<Segment> spare;
    private Segment segment;
    private UnsafeBuffer buffer;
    private int position;
    private long sequence;
    private boolean dirty;

    /**
     * @param directory    exists.
     * @param lastSequence of what is there already.
     * @param segmentSize  bytes of a file, at least 64 KiB.
     */
    public Journal(
        final Path directory, final long lastSequence, final int segmentSize, final Durability durability)
        throws IOException
    {
        if (segmentSize < 1 << 16)
        {
            throw new IllegalArgumentException("a journal's segment size is " + segmentSize + ", it must be " +
                (1 << 16) + " or more");
        }
        this.directory = directory;
        this.segmentSize = segmentSize;
        this.durability = durability;
        sequence = lastSequence;
        // A run that took nothing left a file for the same sequence.
        Files.deleteIfExists(JournalLayout.segment(directory, sequence + 1));
        prepare();
        open();
    }

    private void prepare()
    {
        spare = CompletableFuture.supplyAsync(() ->
        {
            try
            {
                return new Segment(directory.resolve(SPARE), segmentSize);
            }
            catch (final IOException failure)
            {
                throw new CompletionException(failure);
            }
        }, maker);
    }

    private void open() throws IOException
    {
        try
        {
            if (spare.isCompletedExceptionally())
            {
                // There may be room again.
                prepare();
            }
            segment = spare.join();
            segment.rename(JournalLayout.segment(directory, sequence + 1));
        }
        catch (final CompletionException failure)
        {
            throw failure.getCause() instanceof final IOException cause ? cause : new IOException(failure);
        }
        buffer = segment.buffer();
        buffer.putLong(JournalLayout.FIRST_SEQUENCE, sequence + 1, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(0, JournalLayout.MAGIC, ByteOrder.LITTLE_ENDIAN);
        position = JournalLayout.SEGMENT_HEADER;
        prepare();
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
        dirty = true;
        return number;
    }

    private void roll() throws IOException
    {
        if (durability == Durability.MACHINE)
        {
            segment.force();
        }
        segment.close();
        open();
    }

    /** Nothing more is at hand: makes durable what was appended, as the policy says. */
    public void endOfBatch()
    {
        if (dirty && durability == Durability.MACHINE)
        {
            segment.force();
        }
        dirty = false;
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
        segment.close();
        try
        {
            final Segment unused = spare.join();
            unused.close();
            Files.deleteIfExists(unused.file());
        }
        catch (final CompletionException | IOException failure)
        {
            // It was not needed.
            return;
        }
        finally
        {
            maker.shutdown();
        }
    }
}

package io.gannet.samples.orderflow.journal;

import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.StateReader;
import io.gannet.samples.orderflow.matching.StateWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * An engine's state beside its journal: magic, sequence of the last command in it, checksum, length, state. A recovery
 * reads the newest that is intact and the commands behind it.
 */
public final class Snapshots
{
    private static final long MAGIC = 0x474E_5453_4E41_5031L;
    private static final int HEADER = 32;

    private Snapshots()
    {
    }

    /** Writes a snapshot; it appears whole or not at all. */
    public static void write(final Path directory, final long sequence, final MatchingEngine engine) throws IOException
    {
        final ByteArrayOutputStream state = new ByteArrayOutputStream(1 << 16);
        engine.save(new StateWriter(state));
        final byte[] bytes = state.toByteArray();
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        final ByteBuffer file = ByteBuffer.allocate(HEADER + bytes.length);
        file.putLong(MAGIC).putLong(sequence).putLong(checksum.getValue()).putLong(bytes.length).put(bytes).flip();
        final Path temporary = directory.resolve("snapshot.tmp");
        try (FileChannel _ = lock(directory))
        {
            write(temporary, file);
            Files.move(temporary, JournalLayout.snapshot(directory, sequence), StandardCopyOption.ATOMIC_MOVE);
            // Before the files go that it makes unnecessary.
            SegmentSupply.force(directory);
        }
    }

    private static void write(final Path temporary, final ByteBuffer file) throws IOException
    {
        final int size = file.remaining();
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE))
        {
            while (file.hasRemaining())
            {
                channel.write(file);
            }
            channel.force(true);
        }
        catch (final IOException failure)
        {
            Files.deleteIfExists(temporary);
            throw new IOException("a snapshot needs " + size + " bytes for " + temporary + ": " +
                failure.getMessage() + ". Free space", failure);
        }
    }

    /** One process at a time writes a snapshot or removes what it makes unnecessary; released by a close. */
    private static FileChannel lock(final Path directory) throws IOException
    {
        final FileChannel file = FileChannel.open(directory.resolve("snapshot.lock"), StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
        try
        {
            file.lock();
            return file;
        }
        catch (final IOException | OverlappingFileLockException failure)
        {
            file.close();
            throw new IOException("another snapshot of " + directory + " is being written", failure);
        }
    }

    /**
     * Reads the newest intact snapshot into a new engine.
     *
     * @return sequence of the last command in it; 0 if there is none.
     * @throws JournalException if it is another engine's, or those that are damaged can't be done without.
     */
    public static long load(final Path directory, final MatchingEngine engine) throws IOException
    {
        Path damaged = null;
        for (final long sequence : JournalLayout.snapshots(directory).reversed())
        {
            final Path path = JournalLayout.snapshot(directory, sequence);
            final byte[] state = state(path, sequence);
            if (state != null)
            {
                load(path, state, engine);
                return sequence;
            }
            damaged = damaged == null ? path : damaged;
        }
        if (damaged != null && isBegunLater(directory))
        {
            throw new JournalException(damaged + " is damaged, and the journal has no longer what was before it. " +
                "Restore the file from a copy");
        }
        return 0;
    }

    private static boolean isBegunLater(final Path directory) throws IOException
    {
        final List<Long> segments = JournalLayout.segments(directory);
        return segments.isEmpty() || segments.getFirst() > 1;
    }

    private static void load(final Path path, final byte[] state, final MatchingEngine engine) throws JournalException
    {
        try
        {
            engine.load(new StateReader(new ByteArrayInputStream(state)));
        }
        catch (final IllegalStateException unfit)
        {
            throw new JournalException(path + ": " + unfit.getMessage());
        }
    }

    private static byte[] state(final Path path, final long sequence) throws IOException
    {
        final ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(path));
        if (file.capacity() < HEADER || file.getLong() != MAGIC || file.getLong() != sequence)
        {
            return null;
        }
        final long checksum = file.getLong();
        if (file.getLong() != file.remaining())
        {
            return null;
        }
        final byte[] state = new byte[file.remaining()];
        file.get(state);
        final CRC32C found = new CRC32C();
        found.update(state);
        return found.getValue() == checksum ? state : null;
    }

    /** Removes segments and snapshots that a recovery from the newest snapshot, if it is intact, does not read. */
    public static int prune(final Path directory) throws IOException
    {
        try (FileChannel _ = lock(directory))
        {
            final List<Long> snapshots = JournalLayout.snapshots(directory);
            return snapshots.isEmpty() || state(JournalLayout.snapshot(directory, snapshots.getLast()),
                snapshots.getLast()) == null ? 0 : prune(directory, snapshots);
        }
    }

    private static int prune(final Path directory, final List<Long> snapshots) throws IOException
    {
        int removed = 0;
        for (final long sequence : snapshots.subList(0, snapshots.size() - 1))
        {
            Files.delete(JournalLayout.snapshot(directory, sequence));
            removed++;
        }
        final List<Long> segments = JournalLayout.segments(directory);
        for (int i = 0; i + 1 < segments.size(); i++)
        {
            if (segments.get(i + 1) <= snapshots.getLast() + 1)
            {
                Files.delete(JournalLayout.segment(directory, segments.get(i)));
                removed++;
            }
        }
        return removed;
    }
}

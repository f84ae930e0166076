package io.gannet.samples.orderflow.journal;

import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.StateReader;
import io.gannet.samples.orderflow.matching.StateWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE))
        {
            while (file.hasRemaining())
            {
                channel.write(file);
            }
            channel.force(true);
        }
        Files.move(temporary, JournalLayout.snapshot(directory, sequence), StandardCopyOption.ATOMIC_MOVE);
        // Before the files go that it makes unnecessary.
        SegmentSupply.force(directory);
    }

    /**
     * Reads the newest intact snapshot into a new engine.
     *
     * @return sequence of the last command in it; 0 if there is none.
     */
    public static long load(final Path directory, final MatchingEngine engine) throws IOException
    {
        final List<Long> all = JournalLayout.snapshots(directory);
        for (final long sequence : all.reversed())
        {
            final byte[] state = state(JournalLayout.snapshot(directory, sequence), sequence);
            if (state != null)
            {
                engine.load(new StateReader(new ByteArrayInputStream(state)));
                return sequence;
            }
        }
        return 0;
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

    /** Removes segments and snapshots that a recovery from the newest snapshot does not read. */
    public static int prune(final Path directory) throws IOException
    {
        final List<Long> snapshots = JournalLayout.snapshots(directory);
        if (snapshots.isEmpty())
        {
            return 0;
        }
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

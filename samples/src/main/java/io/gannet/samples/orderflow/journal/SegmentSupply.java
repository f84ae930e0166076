package io.gannet.samples.orderflow.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the journal's next file ahead, gives a file that was begun its name, and closes the one before it, all on a
 * thread of its own: whoever appends only takes a file that is ready, without allocation or a system call. Until a file
 * has its name, what is in it is told apart by its header: {@link #nameBegun}.
 */
final class SegmentSupply implements AutoCloseable
{
    private static final String SPARE = "next.tmp";
    private static final int CHUNK = 1 << 20;
    private static final long LOOK_NANOS = 20_000;

    private final Path directory;
    private final int size;
    private final boolean durable;
    private final long configuration;
    private final ByteBuffer zeros;
    private final Thread maker = new Thread(this::run, "journal-files");
    /** Set by the maker while null, cleared by the taker else; orders the fields below. */
    private volatile Segment spare;
    /** Set by the maker while null, cleared by the taker to have it try again. */
    private volatile IOException failure;
    private volatile boolean closed;
    /** The taker has done with it. */
    private Segment retired;

    /**
     * @param durable       names and files are to survive the machine: directories are forced to the disk.
     * @param configuration of the engine.
     */
    SegmentSupply(final Path directory, final int size, final boolean durable, final long configuration)
        throws IOException
    {
        this.configuration = configuration;
        this.directory = directory;
        this.size = size;
        this.durable = durable;
        zeros = ByteBuffer.allocateDirect(Math.min(CHUNK, size));
        if (durable)
        {
            force(directory.toAbsolutePath().getParent());
            force(directory);
        }
        maker.setDaemon(true);
        maker.start();
    }

    /** Gives the file that an earlier run began, and died before it had named it, its name; for a journal at rest. */
    static void nameBegun(final Path directory) throws IOException
    {
        final Path file = directory.resolve(SPARE);
        if (!Files.exists(file))
        {
            return;
        }
        final ByteBuffer header = ByteBuffer.allocate(JournalLayout.SEGMENT_HEADER).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            while (header.hasRemaining() && channel.read(header) >= 0)
            {
                Thread.onSpinWait();
            }
        }
        if (!header.hasRemaining() && header.getLong(0) == JournalLayout.MAGIC)
        {
            Files.move(file, JournalLayout.segment(directory, header.getLong(JournalLayout.FIRST_SEQUENCE)));
        }
    }

    /**
     * Begins the next file.
     *
     * @param old to close, or null.
     * @throws IOException if it could not be made, now or when it was made ahead.
     */
    Segment take(final Segment old, final long firstSequence) throws IOException
    {
        boolean mayRetry = true;
        Segment next = spare;
        while (next == null)
        {
            final IOException problem = failure;
            if (problem != null)
            {
                if (!mayRetry)
                {
                    throw problem;
                }
                // There may be room again.
                mayRetry = false;
                failure = null;
                LockSupport.unpark(maker);
            }
            else if (!maker.isAlive())
            {
                throw new IOException("the journal's thread that makes files in " + directory + " has ended");
            }
            LockSupport.parkNanos(LOOK_NANOS);
            next = spare;        // acquire: pairs with the maker's release in work()
        }
        next.begin(firstSequence, configuration);
        retired = old;
        spare = null;        // release: the maker sees what was begun and what is retired
        LockSupport.unpark(maker);
        return next;
    }

    private void run()
    {
        Segment begun = null;
        while (true)
        {
            // Before the look at what is to be done: what was taken before a close gets its name.
            final boolean last = closed;
            if (spare == null && failure == null)
            {
                try
                {
                    begun = work(begun, last);
                }
                catch (final IOException | RuntimeException problem)
                {
                    failure = problem instanceof final IOException known ? known : new IOException(problem);
                }
            }
            if (last)
            {
                return;
            }
            LockSupport.park(this);
        }
    }

    /** Names what was begun, closes what was before it, and makes the next; returns that. */
    private Segment work(final Segment begun, final boolean last) throws IOException
    {
        if (retired != null)
        {
            retired.close();
            retired = null;
        }
        if (begun != null && begun.isUnnamed())
        {
            begun.rename(JournalLayout.segment(directory, begun.firstSequence()));
        }
        if (durable)
        {
            force(directory);
        }
        if (last)
        {
            return null;
        }
        final Segment next = new Segment(directory.resolve(SPARE), size, zeros);
        if (durable)
        {
            next.force();
            force(directory);
        }
        spare = next;        // release
        return next;
    }

    /** Makes the names in a directory durable. */
    static void force(final Path directory) throws IOException
    {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ))
        {
            channel.force(true);
        }
    }

    /** Removes the file that was not needed. */
    @Override
    public void close()
    {
        closed = true;
        LockSupport.unpark(maker);
        boolean interrupted = false;
        while (maker.isAlive())
        {
            try
            {
                maker.join();
            }
            catch (final InterruptedException _)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        final Segment unused = spare;
        if (unused != null)
        {
            unused.close();
            try
            {
                Files.deleteIfExists(unused.file());
            }
            catch (final IOException _)
            {
                // The next run makes it anew.
                return;
            }
        }
    }
}

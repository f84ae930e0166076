package io.gannet.recording;

import java.util.Queue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;

/**
 * The chunks between the polling and the writing thread: the polling one fills the current chunk and hands it over
 * between two polls, so that what is written has also been consumed, and a joiner's position never lies below. Methods
 * are for the polling thread, unless they say otherwise.
 */
final class ChunkSource
{
    private static final int MAX_CHUNKS = 64;
    private static final int MIN_CHUNK = 1 << 19;
    private static final long WAIT_MILLIS = 10;

    /** The one that was written last is taken first: it may still be in a cache. */
    private final BlockingDeque<Chunk> free = new LinkedBlockingDeque<>();
    private final BlockingQueue<Chunk> full = new LinkedBlockingQueue<>();
    private final EpochNanoClock clock;
    private final int capacity;
    private volatile boolean writing;
    private volatile boolean broken;
    private Chunk current;
    private long time;
    private long waits;

    /**
     * @param lastTime of what was recorded before.
     */
    ChunkSource(final int bufferBytes, final EpochNanoClock clock, final long lastTime)
    {
        this.clock = clock;
        time = lastTime;
        final int count = Math.clamp(bufferBytes / MIN_CHUNK, 2, MAX_CHUNKS);
        capacity = bufferBytes / count & -Block.ALIGNMENT;
        for (int i = 0; i < count; i++)
        {
            free.add(new Chunk(capacity));
        }
        current = free.remove();
    }

    Chunk current()
    {
        return current;
    }

    /** Never goes back. */
    long time()
    {
        time = Math.max(time, clock.nanoTime());
        return time;
    }

    /** Appends a block without payload. */
    void block(
        final int type, final int flags, final RecordedStream stream, final long from, final long position)
    {
        ensure(0);
        current.begin(type, flags, stream.sessionId(), stream.number(), from, position, time());
    }

    /** Makes room for a block with so much payload. */
    void ensure(final int payload)
    {
        if (current.room() < payload)
        {
            if (current.length() > 0)
            {
                handOver();
            }
            if (current.room() < payload)
            {
                // A frame that is longer than a chunk; given up when it is written.
                free.add(current);
                current = new Chunk(payload + Block.HEADER_LENGTH);
            }
        }
    }

    /** Hands the current chunk over if it is worth it: the writer has nothing else, or there is much in it. */
    void handOverIfDue()
    {
        if (current.length() > capacity / 2 || (current.length() > 0 && !writing && full.isEmpty()))
        {
            handOver();
        }
    }

    /** Hands the current chunk over and waits for another. */
    void handOver()
    {
        full.add(current);
        current = null;
        boolean waited = false;
        while (current == null)
        {
            if (broken)
            {
                throw new IllegalStateException("the writer ended");
            }
            current = free.poll();
            if (current == null)
            {
                waits += waited ? 0 : 1;
                waited = true;
                current = poll(free, WAIT_MILLIS);
            }
        }
    }

    /** How often the polling thread waited for the writing one. */
    long waits()
    {
        return waits;
    }

    /** The next chunk to be written, by the writing thread; null if there is none in time. */
    Chunk take(final long millis)
    {
        writing = false;
        final Chunk chunk = poll(full, millis);
        writing = chunk != null;
        return chunk;
    }

    /** Gives a written chunk back, by the writing thread. */
    void giveBack(final Chunk chunk)
    {
        if (chunk.capacity() == capacity)
        {
            chunk.clear();
            free.addFirst(chunk);
        }
    }

    /** The writing thread ends. */
    void breakOff()
    {
        broken = true;
    }

    Queue<Chunk> full()
    {
        return full;
    }

    private static Chunk poll(final BlockingQueue<Chunk> queue, final long millis)
    {
        try
        {
            return queue.poll(millis, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException e)
        {
            // The threads are the recorder's own: it is stopped by its flags.
            return null;
        }
    }
}

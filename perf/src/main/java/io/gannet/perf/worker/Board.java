package io.gannet.perf.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Words that the threads of both workers share, each on a pair of cache lines of its own:
 * <pre>
 *    0  ping of the placement probe        128  pong
 *  256  number of the phase whose ping-pong load is over
 *  512  + 256 * producer: number of the phase that it finished; + 128: messages it has sent since the start
 * </pre>
 */
public final class Board
{
    /** Bytes of the file. */
    public static final int BYTES = 16 * 1024;

    private static final int PING = 0;
    private static final int PONG = 128;
    private static final int OVER = 256;
    private static final int PRODUCERS = 512;
    private static final int PRODUCER_STRIDE = 256;
    private static final int SENT = 128;
    private static final int BOUNCES = 100;
    private static final int GROUP = 10;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment words;

    /** A board for the threads of this process alone. */
    public Board()
    {
        words = Arena.global().allocate(BYTES, BYTES);
    }

    /** Maps the board; the file must exist and have {@link #BYTES} bytes. */
    public Board(final Path file)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            words = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.global());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** A producer says that it sent its last message of a phase. */
    public void producerDone(final int producer, final int phase, final long sentInAll)
    {
        put(PRODUCERS + producer * PRODUCER_STRIDE + SENT, sentInAll);
        put(PRODUCERS + producer * PRODUCER_STRIDE, phase);
    }

    /** Messages that a producer has sent since the start, or -1 as long as it is busy with the phase. */
    public long sentBy(final int producer, final int phase)
    {
        final boolean done = get(PRODUCERS + producer * PRODUCER_STRIDE) == phase;
        return done ? get(PRODUCERS + producer * PRODUCER_STRIDE + SENT) : -1;
    }

    /** The ping side ended the phase. */
    public void over(final int phase)
    {
        put(OVER, phase);
    }

    /** Whether the ping side ended the phase. */
    public boolean isOver(final int phase)
    {
        return get(OVER) == phase;
    }

    /**
     * Bounces a line {@value #BOUNCES} times to the thread in {@link #pong} and tells where the two processors are.
     *
     * @param id unique and increasing by more than {@value #BOUNCES} from probe to probe.
     * @return nanoseconds of one round trip in the best group of ten, or -1 if the other side did not answer in time.
     */
    public long ping(final long id, final long deadlineNanos)
    {
        long best = Long.MAX_VALUE;
        long groupStart = 0;
        for (int i = 1; i <= BOUNCES; i++)
        {
            if (i % GROUP == 0)
            {
                final long now = System.nanoTime();
                best = i > GROUP ? Math.min(best, (now - groupStart) / GROUP) : best;
                groupStart = now;
            }
            put(PING, id + i);
            while (get(PONG) != id + i)
            {
                if (System.nanoTime() - deadlineNanos > 0)
                {
                    return -1;
                }
            }
        }
        return best;
    }

    /** The other side of {@link #ping}. */
    public void pong(final long id, final long deadlineNanos)
    {
        long seen = id;
        while (seen < id + BOUNCES && System.nanoTime() - deadlineNanos < 0)
        {
            for (int i = 0; i < 1000 && seen < id + BOUNCES; i++)
            {
                final long word = get(PING);
                if (word > seen && word <= id + BOUNCES)
                {
                    seen = word;
                    put(PONG, word);
                }
            }
        }
    }

    private void put(final int offset, final long value)
    {
        WORD.setRelease(words, (long) offset, value);
    }

    private long get(final int offset)
    {
        return (long) WORD.getAcquire(words, (long) offset);
    }
}

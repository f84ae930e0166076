package io.gannet.cli.trace;

import io.gannet.ring.FrameHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Picks a message now and then and looks, again and again, how far it is. A time that is taken lies between two looks;
 * a sample during which two looks were too far apart, as the thread was interrupted, is left out. Nobody whose words
 * are read notices but by the cache lines that one more processor reads, and that while a sample is taken only.
 */
final class Tracer
{
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final WatchedRing source;
    private final boolean image;
    private final List<Stage> stages;
    private final long intervalNanos;
    private final long widestNanos;
    private final Durations looks = new Durations();
    private final List<Stage> open = new ArrayList<>();
    private long samples;
    private long disturbed;
    private long unfinished;
    private long widest;

    /**
     * A tracer.
     *
     * @param source      the ring in which a message is first seen.
     * @param image       whether that is an image; else it is the publication's.
     * @param stages      each behind the one before it.
     * @param widestNanos longest time between two looks that a sample may have.
     */
    Tracer(
        final WatchedRing source,
        final boolean image,
        final List<Stage> stages,
        final long intervalNanos,
        final long widestNanos)
    {
        this.source = source;
        this.image = image;
        this.stages = stages;
        this.intervalNanos = intervalNanos;
        this.widestNanos = widestNanos;
    }

    /** Takes samples until there are so many, or the time is over. */
    void run(final long count, final long deadlineNanos)
    {
        while (samples < count && System.nanoTime() - deadlineNanos < 0 && !Thread.currentThread().isInterrupted())
        {
            sample(deadlineNanos);
            LockSupport.parkNanos(intervalNanos);
        }
    }

    private void sample(final long deadlineNanos)
    {
        final long position = image ? source.received() : source.end();
        if (position < 0)
        {
            disturbed++;
            return;
        }
        widest = 0;
        long last = System.nanoTime();
        long behind = behind(position);
        while (behind == 0)
        {
            last = System.nanoTime();
            if (last - deadlineNanos > 0)
            {
                return;
            }
            Thread.onSpinWait();
            behind = behind(position);
        }
        final long start = System.nanoTime();
        // The first look may have come late: what is timed begins when the message was surely there.
        widest = start - last;
        if (behind < 0 || !follow(behind, start))
        {
            return;
        }
        if (widest > widestNanos)
        {
            disturbed++;
            return;
        }
        samples++;
        looks.add(widest);
        for (final Stage stage : stages)
        {
            stage.count(start);
        }
    }

    /** Position behind the sampled message; 0 if it isn't there yet. */
    private long behind(final long position)
    {
        if (image)
        {
            final long received = source.received();
            return received > position ? received : 0;
        }
        final int length = source.frameLength(position);
        return length < FrameHeader.HEADER_LENGTH ? 0 : position + FrameHeader.align(length);
    }

    private boolean follow(final long position, final long start)
    {
        open.clear();
        open.addAll(stages);
        long last = start;
        while (true)
        {
            for (int i = 0; i < open.size(); i++)
            {
                final Stage stage = open.get(i);
                if (stage.isPassed(position))
                {
                    stage.seen(System.nanoTime());
                    open.remove(i--);
                }
            }
            final long now = System.nanoTime();
            widest = Math.max(widest, now - last);
            last = now;
            if (open.isEmpty())
            {
                return true;
            }
            if (now - start > PATIENCE_NANOS)
            {
                unfinished++;
                return false;
            }
            Thread.onSpinWait();
        }
    }

    long samples()
    {
        return samples;
    }

    /** Samples left out since the tracer itself was held up. */
    long disturbed()
    {
        return disturbed;
    }

    /** Samples left out since somebody did not pass the message on within a second. */
    long unfinished()
    {
        return unfinished;
    }

    /** The longest time between two looks of each sample. */
    Durations looks()
    {
        return looks;
    }
}

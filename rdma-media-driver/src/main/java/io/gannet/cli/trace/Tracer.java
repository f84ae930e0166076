package io.gannet.cli.trace;

import io.gannet.ring.FrameHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Picks a message now and then and looks, again and again, how far it is. A time that is taken lies between two looks;
 * a sample during which two looks were too far apart, as the thread was interrupted, is left out. Nobody whose words
 * are read notices but by the cache lines that one more processor reads, and that while a sample is taken only.
 */
public final class Tracer
{
    private final WatchedRing source;
    private final boolean image;
    private final List<Stage> stages;
    private final List<Stage> gone = new ArrayList<>();
    private final long intervalNanos;
    private final long widestNanos;
    private final long patienceNanos;
    private final boolean partial;
    private final Durations looks = new Durations();
    private final List<Stage> open = new ArrayList<>();
    private long samples;
    private long disturbed;
    private long unfinished;
    private long widest;

    /**
     * A tracer.
     *
     * @param source        the ring in which a message is first seen.
     * @param image         whether that is an image; else it is the publication's.
     * @param stages        each behind the one before it.
     * @param widestNanos   longest time between two looks that a sample may have.
     * @param patienceNanos after which a message is no longer followed.
     * @param partial       whether of a sample that is left out those places count at which it was seen before that.
     */
    Tracer(
        final WatchedRing source,
        final boolean image,
        final List<Stage> stages,
        final long intervalNanos,
        final long widestNanos,
        final long patienceNanos,
        final boolean partial)
    {
        this.source = source;
        this.image = image;
        this.stages = new ArrayList<>(stages);
        this.intervalNanos = intervalNanos;
        this.widestNanos = widestNanos;
        this.patienceNanos = patienceNanos;
        this.partial = partial;
    }

    /** Takes samples until there are so many, the time is over or nobody is left to be timed. */
    public void run(final long count, final long deadlineNanos)
    {
        while (samples < count && System.nanoTime() - deadlineNanos < 0 && !stages.isEmpty() &&
            !Thread.currentThread().isInterrupted())
        {
            sample(deadlineNanos);
            LockSupport.parkNanos(intervalNanos);
        }
    }

    private void sample(final long deadlineNanos)
    {
        // Before it is known which message comes next: that may be there when it is looked for the first time.
        long last = System.nanoTime();
        final long position = image ? source.received() : source.end();
        if (position < 0)
        {
            disturbed++;
            return;
        }
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
        final boolean followed = follow(behind, start);
        if (someHaveGone())
        {
            return;
        }
        final boolean whole = followed && widest <= widestNanos;
        if (whole)
        {
            samples++;
            looks.add(widest);
        }
        else if (followed)
        {
            disturbed++;
        }
        for (final Stage stage : stages)
        {
            if (whole || (partial && isExact(stage)))
            {
                stage.count(start);
            }
        }
    }

    private boolean isExact(final Stage stage)
    {
        return !open.contains(stage) && !open.contains(stage.after()) && stage.within() <= widestNanos;
    }

    /** Takes out who has left, and what is timed from there. */
    private boolean someHaveGone()
    {
        final int before = gone.size();
        for (final Stage stage : List.copyOf(stages))
        {
            if (stage.isGone() || gone.contains(stage.after()))
            {
                stages.remove(stage);
                gone.add(stage);
            }
        }
        return gone.size() > before;
    }

    /** Stages that were there when it began, and are not any more. */
    public List<Stage> gone()
    {
        return gone;
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
                    final long seen = System.nanoTime();
                    stage.seen(seen, Math.max(widest, seen - last));
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
            if (now - start > patienceNanos)
            {
                unfinished++;
                if (widest <= widestNanos)
                {
                    open.forEach(Stage::missed);
                }
                return false;
            }
            Thread.onSpinWait();
        }
    }

    public long samples()
    {
        return samples;
    }

    /** Samples left out since the tracer itself was held up. */
    public long disturbed()
    {
        return disturbed;
    }

    /** Samples left out since somebody did not pass the message on in time. */
    public long unfinished()
    {
        return unfinished;
    }

    /** The longest time between two looks of each sample. */
    public Durations looks()
    {
        return looks;
    }
}

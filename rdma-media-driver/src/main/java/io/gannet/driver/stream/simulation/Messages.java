package io.gannet.driver.stream.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

import org.agrona.DirectBuffer;

import io.gannet.ring.FrameHeader;

/**
 * What a publication's producers have published, and what may lie between: ranges that were given back, and those that
 * the dead had claimed.
 */
final class Messages
{
    private final int maxLength;
    private final List<Source> sources = new ArrayList<>();
    /** End of each range that was given back, by its start. */
    private final TreeMap<Long, Long> voids = new TreeMap<>();
    private long deadBytes;
    private int count;
    private long end;

    Messages(final int maxLength)
    {
        this.maxLength = maxLength;
    }

    /** A producer comes. */
    Source newSource(final SplittableRandom random)
    {
        final Source source = new Source(this, sources.size(), random, maxLength);
        sources.add(source);
        return source;
    }

    void onPublished(final long position)
    {
        count++;
        end = Math.max(end, position);
    }

    /** The range was claimed, and will hold no message. */
    void onVoid(final long start, final long behind)
    {
        voids.put(start, behind);
    }

    /** A producer has died in the middle of an offer: so many bytes may have been claimed for nothing. */
    void onDeath(final int length)
    {
        deadBytes += FrameHeader.step(length);
    }

    /** {@return messages published} */
    int count()
    {
        return count;
    }

    /** {@return end of the last message published} */
    long end()
    {
        return end;
    }

    /** {@return whether a published message starts there} */
    boolean isPublished(final long position)
    {
        for (final Source source : sources)
        {
            if (source.firstFrom(position) == position)
            {
                return true;
            }
        }
        return false;
    }

    /** {@return a reader that starts at the position} */
    Cursor cursor(final long position)
    {
        return new Cursor(position);
    }

    /**
     * A reader: sees every message from its start on, and nothing else.
     */
    final class Cursor
    {
        private long position;
        private long unknownVoids;

        private Cursor(final long position)
        {
            this.position = position;
        }

        /** Takes the next message, whose frame ends there. */
        void check(final DirectBuffer received, final int offset, final int length, final long behind)
        {
            final long start = behind - FrameHeader.step(length);
            final int source = length < Source.LEAST_LENGTH ? -1 : Source.of(received, offset, sources.size());
            if (source < 0)
            {
                throw new SimulationFailure("what was received at " + start + ", length " + length +
                    ", is no message");
            }
            sources.get(source).check(received, offset, length, start);
            skipTo(start);
            position = behind;
        }

        /** What was read goes on, or ends, there: all published before has been seen. */
        void skipTo(final long start)
        {
            if (start == position)
            {
                return;
            }
            if (start < position)
            {
                throw new SimulationFailure("read up to " + position + ", and then from " + start);
            }
            for (final Source source : sources)
            {
                final long first = source.firstFrom(position);
                if (first < start)
                {
                    throw new SimulationFailure("the message at " + first + " was left out, read from " + position +
                        " to " + start);
                }
            }
            unknownVoids += start - position - voidBytes(start);
            if (unknownVoids > deadBytes)
            {
                throw new SimulationFailure("nothing was read from " + position + " to " + start +
                    ", where nobody gave up or died");
            }
            position = start;
        }

        private long voidBytes(final long limit)
        {
            long bytes = 0;
            for (final Map.Entry<Long, Long> each : voids.subMap(position, limit).entrySet())
            {
                bytes += each.getValue() - each.getKey();
            }
            return bytes;
        }
    }
}

package io.gannet.driver.stream.simulation;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.driver.stream.ImageSession;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingReader;

/**
 * A subscriber's process: reads one image after another, each to its end, and checks every byte. What lies between two
 * images must have been announced as a gap.
 */
final class SimulatedSubscriber
{
    private static final int CLIENT = 5;

    private final Messages messages;
    private final PlacementMemory placement;
    private final SplittableRandom random;
    private final Interleaving interleaving;
    private final ArrayDeque<Reading> readings = new ArrayDeque<>();
    private long consumed = -1;
    private int images;
    private long lost;
    private boolean busy;

    SimulatedSubscriber(
        final Messages messages,
        final PlacementMemory placement,
        final SplittableRandom random,
        final Interleaving interleaving)
    {
        this.interleaving = interleaving;
        this.messages = messages;
        this.placement = placement;
        this.random = random;
    }

    /** An image has started. */
    void join(final ImageSession image, final Ring ring)
    {
        final Membership membership = new Membership(ring);
        final int entry = membership.join(GatingList.Kind.LOCAL, CLIENT, image.request().publicationId());
        final ReaderMemory memory = new ReaderMemory(ring, entry, interleaving);
        final RingReader reader = new RingReader(ring.accessedBy(memory), entry, false);
        if (reader.position() != image.startPosition())
        {
            throw new SimulationFailure("image starts at " + image.startPosition() + ", reader joins at " +
                reader.position());
        }
        placement.watchImage(ring, entry);
        images++;
        readings.add(new Reading(image, reader, memory, membership, entry));
    }

    /** Goes; what it reads is nobody's any more. */
    void leave()
    {
        for (final Reading reading : readings)
        {
            placement.forgetImage(reading.image.ring());
            reading.membership.leave(reading.entry);
        }
        readings.clear();
    }

    /** The driver was restarted, and goes on with the image. */
    void adopted(final ImageSession before, final ImageSession after)
    {
        for (final Reading reading : readings)
        {
            if (reading.image == before)
            {
                reading.image = after;
            }
        }
    }

    /** An image gets no more. */
    void ended(final ImageSession image)
    {
        for (final Reading reading : readings)
        {
            reading.ended |= reading.image == image;
        }
    }

    /**
     * Polls, unless it does already.
     *
     * @return messages taken.
     */
    int step()
    {
        if (busy)
        {
            return 0;
        }
        busy = true;
        final int count = poll();
        busy = false;
        return count;
    }

    /** {@return whether its thread is in a poll} */
    boolean isBusy()
    {
        return busy;
    }

    private int poll()
    {
        final Reading reading = readings.peek();
        if (reading == null)
        {
            return 0;
        }
        if (!reading.begun)
        {
            begin(reading);
        }
        final int count = reading.reader.poll(reading::onFrame, 1 + random.nextInt(32));
        consumed = reading.reader.position();
        if (count == 0 && reading.ended && consumed == reading.image.receivedPosition())
        {
            reading.cursor.skipTo(consumed);
            readings.poll();
        }
        return count;
    }

    private void begin(final Reading reading)
    {
        reading.begun = true;
        reading.cursor = messages.cursor(reading.reader.position());
        final long gapFrom = reading.gapFrom;
        if (consumed >= 0 && gapFrom != consumed)
        {
            throw new SimulationFailure("gap from " + gapFrom + " announced, but read up to " + consumed);
        }
        if (gapFrom >= 0)
        {
            if (reading.reader.position() < gapFrom)
            {
                throw new SimulationFailure("gap from " + gapFrom + " to " + reading.reader.position());
            }
            // A new subscriber of a host misses nothing of what another one had.
            lost += consumed < 0 ? 0 : reading.reader.position() - gapFrom;
        }
    }

    /** {@return position up to which it has read; -1 if it has never read anything} */
    long consumed()
    {
        return consumed;
    }

    /** {@return images that it has had} */
    int images()
    {
        return images;
    }

    /** {@return bytes in announced gaps} */
    long lost()
    {
        return lost;
    }

    boolean isReading()
    {
        return !readings.isEmpty();
    }

    /** {@return whether the image is no longer read} */
    boolean hasLeft(final ImageSession image)
    {
        return readings.stream().noneMatch(reading -> reading.image == image);
    }

    private static final class Reading
    {
        private final RingReader reader;
        private final ReaderMemory memory;
        private final Membership membership;
        private final int entry;
        private final long gapFrom;
        private ImageSession image;
        private Messages.Cursor cursor;
        private boolean begun;
        private boolean ended;

        Reading(
            final ImageSession image,
            final RingReader reader,
            final ReaderMemory memory,
            final Membership membership,
            final int entry)
        {
            this.membership = membership;
            this.entry = entry;
            this.image = image;
            gapFrom = image.gapFrom();
            this.reader = reader;
            this.memory = memory;
        }

        void onFrame(final UnsafeBuffer buffer, final int offset, final int length, final long position)
        {
            memory.onLoad(buffer.addressOffset() + offset, length);
            cursor.check(buffer, offset, length, position);
        }
    }
}

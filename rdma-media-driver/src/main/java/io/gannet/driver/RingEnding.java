package io.gannet.driver;

import io.gannet.protocol.ImageEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;

/**
 * Ends streams whose last publisher is gone: repairs the claims of the dead, sets the end of the stream, tells each
 * subscriber when it has read all, and has the ring removed when the last gate is gone, other hosts' included. Owned by
 * the conductor.
 */
final class RingEnding
{
    private final RingRepairs repairs;
    private final ErrorHandler errorHandler;
    private final Consumer<StreamRing> destroy;
    private final BiConsumer<StreamRing, InternalError> lost;
    private final List<StreamRing> ending = new ArrayList<>();

    RingEnding(
        final RingRepairs repairs,
        final ErrorHandler errorHandler,
        final Consumer<StreamRing> destroy,
        final BiConsumer<StreamRing, InternalError> lost)
    {
        this.repairs = repairs;
        this.errorHandler = errorHandler;
        this.destroy = destroy;
        this.lost = lost;
    }

    /** The last publisher is gone, or the driver before has set the end. */
    void end(final StreamRing ring)
    {
        if (!ending.contains(ring))
        {
            ending.add(ring);
        }
        check(ring);
    }

    boolean isEnding(final StreamRing ring)
    {
        return ending.contains(ring);
    }

    int poll()
    {
        int work = 0;
        for (int i = ending.size() - 1; i >= 0; i--)
        {
            work += checkGuarded(ending.get(i));
        }
        return work;
    }

    private int checkGuarded(final StreamRing ring)
    {
        try
        {
            return check(ring);
        }
        catch (final InternalError fault)
        {
            lost.accept(ring, fault);
            return 1;
        }
    }

    /** The ring is gone without an end. */
    void forget(final StreamRing ring)
    {
        ending.remove(ring);
    }

    /** Goes on with the ending of a ring, if it is ending. */
    int check(final StreamRing ring)
    {
        if (!ending.contains(ring) || !setEnd(ring))
        {
            return 0;
        }
        int told = 0;
        final long end = ring.ring().endOfStreamPosition();
        if (ring.outbound() != null)
        {
            ring.outbound().endAt(end);
        }
        for (final RingImage image : ring.images())
        {
            if (!image.endSent() && image.subscriber() != null && ring.gates().position(image.gate) >= end)
            {
                image.sendEnd(end, ring.endReason());
                told++;
            }
        }
        if (ring.images().isEmpty() && (ring.outbound() == null || ring.outbound().isDone()))
        {
            ending.remove(ring);
            repairs.forget(ring);
            destroy.accept(ring);
            told++;
        }
        return told;
    }

    private boolean setEnd(final StreamRing ring)
    {
        if (ring.isEnded())
        {
            return true;
        }
        if (repairs.isPending(ring))
        {
            return false;
        }
        try
        {
            end(ring, ring.membership().finalPosition());
        }
        catch (final RuntimeException damaged)
        {
            errorHandler.onError(damaged);
            ring.ring().breakOffAt(ring.sampledPosition());
        }
        return true;
    }

    private static void end(final StreamRing ring, final long position)
    {
        if (ring.endReason() == ImageEnd.END_OF_STREAM)
        {
            ring.ring().endStreamAt(position);
        }
        else
        {
            ring.ring().breakOffAt(position);
        }
    }
}

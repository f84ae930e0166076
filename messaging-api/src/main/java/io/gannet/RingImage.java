package io.gannet;

import io.gannet.os.LateFault;
import io.gannet.os.LateRelease;
import io.gannet.os.OsException;
import io.gannet.ring.ControlledFrameHandler;
import io.gannet.ring.CorruptRingException;
import io.gannet.ring.FrameHandler;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.Ring;
import io.gannet.ring.RingReader;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * A ring as one subscription reads it. Polls hold the subscription's guard; the conductor marks the image closed and
 * takes the ring away when the guard is idle.
 */
final class RingImage implements Image
{
    private final RingSubscription subscription;
    private final Ring ring;
    private final RingReader reader;
    private final long ringId;
    private final int gate;
    private final boolean remote;
    private final String source;
    private final ImageHeader header = new ImageHeader(this);
    private final FrameHandler frameHandler = this::onFrame;
    private final ControlledFrameHandler controlledFrameHandler = this::onControlledFrame;
    private final io.gannet.ring.BlockHandler ringBlockHandler = this::onBlock;

    private FragmentHandler fragmentHandler;
    private ControlledFragmentHandler controlledHandler;
    private BlockHandler blockHandler;
    private long controlledLimit;

    /** Read by every poll; set once. */
    private volatile boolean closed;
    /** Behind the store of it: nothing is waited for. */
    private boolean failed;

    /** What the ring said last, once it was released; under this object's monitor. */
    private long lastEndOfStream = Long.MAX_VALUE;
    private boolean lastBrokenOff;
    private boolean brokenOff;

    RingImage(
        final RingSubscription subscription,
        final Ring ring,
        final RingReader reader,
        final long ringId,
        final int gate,
        final boolean remote,
        final String source)
    {
        this.subscription = subscription;
        this.ring = ring;
        this.reader = reader;
        this.ringId = ringId;
        this.gate = gate;
        this.remote = remote;
        this.source = source;
    }

    long ringId()
    {
        return ringId;
    }

    int gate()
    {
        return gate;
    }

    Ring ring()
    {
        return ring;
    }

    /** The four polls of the subscription, which holds the guard. */
    @SuppressWarnings("ReferenceEquality")  // the same object is meant
    int doPoll(final FragmentHandler handler, final int limit)
    {
        if (closed)
        {
            return 0;
        }
        if (Objects.requireNonNull(handler, "handler") != fragmentHandler)
        {
            // Not with each poll: the collector marks a card for each such store.
            fragmentHandler = handler;
        }
        try
        {
            return reader.poll(frameHandler, limit);
        }
        catch (final InternalError | OsException | CorruptRingException problem)
        {
            return pollFailed(problem);
        }
    }

    int doControlledPoll(final ControlledFragmentHandler handler, final long limitPosition, final int limit)
    {
        if (closed)
        {
            return 0;
        }
        controlledHandler = Objects.requireNonNull(handler, "handler");
        controlledLimit = limitPosition;
        try
        {
            return reader.controlledPoll(controlledFrameHandler, limit);
        }
        catch (final InternalError | OsException | CorruptRingException problem)
        {
            return pollFailed(problem);
        }
    }

    int doBlockPoll(final BlockHandler handler, final int limitBytes)
    {
        if (closed)
        {
            return 0;
        }
        blockHandler = Objects.requireNonNull(handler, "handler");
        try
        {
            return reader.blockPoll(ringBlockHandler, limitBytes);
        }
        catch (final InternalError | OsException | CorruptRingException problem)
        {
            return pollFailed(problem);
        }
    }

    /** Whether a poll may find something; the guard is held. */
    boolean isReady()
    {
        return closed ? !failed : reader.isReady();
    }

    /**
     * A poll met a ring that can't be read any more, of which the driver tells, or a frame that can't be one, which it
     * does not know. Nothing is polled from the image then.
     *
     * @param problem is thrown if it has another reason.
     * @return messages that the poll took: none.
     */
    private int pollFailed(final Throwable problem)
    {
        final boolean damaged =
            problem instanceof final CorruptRingException here && here.position() == reader.position();
        if (damaged)
        {
            // What a fault leaves in place of a length can look like it.
            LateFault.discard();
            FaultedRings.closeLost();
        }
        else
        {
            FaultedRings.check(problem);
        }
        if (damaged || ring.isClosed())
        {
            failed = true;
            closed = true;
        }
        if (damaged && !ring.isClosed())
        {
            subscription.damaged(this, problem.getMessage());
        }
        return 0;
    }

    /** Up to where the ring holds what was published and is still there. */
    synchronized long committedPosition()
    {
        try
        {
            return ring.isClosed() ? reader.position() : reader.committedPosition();
        }
        catch (final InternalError truncated)
        {
            FaultedRings.check(truncated);
            return reader.position();
        }
    }

    /** Nothing that is behind what was read can come any more. */
    synchronized void breakOff()
    {
        brokenOff = true;
    }

    private void onFrame(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        header.moveTo(buffer, offset, position);
        fragmentHandler.onFragment(buffer, offset, length, header);
    }

    private ControlledFrameHandler.Action onControlledFrame(
        final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        if (position - FrameHeader.step(length) >= controlledLimit)
        {
            return ControlledFrameHandler.Action.ABORT;
        }
        header.moveTo(buffer, offset, position);
        return switch (controlledHandler.onFragment(buffer, offset, length, header))
        {
            case null -> throw new IllegalStateException("the handler of a controlled poll returned null for the " +
                "message before position " + position + ": return CONTINUE, COMMIT, BREAK or ABORT. The message " +
                "counts as consumed");
            case ABORT -> ControlledFrameHandler.Action.ABORT;
            case BREAK -> ControlledFrameHandler.Action.BREAK;
            case COMMIT -> ControlledFrameHandler.Action.COMMIT;
            case CONTINUE -> ControlledFrameHandler.Action.CONTINUE;
        };
    }

    private void onBlock(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        blockHandler.onBlock(buffer, offset, length, sessionId(), position - length);
    }

    @Override
    public int poll(final FragmentHandler handler, final int limit)
    {
        final PollGuard.Owner inside = subscription.guard().enter();
        try
        {
            return doPoll(handler, limit);
        }
        finally
        {
            subscription.guard().exit(inside);
        }
    }

    @Override
    public int boundedPoll(final FragmentHandler handler, final long limitPosition, final int limit)
    {
        final PollGuard.Owner inside = subscription.guard().enter();
        try
        {
            if (closed)
            {
                return 0;
            }
            fragmentHandler = Objects.requireNonNull(handler, "handler");
            return reader.boundedPoll(frameHandler, limitPosition, limit);
        }
        catch (final InternalError | OsException | CorruptRingException problem)
        {
            return pollFailed(problem);
        }
        finally
        {
            subscription.guard().exit(inside);
        }
    }

    @Override
    public int controlledPoll(final ControlledFragmentHandler handler, final int limit)
    {
        return boundedControlledPoll(handler, Long.MAX_VALUE, limit);
    }

    @Override
    public int boundedControlledPoll(
        final ControlledFragmentHandler handler, final long limitPosition, final int limit)
    {
        final PollGuard.Owner inside = subscription.guard().enter();
        try
        {
            return doControlledPoll(handler, limitPosition, limit);
        }
        finally
        {
            subscription.guard().exit(inside);
        }
    }

    @Override
    public int blockPoll(final BlockHandler handler, final int limitBytes)
    {
        final PollGuard.Owner inside = subscription.guard().enter();
        try
        {
            return doBlockPoll(handler, limitBytes);
        }
        finally
        {
            subscription.guard().exit(inside);
        }
    }

    /** Polls find nothing from now on. */
    void markClosed()
    {
        closed = true;
    }

    /** Gives the ring's memory back; nobody is or will be inside. */
    synchronized void release()
    {
        detach();
        FaultedRings.free(ring);
    }

    /** Takes the ring away from a poll that may be going on; its addresses are freed when this is garbage. */
    void detachForGood()
    {
        detach();
        LateRelease.after(this, () -> FaultedRings.free(ring));
    }

    private synchronized void detach()
    {
        if (!ring.isClosed())
        {
            lastEndOfStream = endInRing();
            lastBrokenOff = isBrokenOffInRing();
            ring.close();
            LateFault.discard();
        }
    }

    /** Somebody else may write into the header: an end counts only where it can be, as seen from what was read. */
    private long endInRing()
    {
        try
        {
            final long end = ring.endOfStreamPosition();
            final long ahead = end - reader.position();
            return (end & FrameHeader.ALIGNMENT - 1) == 0 && ahead >= 0 && ahead <= ring.capacity() ?
                end : Long.MAX_VALUE;
        }
        catch (final InternalError truncated)
        {
            FaultedRings.check(truncated);
            return Long.MAX_VALUE;
        }
    }

    private boolean isBrokenOffInRing()
    {
        try
        {
            return ring.isBrokenOff();
        }
        catch (final InternalError truncated)
        {
            FaultedRings.check(truncated);
            return true;
        }
    }

    @Override
    public synchronized long endOfStreamPosition()
    {
        final long end = ring.isClosed() ? lastEndOfStream : endInRing();
        // A ring that was lost does not tell its end: it is where nothing comes any more.
        return brokenOff && end == Long.MAX_VALUE ? reader.position() : end;
    }

    @Override
    public boolean isEndOfStream()
    {
        return reader.position() >= endOfStreamPosition() && !isBrokenOff();
    }

    private synchronized boolean isBrokenOff()
    {
        return brokenOff || (ring.isClosed() ? lastBrokenOff : isBrokenOffInRing());
    }

    @Override
    public Subscription subscription()
    {
        return subscription;
    }

    @Override
    public int sessionId()
    {
        return ring.description().sessionId();
    }

    @Override
    public int streamId()
    {
        return ring.description().streamId();
    }

    @Override
    public String sourceIdentity()
    {
        return source;
    }

    @Override
    public boolean isRemote()
    {
        return remote;
    }

    @Override
    public long joinPosition()
    {
        return reader.joinPosition();
    }

    @Override
    public long position()
    {
        return reader.position();
    }

    @Override
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public String toString()
    {
        return "image of " + source + ", session " + sessionId() + " stream " + streamId() + " at " + position();
    }
}

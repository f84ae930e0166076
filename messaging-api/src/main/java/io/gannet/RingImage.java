package io.gannet;

import io.gannet.os.LateFault;
import io.gannet.os.LateRelease;
import io.gannet.ring.ControlledFrameHandler;
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

    /** What the ring said last, once it was released; under this object's monitor. */
    private long lastEndOfStream = Long.MAX_VALUE;
    private boolean lastBrokenOff;

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
    int doPoll(final FragmentHandler handler, final int limit)
    {
        if (closed)
        {
            return 0;
        }
        fragmentHandler = Objects.requireNonNull(handler, "handler");
        return reader.poll(frameHandler, limit);
    }

    int doControlledPoll(final ControlledFragmentHandler handler, final long limitPosition, final int limit)
    {
        if (closed)
        {
            return 0;
        }
        controlledHandler = Objects.requireNonNull(handler, "handler");
        controlledLimit = limitPosition;
        return reader.controlledPoll(controlledFrameHandler, limit);
    }

    int doBlockPoll(final BlockHandler handler, final int limitBytes)
    {
        if (closed)
        {
            return 0;
        }
        blockHandler = Objects.requireNonNull(handler, "handler");
        return reader.blockPoll(ringBlockHandler, limitBytes);
    }

    /** Whether a poll may find something; the guard is held. */
    boolean isReady()
    {
        return closed || reader.isReady();
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
        ring.free();
    }

    /** Takes the ring away from a poll that may be going on; its addresses are freed when this is garbage. */
    void detachForGood()
    {
        detach();
        LateRelease.after(this, ring::free);
    }

    private synchronized void detach()
    {
        if (!ring.isClosed())
        {
            try
            {
                lastEndOfStream = ring.endOfStreamPosition();
                lastBrokenOff = ring.isBrokenOff();
            }
            catch (final InternalError truncated)
            {
                // The ring's file was cut: nobody knows.
            }
            ring.close();
            LateFault.discard();
        }
    }

    @Override
    public synchronized long endOfStreamPosition()
    {
        return ring.isClosed() ? lastEndOfStream : ring.endOfStreamPosition();
    }

    @Override
    public boolean isEndOfStream()
    {
        return reader.position() >= endOfStreamPosition() && !isBrokenOff();
    }

    private synchronized boolean isBrokenOff()
    {
        return ring.isClosed() ? lastBrokenOff : ring.isBrokenOff();
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

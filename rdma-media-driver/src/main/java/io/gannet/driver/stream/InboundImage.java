package io.gannet.driver.stream;

import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.rdma.QueuePair;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.ring.Bell;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;

/**
 * One connection of an image, as the receiver sees it: turns completions into the received position that subscribers
 * read up to, and says what was consumed. Made by the control plane, then owned by the {@link Receiver} until it is
 * handed back.
 *
 * <p>Until the control plane opens the image, as its subscribers are not in its gating list yet, the received position
 * is kept back and nothing counts as consumed.
 */
final class InboundImage
{
    /** Nanoseconds without a frame after which it may rest, and the least rest that is worth the trouble. */
    private static final long REST_AFTER = 1_000_000;

    private final Ring ring;
    private final RingMemory memory;
    private final QueuePair queuePair;
    private final ReplicationSettings settings;
    private final ReceiveQueue receives;
    private final FeedbackWriter feedback;
    private final Bell bell;
    private final UnsafeBuffer message;
    private final StreamCounters counters;
    private final PollShare polls = new PollShare();
    private final long workBase;
    private final int generation;
    private final long window;
    private final int maxFrameLength;
    private final long receivedAddress;
    private final long setUpTimeout;
    private final Runnable whenStarted;
    private final Runnable whenEnded;

    private boolean started;
    private boolean open;
    private boolean draining;
    private boolean broken;
    private long received;
    private long endPosition = Long.MAX_VALUE;
    private long heardAt;
    private long drainDeadline;
    private StreamFailure failure;
    /** Whether nothing but a completion or control needs it before that time. */
    private boolean quiet;
    private long quietUntil;
    private long advancedAt;

    /**
     * @param received     position from which a resumed stream goes on, {@link SetupReply#NEW_IMAGE} for a new one.
     * @param setUpTimeout nanoseconds in which the peer must say where the stream starts. Before that, it may not know
     *                     yet that there is a connection: connection managers repeat what is lost seldom.
     * @param whenStarted  tells the control plane, from the receiver's thread, that the position is known from which
     *                     it comes.
     * @param whenEnded    tells the control plane, from the receiver's thread, that all that had arrived was applied.
     */
    InboundImage(
        final Ring ring,
        final QueuePair queuePair,
        final ReplicationSettings settings,
        final ReceiveQueue receives,
        final FeedbackWriter feedback,
        final Bell.Waker waker,
        final StreamCounters counters,
        final long workBase,
        final int generation,
        final long received,
        final long setUpTimeout,
        final Runnable whenStarted,
        final Runnable whenEnded,
        final long now)
    {
        this.ring = ring;
        this.queuePair = queuePair;
        this.settings = settings;
        this.receives = receives;
        this.feedback = feedback;
        this.counters = counters;
        this.workBase = workBase;
        this.generation = generation;
        this.received = received;
        this.setUpTimeout = setUpTimeout;
        this.whenStarted = whenStarted;
        this.whenEnded = whenEnded;
        memory = ring.memory();
        bell = new Bell(ring, waker);
        message = new UnsafeBuffer(0, 0);
        window = RingLayout.window(RingKind.IMAGE, ring.capacity());
        maxFrameLength = RingLayout.maxFrameLength(ring.kind(), ring.capacity());
        receivedAddress = ring.headerAddress() + RingLayout.RECEIVED_OFFSET;
        open = received != SetupReply.NEW_IMAGE;
        heardAt = now;
        advancedAt = now;
    }

    /**
     * Takes a completion of this connection.
     *
     * @param byteLength of a receive.
     * @param imm        of a receive of a write.
     */
    void onCompletion(
        final long wrId, final int status, final int opcode, final int byteLength, final int imm, final long now)
    {
        quiet = false;
        final int sequence = WorkId.sequence(wrId);
        if (status != WcStatus.SUCCESS)
        {
            receives.onLost(sequence);
            fail(FailureKind.COMPLETION_ERROR, status);
        }
        else if (!WcOpcode.isReceive(opcode))
        {
            if (!feedback.complete(sequence, now))
            {
                fail(FailureKind.PROTOCOL, opcode);
            }
        }
        else if (!receives.onUsed(sequence))
        {
            fail(FailureKind.PROTOCOL, opcode);
        }
        else if (!broken)
        {
            // Also what had arrived when the connection failed: of a stream's end there is no second time.
            heardAt = now;
            counters.receives++;
            onReceive(sequence, opcode, byteLength, imm, now);
        }
    }

    private void onReceive(
        final int slot, final int opcode, final int byteLength, final int imm, final long now)
    {
        if (opcode == WcOpcode.RECV && byteLength != OutboundMessages.POSITION_LENGTH)
        {
            onMessage(slot, byteLength, now);
        }
        else if (started && opcode == WcOpcode.RECV)
        {
            message.wrap(receives.address(slot), OutboundMessages.POSITION_LENGTH);
            onPosition(message.getInt(0), now);
        }
        else if (started)
        {
            onWrite(byteLength, imm, now);
        }
        else
        {
            fail(FailureKind.PROTOCOL, 0);
        }
    }

    private void onWrite(final int byteLength, final int imm, final long now)
    {
        final long advance = ImmPosition.advance(received, imm);
        if (advance == 0 && byteLength == 0)
        {
            return;
        }
        if (endPosition != Long.MAX_VALUE || byteLength <= 0 || byteLength > advance ||
            received + advance > feedback.consumed() + window || (byteLength != advance && !isOneFrame(advance)))
        {
            fail(FailureKind.PROTOCOL, imm);
            return;
        }
        advance(advance, now);
    }

    /** A position that came by itself, behind its writes: their lengths are not known. */
    private void onPosition(final int imm, final long now)
    {
        final long advance = ImmPosition.advance(received, imm);
        if (advance > 0)
        {
            if (endPosition != Long.MAX_VALUE || received + advance > feedback.consumed() + window)
            {
                fail(FailureKind.PROTOCOL, imm);
                return;
            }
            advance(advance, now);
        }
    }

    private void advance(final long bytes, final long now)
    {
        advancedAt = now;
        received += bytes;
        counters.bytes += bytes;
        if (open)
        {
            publish();
        }
    }

    /** Whether the frame at the received position takes exactly so many bytes, as only one frame comes in parts. */
    private boolean isOneFrame(final long bytes)
    {
        final int length = memory.getInt(ring.addressOf(received));
        return length >= FrameHeader.HEADER_LENGTH && length <= maxFrameLength && FrameHeader.align(length) == bytes;
    }

    private void publish()
    {
        // Pairs with the acquire in RingReader: all below has arrived.
        memory.putLongRelease(receivedAddress, received);
        bell.ringIfAwaited();
    }

    private void onMessage(final int slot, final int byteLength, final long now)
    {
        if (byteLength != ControlMessage.LENGTH)
        {
            fail(FailureKind.PROTOCOL, byteLength);
            return;
        }
        message.wrap(receives.address(slot), ControlMessage.LENGTH);
        final int type = ControlMessage.type(message);
        final long position = ControlMessage.position(message);
        if (ControlMessage.generation(message) != generation)
        {
            broken = true;
            fail(FailureKind.STALE_MESSAGE, 0);
        }
        else if (type == ControlMessage.START && !started)
        {
            onStart(position, now);
        }
        else if (type == ControlMessage.END_OF_STREAM && started && position == received)
        {
            endPosition = position;
            endStream();
        }
        else
        {
            fail(FailureKind.PROTOCOL, type);
        }
    }

    private void onStart(final long position, final long now)
    {
        if (position < 0 || position >= RingLayout.MAX_POSITION || position % FrameHeader.ALIGNMENT != 0 ||
            (received != SetupReply.NEW_IMAGE && received != position))
        {
            fail(FailureKind.PROTOCOL, 0);
            return;
        }
        started = true;
        received = position;
        feedback.start(ControlMessage.cellAddress(message), ControlMessage.cellRkey(message), position, now);
        if (!open)
        {
            publish();
        }
        whenStarted.run();
    }

    /** Its subscribers are in its gating list: what has arrived is theirs. Control's, once it was handed back. */
    void open()
    {
        quiet = false;
        if (started && !open)
        {
            open = true;
            publish();
            endStream();
        }
    }

    /** Tells the subscribers where the stream ends. The connection is the sender's to end, once it knows that we do. */
    private void endStream()
    {
        if (open && endPosition != Long.MAX_VALUE)
        {
            ring.endStreamAt(endPosition);
        }
    }

    /**
     * Reposts receives, says what was consumed, watches the peer.
     *
     * @return requests posted.
     */
    int maintain(final long now)
    {
        if (draining || (quiet && now - quietUntil < 0))
        {
            return 0;
        }
        int work = 0;
        if (failure == null)
        {
            final int errno = receives.repost(queuePair, workBase);
            if (errno != 0)
            {
                fail(FailureKind.POST_REFUSED, errno);
            }
            if (started)
            {
                work = feedback.write(queuePair, receives.posted(), received, open, now);
                counters.hold = StreamCounters.Hold.NONE;
            }
            polls.addTo(counters);
            counters.position = received;
            counters.consumed = feedback.consumed();
            counters.outstanding = feedback.outstanding();
            counters.credits = receives.outstanding();
            checkDeadlines(now);
            quiet = work == 0 && failure == null;
            quietUntil = quiet ? now + Math.min(ReplicationSettings.QUIET, waitLimit(now)) : now;
        }
        return work;
    }

    /** The receiver was kept from running for so long, in which it heard nothing of anybody. */
    void wasAway(final long nanos)
    {
        heardAt += nanos;
        feedback.wasAway(nanos);
    }

    /**
     * Whether nothing has come for a while and nothing is to be written, or its subscribers let it wait: until
     * {@link #waitLimit} it needs no visit unless a completion or control wants one.
     */
    boolean mayRest(final long now)
    {
        return quiet && failure == null && now - advancedAt >= REST_AFTER && waitLimit(now) >= REST_AFTER;
    }

    /** Something has come for it: the next cycle looks at everything. */
    void attend()
    {
        quiet = false;
    }

    /** The receiver is about to wait: the cycle before looks at everything. */
    void announce()
    {
        quiet = false;
    }

    /** {@return nanoseconds for which nothing needs the receiver that no completion announces} */
    long waitLimit(final long now)
    {
        if (failure != null)
        {
            return draining ? drainDeadline - now : 0;
        }
        final long limit = longestSilence() - (now - heardAt);
        return started ? Math.min(limit, feedback.waitLimit(receives.posted(), received, open, now)) : limit;
    }

    private void checkDeadlines(final long now)
    {
        if (feedback.failure() != null)
        {
            failure = feedback.failure();
        }
        else if (now - heardAt > longestSilence())
        {
            fail(FailureKind.SILENT_PEER, 0);
        }
    }

    private long longestSilence()
    {
        return started ? settings.peerTimeout() : setUpTimeout;
    }

    /**
     * Ends the connection: from now on the peer places nothing; what had arrived is still to be taken from the
     * completion queue.
     */
    void cutOff(final long now)
    {
        draining = true;
        drainDeadline = now + settings.drainTimeout();
        queuePair.toError();
    }

    /** {@return whether every completion of the ended connection has been applied, or will not come} */
    boolean isDrained(final long now)
    {
        return draining && (receives.outstanding() == 0 || now - drainDeadline >= 0);
    }

    /** The receiver has let go of it. */
    void ended()
    {
        whenEnded.run();
    }

    boolean isDraining()
    {
        return draining;
    }

    void fail(final FailureKind kind, final int detail)
    {
        quiet = false;
        broken |= kind == FailureKind.PROTOCOL;
        if (failure == null)
        {
            failure = new StreamFailure(kind, detail);
        }
    }

    StreamFailure failure()
    {
        return failure;
    }

    long workBase()
    {
        return workBase;
    }

    /** {@return whether the peer has said where the stream starts} */
    boolean isStarted()
    {
        return started;
    }

    /** {@return position up to which everything has arrived; -1 if the stream has not started} */
    long received()
    {
        return received;
    }

    /** {@return where the stream ended, or {@link Long#MAX_VALUE}} */
    long endPosition()
    {
        return endPosition;
    }

    /** {@return position that its subscribers have consumed, as last looked at} */
    long consumed()
    {
        return feedback.consumed();
    }

    PollShare polls()
    {
        return polls;
    }

    Ring ring()
    {
        return ring;
    }
}

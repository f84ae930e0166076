package io.gannet.driver.stream;

import java.net.InetSocketAddress;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.WcStatus;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.Ring;
import io.gannet.ring.RingLayout;

/**
 * An image of a publication of another host, over all its connections.
 * <pre>
 *   CREATING - IDLE - CONNECTED - ENDING - IDLE ...   - ENDED
 * </pre>
 * Only one connection lives at a time. The next one is accepted when the queue pair of the last is closed, and told the
 * position up to which everything had arrived by then. For the control thread alone.
 */
public final class ImageSession implements CmEventOwner
{
    /** No earlier image of the publication, so no gap is known. */
    public static final long NO_GAP = -1;

    private enum State
    {
        CREATING, IDLE, CONNECTED, ENDING, ENDED
    }

    private final ReplicationContext context;
    private final InetSocketAddress address;
    private final InetSocketAddress publisher;
    private final SetupRequest request;
    private final long gapFrom;
    private final long imageTimeout;
    private final int imageNumber;
    private State state = State.CREATING;
    private Ring ring;
    private GatingMinimum gating;
    private ProtectionDomain domain;
    private MemoryRegion region;
    private ImageConnection connection;
    private final StreamCounters counters = new StreamCounters();
    private boolean started;
    private boolean unwanted;
    private boolean suspended;
    private boolean streamEnded;
    private boolean connected;
    private long startPosition = SetupReply.NEW_IMAGE;
    private long received = SetupReply.NEW_IMAGE;
    private long consumed = SetupReply.NEW_IMAGE;
    private long idleSince;
    /** Why the publisher refused the last connection, or {@link SetupRefusal#UNKNOWN}. */
    private int refusal;
    private boolean answered;
    /** Of one that is asked for again and again, once. */
    private boolean toldOfRefusal;
    private int generation;

    ImageSession(
        final ReplicationContext context,
        final InetSocketAddress address,
        final InetSocketAddress publisher,
        final SetupRequest request,
        final long gapFrom)
    {
        this.context = context;
        this.address = address;
        this.publisher = publisher;
        this.request = request;
        this.gapFrom = gapFrom;
        imageTimeout = imageTimeout();
        imageNumber =
            gapFrom == NO_GAP ? context.nextImageNumber() : JoinRequest.later(context.nextImageNumber());
        context.resources.submit(() -> context.resources.createImage(request), this::onCreated);
    }

    /** An image that the driver before has left, to go on with; its subscribers are in its gating list. */
    ImageSession(
        final ReplicationContext context,
        final InetSocketAddress address,
        final InetSocketAddress publisher,
        final SetupRequest request,
        final Ring left)
    {
        this.context = context;
        this.address = address;
        this.publisher = publisher;
        this.request = request;
        this.gapFrom = NO_GAP;
        imageTimeout = imageTimeout();
        imageNumber = context.nextImageNumber();
        received = left.memory().getLongAcquire(left.headerAddress() + RingLayout.RECEIVED_OFFSET);
        startPosition = received;
        counters.position = received;
        counters.holdSince = context.now();
        started = true;
        context.resources.submit(() -> left, this::onCreated);
    }

    private long imageTimeout()
    {
        final long wanted = context.listener.imageTimeout(address, request);
        return wanted == 0 ? context.settings.imageTimeout() : wanted;
    }

    private void onCreated(final Ring created, final Throwable failure)
    {
        idleSince = context.now();
        if (failure != null)
        {
            context.listener.onError("no image of " + request + ": " + failure.getMessage());
            state = State.ENDED;
            return;
        }
        ring = created;
        gating = new GatingMinimum(ring);
        if (started)
        {
            final long minimum = gating.refresh(received);
            consumed = minimum == RingLayout.FREE ? received : Math.max(0, minimum);
        }
        try
        {
            domain = context.device.allocateProtectionDomain();
            region = domain.register(
                ring.dataAddress(), 2L * ring.capacity(), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            state = State.IDLE;
        }
        catch (final RdmaException ex)
        {
            context.listener.onError("no image of " + request + ": " + ex.getMessage());
            finish(new StreamFailure(FailureKind.CLOSED, 0));
        }
    }

    int doWork()
    {
        if (state == State.IDLE && (unwanted || context.now() - idleSince > imageTimeout))
        {
            finish(new StreamFailure(unwanted ? FailureKind.CLOSED : FailureKind.SILENT_PEER, 0));
            return 1;
        }
        return 0;
    }

    boolean isIdle()
    {
        return state == State.IDLE && !unwanted;
    }

    boolean isEnded()
    {
        return state == State.ENDED;
    }

    /** Whether it has ended because nobody reads it, which its publisher does not know yet. */
    boolean isLeft()
    {
        return state == State.ENDED && unwanted && !suspended && started;
    }

    /** Whether it ends, or has ended, because nobody reads it, or its publisher wants another one. */
    boolean isUnwanted()
    {
        return unwanted;
    }

    /** Whether it has ended with its stream: no other image follows. */
    boolean isLast()
    {
        return state == State.ENDED && streamEnded;
    }

    boolean isStarted()
    {
        return started;
    }

    /** Whether a request was answered already, with a connection, or was made before one that was. */
    boolean isOutdated(final SetupRequest asked)
    {
        return connected && Generation.isOutdated(asked.generation(), generation);
    }

    /**
     * Takes a connection; {@link #isIdle()} must be true.
     *
     * @throws RdmaException if the device cannot; the session stays idle.
     */
    void accept(final CmId id, final int number)
    {
        prepare(id, number, context.settings.connectTimeout(), () -> id.accept(
            context.settings.parameters(),
            new SetupReply(
                number, region.rkey(), context.settings.receiveDepth(), ring.dataAddress(), received).encode()));
    }

    /**
     * Connects to a fan-out publication by an identifier with a route; {@link #isIdle()} must be true.
     *
     * @param patience nanoseconds for which an answer is waited for.
     * @throws RdmaException if the device cannot; the session stays idle.
     */
    void connect(
        final CmId id, final int number, final ConnectParameters parameters, final long patience)
    {
        refusal = SetupRefusal.UNKNOWN;
        answered = false;
        prepare(id, number, patience, () -> id.connect(
            parameters,
            new JoinRequest(
                imageNumber,
                request.streamId(),
                number,
                request.publicationId(),
                context.driverId,
                ring.dataAddress(),
                received,
                region.rkey(),
                context.settings.receiveDepth()).encode()));
    }

    /** Makes everything that a connection needs, posts receives, and says the word that lets the peer send. */
    private void prepare(final CmId id, final int number, final long connectTimeout, final Runnable word)
    {
        generation = number;
        final long now = context.now();
        id.context(this);
        final ImageConnection made = new ImageConnection(context, id, domain);
        try
        {
            final FeedbackWriter feedback = made.feedback(ring, gating, counters, consumed);
            made.receive(new InboundImage(
                ring,
                made.queuePair(),
                context.settings,
                made.receives(),
                feedback,
                context.waker,
                counters,
                made.workBase(),
                generation,
                received,
                setUpTimeout(connectTimeout, now),
                () -> context.inbox.add(this::onStarted),
                () -> context.inbox.add(this::onConnectionEnded),
                now));
            word.run();
        }
        catch (final RdmaException ex)
        {
            made.release();
            throw ex;
        }
        connection = made;
        counters.reconnects += started ? 1 : 0;
        connection.start();
        connected = true;
        state = State.CONNECTED;
    }

    /** As long as an attempt may last, but hardly beyond the image timeout. */
    private long setUpTimeout(final long connectTimeout, final long now)
    {
        return Math.max(
            context.settings.peerTimeout(), Math.min(connectTimeout, imageTimeout - (now - idleSince)));
    }

    @Override
    public void onCmEvent(final CmEvent event)
    {
        if (state != State.CONNECTED || !event.id().equals(connection.id()))
        {
            return;
        }
        switch (event.type())
        {
            case REJECTED ->
            {
                refusal = SetupRefusal.decode(event.privateData(), generation);
                endConnection(FailureKind.DISCONNECTED);
            }
            case DISCONNECTED, UNREACHABLE, CONNECT_ERROR, DEVICE_REMOVAL ->
                endConnection(FailureKind.DISCONNECTED);
            default ->
            {
            }
        }
    }

    /** Ends the connection there is, if any: its publisher has asked for a new one, or this side does not want it. */
    void endConnection(final FailureKind reason)
    {
        if (state == State.CONNECTED)
        {
            state = State.ENDING;
            connection.end(reason);
        }
    }

    /** Ends the image for good: nobody reads it any more, or its publisher starts anew. */
    void end()
    {
        unwanted = true;
        endConnection(FailureKind.CLOSED);
    }

    /** Ends the connection, but not the image: the driver that comes next goes on with it. */
    void suspend()
    {
        suspended = true;
        end();
    }

    private void onStarted()
    {
        answered = true;
        if (!started)
        {
            started = true;
            startPosition = ring.memory().getLongAcquire(ring.headerAddress() + RingLayout.RECEIVED_OFFSET);
            context.listener.onImageStarted(this);
        }
        else
        {
            context.listener.onImageResumed(this);
        }
        connection.open();
    }

    /** The receiver has applied everything that had arrived. */
    private void onConnectionEnded()
    {
        final InboundImage image = connection.image();
        final StreamFailure failure = image.failure();
        streamEnded = image.endPosition() != Long.MAX_VALUE;
        // Of one that was turned away only the flushed receives are left: the attempts are many, and all alike.
        final boolean worthTelling = image.isStarted() || failure.kind() != FailureKind.COMPLETION_ERROR ||
            failure.detail() != WcStatus.WR_FLUSH_ERR;
        answered |= image.isStarted() || refusal != SetupRefusal.UNKNOWN;
        if (image.isStarted())
        {
            // The receiver may have let go of it before it was told to.
            image.open();
            toldOfRefusal = false;
            received = image.received();
            consumed = image.consumed();
            // An attempt that came to nothing does not prolong the wait.
            idleSince = context.now();
        }
        connection.close();
        connection = null;
        counters.hold = StreamCounters.Hold.CONNECTION;
        counters.holdSince = context.now();
        state = State.IDLE;
        if (streamEnded)
        {
            finish(new StreamFailure(FailureKind.END_OF_STREAM, 0));
        }
        else if (refusal == SetupRefusal.NO_SUCH_IMAGE || refusal == SetupRefusal.NO_SUCH_PUBLICATION)
        {
            finish(new StreamFailure(FailureKind.SILENT_PEER, 0));
        }
        else if (refusal == SetupRefusal.TOO_MANY)
        {
            if (!toldOfRefusal)
            {
                toldOfRefusal = true;
                context.listener.onImageRefused(this, SetupRefusal.describe(refusal));
            }
        }
        else if (!unwanted && refusal == SetupRefusal.UNKNOWN && worthTelling)
        {
            context.listener.onImageInterrupted(this, failure);
        }
    }

    private void finish(final StreamFailure reason)
    {
        state = State.ENDED;
        if (region != null)
        {
            region.close();
        }
        if (domain != null)
        {
            domain.close();
        }
        if (suspended && reason.kind() != FailureKind.END_OF_STREAM)
        {
            return;
        }
        if (started)
        {
            if (reason.kind() == FailureKind.END_OF_STREAM)
            {
                ring.endStreamAt(received);
            }
            else
            {
                ring.breakOffAt(received);
            }
        }
        context.listener.onImageEnded(this, reason);
    }

    /** {@return what was done for it, over all connections} */
    public StreamCounters counters()
    {
        return counters;
    }

    /** {@return the ring; null before it is made} */
    public Ring ring()
    {
        return ring;
    }

    /** {@return what its publisher said of it} */
    public SetupRequest request()
    {
        return request;
    }

    /** {@return the address at which it came in} */
    public InetSocketAddress address()
    {
        return address;
    }

    /** {@return the address that it comes from} */
    public InetSocketAddress publisher()
    {
        return publisher;
    }

    /** {@return its first position, from the start on} */
    public long startPosition()
    {
        return startPosition;
    }

    /** {@return position up to which everything had arrived when its last connection ended} */
    public long receivedPosition()
    {
        return received;
    }

    /** {@return its number among the images of the driver's life} */
    int imageNumber()
    {
        return imageNumber;
    }

    /** {@return why the publisher refused the last connection, or {@link SetupRefusal#UNKNOWN}} */
    int refusal()
    {
        return refusal;
    }

    /** {@return whether the publisher has said anything in the connection there is, or the last one} */
    boolean wasAnswered()
    {
        return answered;
    }

    /** {@return where the gap before the publication's next image begins; an image that never started adds none} */
    long nextGapFrom()
    {
        return started ? received : gapFrom;
    }

    /**
     * {@return where the last image of the same publication ended, so that its subscribers miss what lies between that
     * and {@link #startPosition()}; {@link #NO_GAP} if there was none}
     */
    public long gapFrom()
    {
        return gapFrom;
    }
}

package io.gannet.driver.stream;

import io.gannet.rdma.CmId;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.Ring;

/**
 * What one connection of an image holds: its queue pair, the memory behind it, and a place at a receiver. For the
 * control thread; to be closed once the receiver has let go of it.
 */
final class ImageConnection
{
    /** Requests of the receiver's send queue: feedback only. */
    private static final int SEND_DEPTH = 64;

    private final ReplicationContext context;
    private final CmId id;
    private final AgentShares.Share<Receiver> share;
    private QpAttributes attributes;
    private QueuePair queuePair;
    private ConnectionMemory memory;
    private ReceiveQueue receives;
    private long workBase;
    private InboundImage image;

    /**
     * @param id stays the caller's until {@link #start()}.
     * @throws RdmaException if the device cannot; nothing is held then.
     */
    ImageConnection(final ReplicationContext context, final CmId id, final ProtectionDomain domain)
    {
        this.context = context;
        this.id = id;
        share = context.receivers.take();
        try
        {
            final int receiveDepth = context.settings.receiveDepth();
            attributes = context.attributes(share.queues, SEND_DEPTH, receiveDepth);
            queuePair = id.createQueuePair(domain, attributes);
            memory = new ConnectionMemory(domain, receiveDepth + SEND_DEPTH, ReceiveQueue.SLOT_LENGTH);
            workBase = context.receiverIndexes.take();
            receives = new ReceiveQueue(memory, receiveDepth);
        }
        catch (final RdmaException ex)
        {
            release();
            throw ex;
        }
    }

    /** {@return the writer of this connection's feedback, for a reader that has consumed so far} */
    FeedbackWriter feedback(
        final Ring ring, final GatingMinimum gating, final StreamCounters counters, final long consumed)
    {
        return new FeedbackWriter(
            ring,
            gating,
            context.settings,
            memory,
            context.settings.receiveDepth(),
            SEND_DEPTH,
            queuePair.maxInline(),
            counters,
            workBase,
            consumed);
    }

    /**
     * Posts all receives.
     *
     * @param arrivals takes what completes.
     * @throws RdmaException if the device takes none.
     */
    void receive(final InboundImage arrivals)
    {
        image = arrivals;
        final int errno = receives.postAll(queuePair, workBase);
        if (errno != 0)
        {
            throw new RdmaException(errno, "cannot post " + context.settings.receiveDepth() + " receives");
        }
    }

    /** Hands it to the receiver; the identifier is closed with it from now on. */
    void start()
    {
        share.agent.add(image, attributes.receiveQueue());
    }

    /** The subscribers of the image are in its gating list. */
    void open()
    {
        share.agent.open(image);
    }

    /** Has the receiver let go of it, which it tells when it has. */
    void end(final FailureKind reason)
    {
        share.agent.end(image, reason);
    }

    void close()
    {
        release();
        id.close();
    }

    /** Frees everything but the identifier. */
    void release()
    {
        if (receives != null)
        {
            context.receiverIndexes.free(workBase);
        }
        if (queuePair != null)
        {
            queuePair.close();
        }
        if (attributes != null)
        {
            context.release(share.queues, attributes);
        }
        context.receivers.release(share);
        if (memory != null)
        {
            memory.close();
        }
    }

    CmId id()
    {
        return id;
    }

    QueuePair queuePair()
    {
        return queuePair;
    }

    ReceiveQueue receives()
    {
        return receives;
    }

    long workBase()
    {
        return workBase;
    }

    InboundImage image()
    {
        return image;
    }
}

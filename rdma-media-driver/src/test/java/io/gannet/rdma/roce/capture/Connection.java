package io.gannet.rdma.roce.capture;

import io.gannet.rdma.roce.wire.CmIds;
import io.gannet.rdma.roce.wire.CmRep;
import io.gannet.rdma.roce.wire.CmReq;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection of a capture: its set-up and the packets of both directions in the order in which they were seen.
 */
public final class Connection
{
    private final UnsafeBuffer req;
    private final UnsafeBuffer rep;
    private final Frame request;
    private final List<Frame> packets = new ArrayList<>();

    private Connection(final Frame req, final Frame rep)
    {
        this.request = req;
        this.req = body(req);
        this.rep = body(rep);
    }

    /** All connections with a REQ and a REP. */
    public static List<Connection> of(final String capture)
    {
        final List<Frame> frames = Capture.read(capture);
        final List<Connection> connections = new ArrayList<>();
        for (final Frame rep : frames)
        {
            if (attribute(rep) == Mad.REP && connections.stream().noneMatch(c -> c.isOf(rep)))
            {
                frames.stream()
                    .filter(f -> attribute(f) == Mad.REQ && CmIds.local(body(f), 0) == CmIds.remote(body(rep), 0))
                    .findFirst()
                    .ifPresent(f -> connections.add(new Connection(f, rep)));
            }
        }
        for (final Frame frame : frames)
        {
            connections.stream()
                .filter(c -> Opcode.isRc(frame.opcode()) && c.isBetween(frame))
                .forEach(c -> c.packets.add(frame));
        }
        return connections;
    }

    /** RC packets, both directions. */
    public List<Frame> packets()
    {
        return packets;
    }

    /** Whether a packet comes from the side that sent the REQ. */
    public boolean fromInitiator(final Frame frame)
    {
        return frame.source().equals(request.source());
    }

    /** Path MTU in bytes. */
    public int mtu()
    {
        return 128 << CmReq.mtuCode(req, 0);
    }

    /** QPN of one side. */
    public int qpn(final boolean initiator)
    {
        return initiator ? CmReq.qpn(req, 0) : CmRep.qpn(rep, 0);
    }

    /** First PSN that one side sends. */
    public int sendPsn(final boolean initiator)
    {
        return initiator ? CmRep.startingPsn(rep, 0) : CmReq.startingPsn(req, 0);
    }

    /** ACK time-out code of both sides. */
    public int ackTimeout()
    {
        return CmReq.ackTimeout(req, 0);
    }

    /** Retry count of both sides. */
    public int retryCount()
    {
        return CmReq.retryCount(req, 0);
    }

    /** RNR retry count of one side: what the other asked for. */
    public int rnrRetry(final boolean initiator)
    {
        return initiator ? CmRep.rnrRetryCount(rep, 0) : CmReq.rnrRetryCount(req, 0);
    }

    private boolean isBetween(final Frame frame)
    {
        return frame.qpn() == qpn(!fromInitiator(frame));
    }

    private boolean isOf(final Frame otherRep)
    {
        return CmIds.remote(body(otherRep), 0) == CmIds.remote(rep, 0);
    }

    private static int attribute(final Frame frame)
    {
        return frame.opcode() == Opcode.UD_SEND_ONLY ? Mad.attribute(frame.buffer(), Mad.PACKET_OFFSET) : 0;
    }

    private static UnsafeBuffer body(final Frame frame)
    {
        return new UnsafeBuffer(frame.bytes(), Mad.PACKET_OFFSET + Mad.BODY, Mad.BODY_SIZE);
    }
}

package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads all fields of a packet through the descriptors and writes them to fresh memory through the descriptors.
 * Payload, padding, private data and ICRC are copied. Fields that the NIC always sends as constants, and that some
 * captures vary on purpose, are copied too, one by one.
 */
final class Rewriter
{
    private final UnsafeBuffer in;
    private final UnsafeBuffer out;
    private final int length;

    private Rewriter(final byte[] packet)
    {
        in = new UnsafeBuffer(packet);
        out = new UnsafeBuffer(new byte[packet.length]);
        length = packet.length;
    }

    static byte[] rewrite(final byte[] packet)
    {
        final Rewriter rewriter = new Rewriter(packet);
        rewriter.packet();
        return rewriter.out.byteArray();
    }

    private void packet()
    {
        final int opcode = Bth.opcode(in, 0);
        Bth.write(out, 0, opcode, Bth.flags(in, 0), Bth.qpn(in, 0), Bth.ackRequest(in, 0), Bth.psn(in, 0));
        Bth.congestion(out, 0, Bth.fecn(in, 0), Bth.becn(in, 0));
        if (!Bth.inDefaultPartition(in, 0) || Bth.pkey(in, 0) == 0x7fff)
        {
            out.putShort(Bth.PKEY, (short) Bth.pkey(in, 0), ByteOrder.BIG_ENDIAN);
        }
        int at = Bth.SIZE;
        if (opcode == Opcode.UD_SEND_ONLY)
        {
            Deth.write(out, at, Deth.qkey(in, at), Deth.sourceQpn(in, at));
            mad();
            copy(length - Packets.ICRC_SIZE, Packets.ICRC_SIZE);
            return;
        }
        if (Opcode.hasReth(opcode))
        {
            Reth.write(out, at, Reth.address(in, at), Reth.rkey(in, at), (int) Reth.length(in, at));
            at += Reth.SIZE;
        }
        if (Opcode.hasAeth(opcode))
        {
            Aeth.write(out, at, Aeth.syndrome(in, at), Aeth.msn(in, at));
            at += Aeth.SIZE;
        }
        if (Opcode.hasImm(opcode))
        {
            ImmDt.write(out, at, ImmDt.value(in, at));
            at += ImmDt.SIZE;
        }
        copy(at, length - at);
    }

    private void mad()
    {
        final int mad = Mad.PACKET_OFFSET;
        final int body = mad + Mad.BODY;
        Mad.write(out, mad, Mad.attribute(in, mad), Mad.transactionId(in, mad));
        if (!Mad.isConnectionManagement(in, mad))
        {
            copy(mad, Integer.BYTES);
        }
        switch (Mad.attribute(in, mad))
        {
            case Mad.REQ -> req(body);
            case Mad.REP -> rep(body);
            case Mad.REJ ->
            {
                ids(body);
                CmRej.write(out, body, CmRej.message(in, body), CmRej.reason(in, body), CmRej.infoLength(in, body));
                copy(body + CmRej.INFO, CmRej.infoLength(in, body));
                copy(body + CmRej.PRIVATE_DATA, CmRej.PRIVATE_DATA_SIZE);
            }
            case Mad.MRA ->
            {
                ids(body);
                CmMra.write(out, body, CmMra.message(in, body), CmMra.serviceTimeout(in, body));
            }
            case Mad.DREQ ->
            {
                ids(body);
                CmDreq.write(out, body, CmDreq.qpn(in, body));
                copy(body + CmDreq.PRIVATE_DATA, CmDreq.PRIVATE_DATA_SIZE);
            }
            case Mad.RTU ->
            {
                ids(body);
                copy(body + CmRtu.PRIVATE_DATA, CmRtu.PRIVATE_DATA_SIZE);
            }
            case Mad.DREP ->
            {
                ids(body);
                copy(body + CmDrep.PRIVATE_DATA, CmDrep.PRIVATE_DATA_SIZE);
            }
            default -> throw new AssertionError("attribute " + Mad.attribute(in, mad));
        }
    }

    private void req(final int body)
    {
        CmReq.writeIdentity(
            out, body, CmIds.local(in, body), CmReq.serviceId(in, body), CmReq.caGuid(in, body), CmReq.qpn(in, body),
            CmReq.startingPsn(in, body));
        CmReq.writeTransport(
            out, body, CmReq.mtuCode(in, body), CmReq.retryCount(in, body), CmReq.rnrRetryCount(in, body),
            CmReq.ackTimeout(in, body), CmReq.flowControl(in, body));
        CmReq.writeReadResources(out, body, CmReq.responderResources(in, body), CmReq.initiatorDepth(in, body));
        CmReq.writeResponseTimeouts(
            out, body, CmReq.localResponseTimeout(in, body), CmReq.remoteResponseTimeout(in, body));
        CmReq.writePath(
            out, body, CmReq.localGid(in, body), CmReq.remoteGid(in, body), CmReq.flowLabel(in, body),
            CmReq.trafficClass(in, body), CmReq.hopLimit(in, body));
        final int header = body + CmReq.PRIVATE_DATA;
        RdmaCmHeader.write(
            out, header, RdmaCmHeader.sourcePort(in, header), RdmaCmHeader.source(in, header),
            RdmaCmHeader.destination(in, header));
        copy(header + RdmaCmHeader.SIZE, RdmaCmHeader.USER_DATA_SIZE);
        constants(body, header);
    }

    private void constants(final int body, final int header)
    {
        if (CmReq.pkey(in, body) != Bth.DEFAULT_PKEY)
        {
            copy(body + 48, 2);
        }
        if (in.getInt(body + 52) == 0)
        {
            copy(body + 52, 4);
        }
        if (CmReq.transportType(in, body) != CmReq.TRANSPORT_RC)
        {
            out.putByte(body + 43, (byte) (out.getByte(body + 43) | CmReq.transportType(in, body) << 1));
        }
        if (CmReq.maxCmRetries(in, body) != 15)
        {
            copy(body + 51, 1);
        }
        final int ipVersion = RdmaCmHeader.source(in, header).isIpv4() ? 4 : 6;
        if (RdmaCmHeader.version(in, header) != 0 || RdmaCmHeader.ipVersion(in, header) != ipVersion)
        {
            copy(header, 2);
        }
    }

    private void rep(final int body)
    {
        ids(body);
        CmRep.writeIdentity(
            out, body, CmRep.qpn(in, body), CmRep.startingPsn(in, body), CmRep.caGuid(in, body));
        CmRep.writeTransport(
            out, body, CmRep.ackDelay(in, body), CmRep.rnrRetryCount(in, body), CmRep.flowControl(in, body),
            CmRep.responderResources(in, body), CmRep.initiatorDepth(in, body));
        copy(body + CmRep.PRIVATE_DATA, CmRep.PRIVATE_DATA_SIZE);
    }

    private void ids(final int body)
    {
        CmIds.write(out, body, CmIds.local(in, body), CmIds.remote(in, body));
    }

    private void copy(final int offset, final int count)
    {
        out.putBytes(offset, in, offset, count);
    }
}

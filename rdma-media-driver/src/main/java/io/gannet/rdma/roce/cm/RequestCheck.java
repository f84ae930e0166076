package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.CmRej;
import io.gannet.rdma.roce.wire.CmReq;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.RdmaCmHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Whether a REQ can be met, with the reasons that a kernel would give, in its order: path, listener, address header,
 * transport, MTU. Stricter than a kernel where that costs no honest peer anything: the address header must name the
 * sender, and the path MTU must be one that both can do.
 */
final class RequestCheck
{
    /** No reason to refuse. */
    static final int FINE = 0;

    private final Gid local;
    private final int mtuCode;

    RequestCheck(final Gid local, final int mtuCode)
    {
        this.local = local;
        this.mtuCode = mtuCode;
    }

    int refusal(final UnsafeBuffer buffer, final int body, final boolean listens)
    {
        final boolean ourPartition = (CmReq.pkey(buffer, body) & 0x7fff) == (Bth.DEFAULT_PKEY & 0x7fff);
        if (!ourPartition || !CmReq.remoteGid(buffer, body).equals(local))
        {
            return CmRej.INVALID_GID;
        }
        if (!listens)
        {
            return CmRej.INVALID_SERVICE;
        }
        final int header = body + CmReq.PRIVATE_DATA;
        if (RdmaCmHeader.version(buffer, header) != 0 ||
            RdmaCmHeader.ipVersion(buffer, header) != (local.isIpv4() ? 4 : 6) ||
            !RdmaCmHeader.destination(buffer, header).equals(local) ||
            !RdmaCmHeader.source(buffer, header).equals(CmReq.localGid(buffer, body)) ||
            CmReq.transportType(buffer, body) != CmReq.TRANSPORT_RC)
        {
            return CmRej.CONSUMER;
        }
        final int code = CmReq.mtuCode(buffer, body);
        return Packets.isMtuCode(code) && code <= mtuCode ? FINE : CmRej.INVALID_MTU;
    }
}

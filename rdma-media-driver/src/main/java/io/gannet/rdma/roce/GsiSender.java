package io.gannet.rdma.roce;

import io.gannet.rdma.roce.cm.CmSink;
import io.gannet.rdma.roce.net.UdpPath;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Deth;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Wraps the connection manager's messages into datagrams from QP 1 to QP 1. Ways to the peers of late are kept.
 */
final class GsiSender implements CmSink
{
    private static final int MAX_PATHS = 256;

    private final RoceDevice device;
    private final Map<Gid, UdpPath> paths = new LinkedHashMap<>();
    private int psn;

    GsiSender(final RoceDevice device)
    {
        this.device = device;
    }

    @Override
    public void send(final Gid to, final UnsafeBuffer mad)
    {
        final UdpPath path = paths.computeIfAbsent(to, gid -> device.paths().of(gid, 0));
        final int at = path.claim(Packets.CM_SIZE);
        if (at >= 0)
        {
            final UnsafeBuffer packet = path.buffer();
            Bth.write(packet, at, Opcode.UD_SEND_ONLY, 0, Bth.GSI_QPN, true, psn++);
            Deth.write(packet, at + Bth.SIZE, Deth.GSI_QKEY, Bth.GSI_QPN);
            packet.putBytes(at + Mad.PACKET_OFFSET, mad, 0, Mad.SIZE);
            path.commit();
        }
        if (paths.size() > MAX_PATHS)
        {
            final Iterator<UdpPath> oldest = paths.values().iterator();
            oldest.next();
            oldest.remove();
        }
    }
}

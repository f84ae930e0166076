package io.gannet.rdma.roce;

import io.gannet.rdma.roce.cm.CmAgent;
import io.gannet.rdma.roce.net.AllowList;
import io.gannet.rdma.roce.net.PacketReceiver;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Deth;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Icrc;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import java.nio.ByteBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Checks each received packet and hands it to its queue pair or to the connection manager. What fails a check is
 * dropped without an answer and counted.
 */
final class PacketDispatcher implements PacketReceiver
{
    private final Gid local;
    private final AllowList allow;
    private final Counters counters;
    private final Int2ObjectHashMap<RoceQueuePair> queuePairs = new Int2ObjectHashMap<>();
    private final Icrc icrc = new Icrc();
    private CmAgent agent;
    private long lastHigh;
    private long lastLow;
    private int lastPort = -1;
    private boolean lastPermitted;
    private long now;

    PacketDispatcher(final Gid local, final AllowList allow, final Counters counters)
    {
        this.local = local;
        this.allow = allow;
        this.counters = counters;
    }

    void agent(final CmAgent connectionAgent)
    {
        agent = connectionAgent;
    }

    /** Time of the packets that follow. */
    void now(final long nanos)
    {
        now = nanos;
    }

    boolean isTaken(final int qpn)
    {
        return queuePairs.containsKey(qpn);
    }

    void add(final RoceQueuePair queuePair)
    {
        queuePairs.put(queuePair.number(), queuePair);
    }

    void remove(final RoceQueuePair queuePair)
    {
        queuePairs.remove(queuePair.number());
    }

    @Override
    public void onPacket(
        final UnsafeBuffer packet,
        final ByteBuffer bytes,
        final int offset,
        final int length,
        final long sourceHigh,
        final long sourceLow,
        final int sourcePort,
        final boolean congested)
    {
        counters.increment(Counter.PACKETS_RECEIVED);
        counters.add(Counter.BYTES_RECEIVED, length);
        if (sourceLow != lastLow || sourceHigh != lastHigh || sourcePort != lastPort)
        {
            newSource(sourceHigh, sourceLow, sourcePort);
        }
        if (!lastPermitted)
        {
            counters.increment(Counter.DROP_NOT_ALLOWED);
        }
        else if (!Packets.wellFormed(packet, offset, length))
        {
            counters.increment(Counter.DROP_MALFORMED);
        }
        else if (!Bth.inDefaultPartition(packet, offset))
        {
            counters.increment(Counter.DROP_PKEY);
        }
        else if (Bth.qpn(packet, offset) == Bth.GSI_QPN)
        {
            onManagement(packet, bytes, offset, length);
        }
        else
        {
            onConnected(packet, bytes, offset, length, congested);
        }
    }

    private void newSource(final long high, final long low, final int port)
    {
        lastHigh = high;
        lastLow = low;
        lastPort = port;
        lastPermitted = allow.permits(high, low);
        if (local.isIpv4())
        {
            icrc.ipv4((int) low, local.ipv4(), port);
        }
        else
        {
            icrc.ipv6(new Gid(high, low), local, port);
        }
    }

    private void onManagement(final UnsafeBuffer packet, final ByteBuffer bytes, final int offset, final int length)
    {
        if (Bth.opcode(packet, offset) != Opcode.UD_SEND_ONLY ||
            Deth.qkey(packet, offset + Bth.SIZE) != Deth.GSI_QKEY)
        {
            counters.increment(Counter.DROP_MAD);
        }
        else if (icrc.verify(packet, bytes, offset, length) == Icrc.WRONG)
        {
            counters.increment(Counter.DROP_ICRC);
        }
        else
        {
            agent.onMad(new Gid(lastHigh, lastLow), packet, offset + Mad.PACKET_OFFSET, now);
        }
    }

    private void onConnected(
        final UnsafeBuffer packet, final ByteBuffer bytes, final int offset, final int length, final boolean congested)
    {
        final RoceQueuePair queuePair = queuePairs.get(Bth.qpn(packet, offset));
        final int opcode = Bth.opcode(packet, offset);
        if (queuePair == null)
        {
            counters.increment(Counter.DROP_UNKNOWN_QP);
        }
        else if (!queuePair.isPeer(lastHigh, lastLow))
        {
            counters.increment(Counter.DROP_WRONG_PEER);
        }
        else if (icrc.verify(packet, bytes, offset, length) == Icrc.WRONG)
        {
            counters.increment(Counter.DROP_ICRC);
        }
        else if (Opcode.isRc(opcode))
        {
            if (congested)
            {
                queuePair.notifyCongestion(now);
            }
            queuePair.protocol().onPacket(packet, offset, length, now);
            queuePair.activate();
        }
        else if (opcode == Opcode.CNP)
        {
            queuePair.protocol().onCongestion();
        }
        else
        {
            counters.increment(Counter.DROP_MALFORMED);
        }
    }
}

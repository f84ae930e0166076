package io.gannet.rdma.roce.net;

import io.gannet.os.Errno;
import io.gannet.os.OsException;
import io.gannet.os.SocketMessages;
import io.gannet.os.UdpSocket;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A socket by system calls: a whole batch leaves with one sendmmsg(2), each run of packets cut by the kernel, and comes
 * in joined by the kernel.
 */
public final class NativePacketSocket implements PacketSocket
{
    private static final int SOCKET_BUFFER = 4 << 20;
    /** Calls of a turn. Each takes what the kernel has joined into the same memory, which stays in the cache. */
    private static final int RECEIVES = 8;
    private static final int RECEIVE_SIZE = 1 << 16;
    /** Bytes of a turn, after which the peer hears of them and who waits for them can go on. */
    private static final int MOST_BYTES = 1 << 16;
    /** Bytes of a message that is worth another call. */
    private static final int ALONE = 1_024;
    /** ECT(0): routers may mark a packet instead of dropping it, which the peer's NIC tells this one. */
    private static final int ECN_CAPABLE = 2;
    private static final int ECN_MASK = 3;
    private static final int CONGESTION_EXPERIENCED = 3;
    private static final int EIO = 5;
    private static final int FLOWS = 9;
    private static final int PORT_TRIES = 64;
    /** Source ports of RoCE v2. */
    private static final int FIRST_PORT = 0xc000;
    private static final int PORTS = 0x4000;
    private static final long IPV4_PREFIX = 0xffff_0000_0000L;

    private final Arena arena = Arena.ofShared();
    private final UdpSocket socket;
    /** By flow; the first is {@link #socket}. */
    private final UdpSocket[] senders;
    private final int[] ports;
    private final Counters counters;
    private final SocketMessages outgoing = new SocketMessages(TransmitBatch.MAX_RUNS, arena);
    private final SocketMessages incoming = new SocketMessages(1, arena);
    private final ByteBuffer received = BufferUtil.allocateDirectAligned(RECEIVE_SIZE, 64);
    private final UnsafeBuffer receivedView = new UnsafeBuffer(received);
    private boolean segmenting;
    /** Whether the turn before found something. */
    private boolean busy;

    /**
     * Binds a socket.
     *
     * @param segmenting whether the kernel may cut and join packets; without, it is asked to do neither.
     * @throws io.gannet.os.OsException if the address is taken or not this host's.
     */
    public NativePacketSocket(
        final InetAddress address, final int port, final boolean segmenting, final Counters counters)
    {
        this.counters = counters;
        this.segmenting = segmenting;
        socket = UdpSocket.bind(address, port);
        socket.bufferSizes(SOCKET_BUFFER, SOCKET_BUFFER);
        socket.reportTrafficClass();
        socket.trafficClass(ECN_CAPABLE);
        socket.acceptWithoutChecksum();
        if (segmenting)
        {
            socket.coalesceReceived();
        }
        senders = senders(address, socket);
        ports = new int[senders.length];
        for (int i = 0; i < ports.length; i++)
        {
            ports[i] = senders[i].localPort();
        }
        incoming.buffer(0, receivedView.addressOffset(), RECEIVE_SIZE);
        incoming.prepareReceive(0);
    }

    /**
     * On a network, packets of different queue pairs leave from different ports, so that equal-cost paths share the
     * load. On loopback there is one path, and one port less to take.
     */
    private static UdpSocket[] senders(final InetAddress address, final UdpSocket first)
    {
        final List<UdpSocket> made = new ArrayList<>(List.of(first));
        for (int i = 0; i < PORT_TRIES && made.size() < FLOWS && !address.isLoopbackAddress(); i++)
        {
            try
            {
                final UdpSocket sender =
                    UdpSocket.bind(address, FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS));
                sender.bufferSizes(SOCKET_BUFFER, 0);           // nobody reads it
                sender.trafficClass(ECN_CAPABLE);
                made.add(sender);
            }
            catch (final OsException taken)
            {
                // Another port does as well; fewer flows do, too.
            }
        }
        return made.toArray(UdpSocket[]::new);
    }

    @Override
    public int flows()
    {
        return senders.length;
    }

    @Override
    public int port(final int flow)
    {
        return ports[flow];
    }

    @Override
    public int send(final TransmitBatch batch)
    {
        int packets = 0;
        while (!batch.isEmpty())
        {
            final int first = batch.first();
            final int flow = batch.path(first).flow();
            int end = first;
            while (end < batch.end() && batch.path(end).flow() == flow)
            {
                describe(batch, end++);
            }
            final int sent = senders[flow].send(outgoing, first, end - first);
            if (sent > 0)
            {
                packets += count(batch, first, first + sent);
                batch.drop(sent);
            }
            else if (sent == -Errno.EAGAIN || sent == -Errno.ENOMEM)
            {
                counters.increment(Counter.SOCKET_FULL);
                break;
            }
            else if (sent != -Errno.EINTR)
            {
                refused(batch, first, -sent);
            }
        }
        counters.add(Counter.PACKETS_SENT, packets);
        return packets;
    }

    @Override
    public int receive(final PacketReceiver receiver)
    {
        int packets = 0;
        int bytes = 0;
        for (int i = 0; i < RECEIVES && bytes < MOST_BYTES && socket.receive(incoming, 1) == 1; i++)
        {
            final int length = incoming.length(0);
            bytes += length;
            packets += split(receiver);
            incoming.prepareReceive(0);
            if (!busy && length > 0 && length < ALONE)
            {
                break;          // mostly alone, and to ask for more costs as much as to ask in the next turn
            }
        }
        busy = packets != 0;
        return packets;
    }

    @Override
    public boolean isSegmenting()
    {
        return segmenting;
    }

    @Override
    public int descriptor()
    {
        return socket.descriptor();
    }

    @Override
    public int localPort()
    {
        return socket.localPort();
    }

    @Override
    public void close()
    {
        for (final UdpSocket sender : senders)
        {
            sender.close();
        }
        if (arena.scope().isAlive())
        {
            arena.close();
        }
    }

    private void describe(final TransmitBatch batch, final int run)
    {
        final UdpPath path = batch.path(run);
        outgoing.buffer(run, batch.buffer().addressOffset() + batch.offset(run), batch.length(run));
        outgoing.destination(run, path.address(), path.addressLength());
        if (path.trafficClass() != 0)
        {
            outgoing.trafficClass(run, (path.trafficClass() & ~ECN_MASK) | ECN_CAPABLE);
        }
        if (batch.count(run) > 1)
        {
            outgoing.segmentSize(run, batch.stride(run));
        }
    }

    private int count(final TransmitBatch batch, final int from, final int to)
    {
        int packets = 0;
        long bytes = 0;
        for (int run = from; run < to; run++)
        {
            packets += batch.count(run);
            bytes += batch.length(run);
        }
        counters.add(Counter.BYTES_SENT, bytes);
        return packets;
    }

    /** The kernel will never take the run: it is lost, as on a bad link. Retries repair it if that was temporary. */
    private void refused(final TransmitBatch batch, final int run, final int errno)
    {
        counters.increment(Counter.SOCKET_ERRORS);
        if (batch.count(run) > 1 && (errno == Errno.EINVAL || errno == EIO))
        {
            segmenting = false;             // a device or kernel without UDP_SEGMENT
            batch.stopSegmenting();
        }
        batch.drop(1);
    }

    private int split(final PacketReceiver receiver)
    {
        final int length = incoming.length(0);
        if (length <= 0 || incoming.isTruncated(0))
        {
            counters.increment(Counter.PACKETS_RECEIVED);
            counters.increment(Counter.DROP_MALFORMED);
            return 0;
        }
        final int size = incoming.receivedSegmentSize(0);
        final boolean ipv6 = incoming.isIpv6(0);
        final long high = ipv6 ? incoming.sourceHigh(0) : 0;
        final long low = ipv6 ?
            incoming.sourceLow(0) : IPV4_PREFIX | (incoming.sourceIpv4(0) & 0xffff_ffffL);
        final int port = incoming.sourcePort(0);
        final boolean congested = (incoming.receivedTrafficClass(0) & ECN_MASK) == CONGESTION_EXPERIENCED;
        int packets = 0;
        for (int at = 0; at < length; at += size)
        {
            receiver.onPacket(
                receivedView, received, at, Math.min(size, length - at), high, low, port, congested);
            packets++;
        }
        return packets;
    }
}

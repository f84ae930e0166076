package io.gannet.perf.peer;

import io.gannet.perf.worker.Network;
import io.gannet.perf.worker.Scenario;

/**
 * Aeron over UDP between two drivers. The warm-up of a worker stays within its own.
 */
final class AeronUdpPeer extends AeronPeer
{
    /** Header of a fragment. */
    private static final int HEADER = 32;

    private final Network network;
    private final int mtu;

    AeronUdpPeer(final Scenario scenario, final String directory, final Network network, final int mtu)
    {
        super(scenario, directory);
        this.network = network;
        this.mtu = mtu;
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        return sender("aeron:udp?endpoint=" + network.aeronThere() + "|mtu=" + mtu + "|term-length=" +
            (ringBytes == 0 ? Scenario.DEFAULT_RING_BYTES : ringBytes),
            stream);
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return receiver("aeron:udp?endpoint=" + network.aeronHere(), stream, mtu - HEADER, handler);
    }
}

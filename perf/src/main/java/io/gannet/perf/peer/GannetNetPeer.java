package io.gannet.perf.peer;

import io.gannet.perf.worker.Network;
import io.gannet.perf.worker.Scenario;

/**
 * Gannet between two drivers. The warm-up of a worker stays within its own.
 */
final class GannetNetPeer extends GannetPeer
{
    private static final int PORT = 4100;

    private final Network network;

    GannetNetPeer(final Scenario scenario, final String directory, final Network network)
    {
        super(scenario, directory);
        this.network = network;
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        return sender(channel(network.gannetThere()) + (ringBytes == 0 ? "" : "|ring=" + ringBytes), stream);
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return receiver(channel(network.gannetHere()), stream, handler);
    }

    private static String channel(final String address)
    {
        return "gannet:rdma?endpoint=" + address + ":" + PORT;
    }
}

package io.gannet.rdma.roce.net;

/**
 * A bound UDP socket that moves batches without blocking.
 */
public interface PacketSocket extends AutoCloseable
{
    /**
     * Sends what the batch holds and empties it, but for what the socket has no room for now.
     *
     * @return packets sent.
     */
    int send(TransmitBatch batch);

    /**
     * Hands over what has arrived, one batch at most.
     *
     * @return packets handed over.
     */
    int receive(PacketReceiver receiver);

    /** Whether the kernel cuts batches into packets. If not, each packet is a run of its own. */
    boolean isSegmenting();

    /** File descriptor for poll(2), or -1. */
    int descriptor();

    /** UDP port that the socket is bound to. */
    int localPort();

    /** How many source ports it sends from; flow 0 leaves from {@link #localPort}. */
    default int flows()
    {
        return 1;
    }

    /** Source port of a flow. */
    default int port(final int flow)
    {
        return localPort();
    }

    @Override
    void close();
}

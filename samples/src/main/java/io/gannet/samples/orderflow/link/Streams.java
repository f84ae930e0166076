package io.gannet.samples.orderflow.link;

/**
 * Streams of one venue, as offsets from the first.
 *
 * @param first clients to gateway.
 */
public record Streams(int first)
{
    private static final int TO_CLIENT = 100;

    /** Stream 2001 and those behind it. */
    public static Streams defaults()
    {
        return new Streams(2001);
    }

    /** Clients to gateway. */
    public int toGateway()
    {
        return first;
    }

    /** Gateways to engine. */
    public int toEngine()
    {
        return first + 1;
    }

    /** Engine to gateways. */
    public int fromEngine()
    {
        return first + 2;
    }

    /** Market data; its snapshots are on the next. */
    public int feed()
    {
        return first + 3;
    }

    /** Whether a client may have chosen this stream. */
    public boolean isToClient(final int stream)
    {
        return stream >= first + TO_CLIENT;
    }

    /** Gateway to a client's connection, which chooses a number from 0 on. */
    public int toClient(final int connection)
    {
        return first + TO_CLIENT + connection;
    }
}

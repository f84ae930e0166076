package io.gannet.samples.orderflow.gateway;

import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.Tradables;
import java.nio.file.Path;

/**
 * How a gateway runs.
 *
 * @param id              of this gateway, 0 to 255: the high 16 bits of its sessions' ids.
 * @param maxSessions     sessions have the numbers 1 to this in the low 16 bits of their id.
 * @param store           file that sessions and recent messages survive the gateway's death in.
 * @param logSize         bytes kept of messages in either direction, a power of two.
 * @param tradables       instruments.
 * @param streams         where it listens and speaks.
 * @param ordersPerSecond what a session may send of orders and replacements in the long run; cancels are never held up.
 * @param burst           so many at once.
 * @param graceNanos      after a restart, sessions that were there have this long to come back.
 * @param operator        low 16 bits of the session that may halt and resume instruments; 0: none.
 * @param waiting         how its thread waits.
 */
public record GatewaySettings(
    int id, int maxSessions, Path store, int logSize, Tradables tradables, Streams streams, int ordersPerSecond,
    int burst, long graceNanos, int operator, Waiting waiting)
{
    /** Most sessions of one gateway. */
    public static final int MAX_SESSIONS = 0xFFFF;

    /** Checks the values. */
    public GatewaySettings
    {
        if (id < 0 || id > 255 || maxSessions < 1 || maxSessions > MAX_SESSIONS || ordersPerSecond < 1 || burst < 1)
        {
            throw new IllegalArgumentException("gateway " + id + " (0 to 255), " + maxSessions + " sessions (1 to " +
                MAX_SESSIONS + "), " + ordersPerSecond + " orders/s (1 or more), burst " + burst + " (1 or more)");
        }
    }

    /** The usual, with a store there. */
    public static GatewaySettings of(final Path store, final Tradables tradables)
    {
        return new GatewaySettings(0, 1024, store, 32 << 20, tradables, Streams.defaults(), 1_000, 200,
            5_000_000_000L, 1, Waiting.forThisMachine());
    }
}

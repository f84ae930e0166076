package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import java.util.Objects;

/**
 * What publications of one shared ring must agree about. Who leaves ring= out takes what is there.
 */
final class SharedChannel
{
    private SharedChannel()
    {
    }

    /** Whether two publications of a stream share a ring, or should. */
    static boolean isShared(final Channel first, final Channel second)
    {
        return first.isSamePlace(second) && Objects.equals(first.sessionId(), second.sessionId());
    }

    /**
     * Checks that a publication can go into the ring of others.
     *
     * @throws RefusedException naming both values if it wants another one.
     */
    static void check(final Channel existing, final int capacity, final PublicationRequest request)
    {
        final Channel wanted = request.channel;
        if (wanted.ringLength() != 0 && wanted.ringLength() != capacity)
        {
            throw conflict(request, "a ring of " + capacity + " bytes", "ring=" + wanted.ringLength(),
                "leave ring= out");
        }
        if (wanted.slow() != existing.slow())
        {
            throw conflict(request, "slow=" + name(existing), "slow=" + name(wanted), "use the same");
        }
    }

    private static String name(final Channel channel)
    {
        return channel.slow().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static RefusedException conflict(
        final PublicationRequest request, final String existing, final String wanted, final String remedy)
    {
        return new RefusedException(ErrorCode.CONFLICT, "stream " + request.streamId + " of " + request.channel +
            " is shared with publications that have " + existing + ", and this one wants " + wanted + ": " + remedy +
            ", or add an exclusive publication, choose another stream, or give it a session-id of its own");
    }
}

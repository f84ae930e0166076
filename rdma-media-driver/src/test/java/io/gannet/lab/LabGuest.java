package io.gannet.lab;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * What a guest of the lab has, see lab/guest.
 */
public final class LabGuest
{
    /** Addresses of a guest that is alone: 10.77.0.1 to 10.77.0.8. */
    public static final int ADDRESSES = 8;

    private LabGuest()
    {
    }

    /** {@return which guest of a pair this is; 1 for one that is alone, and elsewhere} */
    public static int number()
    {
        return Integer.parseInt(System.getenv().getOrDefault("GUEST", "1"));
    }

    /** {@return 10.77.0.1, 10.77.0.2 ...} */
    public static InetAddress address(final int number)
    {
        try
        {
            return InetAddress.getByAddress(new byte[]{10, 77, 0, (byte) number});
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Lets the software device work, which does so on the same processors: a poller that spins starves it. */
    @SuppressWarnings("ThreadPriorityCheck")
    public static void pause()
    {
        Thread.yield();
    }
}

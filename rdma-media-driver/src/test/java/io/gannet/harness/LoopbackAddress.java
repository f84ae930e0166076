package io.gannet.harness;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback addresses for tests: random ones, so that tests that run at a time, and drivers of this machine's users, do
 * not meet.
 */
public final class LoopbackAddress
{
    private LoopbackAddress()
    {
    }

    /** An address of 127.0.0.0/8 outside of 127.0.0.0/16, where drivers take theirs. */
    public static InetAddress random()
    {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        final byte[] bytes = {
            127, (byte) random.nextInt(1, 255), (byte) random.nextInt(1, 255), (byte) random.nextInt(1, 255)};
        try
        {
            return InetAddress.getByAddress(bytes);
        }
        catch (final UnknownHostException impossible)
        {
            throw new AssertionError(impossible);
        }
    }
}

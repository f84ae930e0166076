package io.gannet.driver;

import java.util.concurrent.ThreadLocalRandom;

/** Addresses of this host's loopback network that nobody else has, most likely: other test runs may go on. */
final class LoopbackAddress
{
    private LoopbackAddress()
    {
    }

    /** {@return an address, another one at each call} */
    static String random()
    {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        return "127." + random.nextInt(10, 250) + "." + random.nextInt(250) + "." + random.nextInt(1, 250);
    }
}

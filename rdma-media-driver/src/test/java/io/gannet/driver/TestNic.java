package io.gannet.driver;

import io.gannet.harness.LoopbackAddress;
import io.gannet.lab.LabGuest;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The device of drivers in tests: the software NIC, or in a guest of the lab the kernel's, by
 * {@code -Dgannet.test.device=verbs}. Tests of what only the software NIC has are tagged {@link #SOFTWARE}.
 */
final class TestNic
{
    /** Tag of tests that are about the software NIC. */
    static final String SOFTWARE = "software-nic";

    private static final boolean IS_VERBS = "verbs".equals(System.getProperty("gannet.test.device"));
    private static final AtomicInteger HOSTS = new AtomicInteger(LabGuest.number() - 1);

    private TestNic()
    {
    }

    /** Whether this is a guest, where all takes several times as long. */
    static boolean isEmulated()
    {
        return IS_VERBS;
    }

    /** {@return the channel, with an image time-out that processes can be started again in} */
    static String patient(final String channel)
    {
        return channel + (IS_VERBS ? "|image-timeout=100s" : "|image-timeout=1m");
    }

    static DeviceKind kind()
    {
        return IS_VERBS ? DeviceKind.VERBS : DeviceKind.ROCE;
    }

    /** {@return the kind as the command line takes it} */
    static String option()
    {
        return kind().name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return address of the next host: a random one of loopback, or the guest's in turn; or the one of
     * {@code -Dgannet.test.address}}
     */
    static String nextAddress()
    {
        return System.getProperty("gannet.test.address",
            IS_VERBS ? guestAddress(1 + HOSTS.getAndIncrement() % LabGuest.ADDRESSES) :
                LoopbackAddress.random().getHostAddress());
    }

    /** {@return an address that no host has that took the next one} */
    static String spareAddress()
    {
        final long pid = ProcessHandle.current().pid();
        return IS_VERBS ? nextAddress() : "127." + (1 + (pid >> 8) % 200) + "." + pid % 200 + ".9";
    }

    /** {@return a loopback address, or that of the guest with the number} */
    static String address(final String loopback, final int number)
    {
        return IS_VERBS ? guestAddress(number) : loopback;
    }

    private static String guestAddress(final int number)
    {
        return LabGuest.address(number).getHostAddress();
    }
}

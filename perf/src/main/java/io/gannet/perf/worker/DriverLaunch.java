package io.gannet.perf.worker;

import io.aeron.driver.ThreadingMode;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Launches the peers' drivers, in processes of their own or embedded in workers.
 */
public final class DriverLaunch
{
    /** Of Aeron's drivers before they park, instead of its default of 10 spins and 20 yields, over a network. */
    public static final int AERON_YIELDS = 20;

    /** System property of a driver's process: how many rings there may be at a time, if not the default. */
    public static final String MOST_RINGS = "rig.rings";

    private static final int LARGEST_BUFFER = 2 << 20;
    /** Two of a ring, one of its subscriber, and some. */
    private static final int COUNTERS_EACH = 8;

    private DriverLaunch()
    {
    }

    /** Gannet's, in its default configuration. */
    public static MediaDriver gannet(final String directory)
    {
        return MediaDriver.launch(defaults(directory));
    }

    /** Gannet's with a software NIC, and one thread for all of its work. */
    public static MediaDriver gannet(final String directory, final String address, final String idle)
    {
        return MediaDriver.launch(defaults(directory)
            .withFlag(DriverOptions.DEVICE, "roce")
            .withFlag(DriverOptions.DEVICE_ADDRESS, address)
            .withFlag(DriverOptions.THREADING, "shared")
            .withFlag(DriverOptions.IDLE, idle));
    }

    private static DriverConfiguration defaults(final String directory)
    {
        final DriverConfiguration defaults =
            DriverConfiguration.defaults().withFlag(DriverOptions.DIRECTORY, directory);
        final int rings = Integer.getInteger(MOST_RINGS, 0);
        return rings == 0 ? defaults : defaults.withFlag(DriverOptions.MAX_RINGS, Integer.toString(rings))
            .withFlag(DriverOptions.MAX_COUNTERS, Integer.toString(rings * COUNTERS_EACH));
    }

    /**
     * Aeron's: SHARED with Aeron's default back-off idling; time-outs are long, since the rig stops the process while
     * other peers are measured.
     *
     * @param network whether it gets sockets as large as the kernel grants, up to 2 MiB, half of that as window, and an
     *                idle strategy for more busy threads than processors.
     */
    public static io.aeron.driver.MediaDriver aeron(final String directory, final boolean network) throws IOException
    {
        final long patience = TimeUnit.SECONDS.toNanos(120);
        final io.aeron.driver.MediaDriver.Context context = new io.aeron.driver.MediaDriver.Context()
            .aeronDirectoryName(directory)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(false)
            .performStorageChecks(false)
            .clientLivenessTimeoutNs(patience)
            .publicationUnblockTimeoutNs(patience * 2)
            .timerIntervalNs(TimeUnit.SECONDS.toNanos(1));
        if (network)
        {
            final int granted = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/net/core/rmem_max")).getFirst());
            final int buffer = Math.min(granted, LARGEST_BUFFER);
            context.socketRcvbufLength(buffer).socketSndbufLength(buffer).initialWindowLength(buffer / 2)
                .imageLivenessTimeoutNs(patience);
            // with as many busy threads as there are on two processors, a spin only keeps the others from their work
            context.sharedIdleStrategy(new BackoffIdleStrategy(0, AERON_YIELDS, 1_000, 1_000_000));
        }
        return io.aeron.driver.MediaDriver.launch(context);
    }
}

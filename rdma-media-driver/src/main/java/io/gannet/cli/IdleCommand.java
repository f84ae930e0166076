package io.gannet.cli;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet idle}: what an idle driver with idle connected streams costs per thread, in each threading mode, and
 * how fast a sleeping subscriber wakes. Measures in this process, with this process's JVM flags.
 */
@Command(name = "idle", hidden = true, description =
    "Measures the CPU time of each thread of an idle driver with idle streams, and the wake-up of a sleeping " +
    "subscriber.")
public final class IdleCommand implements Subcommand
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final long STEP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MESSAGE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(2);

    @Option(names = "--seconds", defaultValue = "5", description = "Of each threading mode. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--messages", defaultValue = "1000",
        description = "Wake-ups to measure. Default: ${DEFAULT-VALUE}.")
    private int messages;

    @Option(names = "--cpu-limit", paramLabel = "PERCENT", defaultValue = "5",
        description = "Ends with exit code 1 if a thread takes more of a core. Default: ${DEFAULT-VALUE}.")
    private double cpuLimit;

    @Option(names = "--wake-limit", paramLabel = "US", defaultValue = "50",
        description = "Ends with exit code 1 if the median wake-up takes longer. Default: ${DEFAULT-VALUE}.")
    private double wakeLimit;

    @Override
    public Integer call()
    {
        if (seconds < 1 || messages < 1)
        {
            throw new OperatorException("--seconds " + seconds + ", --messages " + messages + ": at least 1 is needed");
        }
        boolean within = true;
        for (final ThreadingMode mode : ThreadingMode.values())
        {
            within &= measure(mode);
        }
        return within ? 0 : 1;
    }

    private boolean measure(final ThreadingMode mode)
    {
        try (ScratchDirectory directory = ScratchDirectory.create();
            MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
                .with(DriverOptions.DIRECTORY, directory.path()).with(DriverOptions.THREADING, mode));
            Stepper stepper = new Stepper(mode == ThreadingMode.INVOKER ? driver : null);
            Gannet client = Gannet.connect(new Gannet.Context().directory(directory.path()));
            Publication publication = client.addPublication(CHANNEL, 1);
            Subscription subscription = client.addSubscription(CHANNEL, 1))
        {
            while (!publication.isConnected() || !subscription.isConnected())
            {
                LockSupport.parkNanos(STEP_PAUSE_NANOS);
            }
            final String name = mode.name().toLowerCase(Locale.ROOT);
            final boolean cheap = reportCpu(name);
            final boolean quick = reportWakeUps(name, publication, subscription);
            stepper.end();
            return cheap && quick;
        }
    }

    private boolean reportCpu(final String mode)
    {
        sleep(SETTLING_NANOS);
        final Map<String, Long> before = cpuNanos();
        final long start = System.nanoTime();
        sleep(TimeUnit.SECONDS.toNanos(seconds));
        final long elapsed = System.nanoTime() - start;
        boolean within = true;
        for (final Map.Entry<String, Long> thread : cpuNanos().entrySet())
        {
            final double percent = 100.0 * (thread.getValue() - before.getOrDefault(thread.getKey(), 0L)) / elapsed;
            within &= percent <= cpuLimit;
            System.out.printf("%-10s %-26s %5.2f %% of a core (limit %.0f %%)%n", mode, thread.getKey(), percent,
                cpuLimit);
        }
        return within;
    }

    /** Of the threads of driver and client. */
    private static Map<String, Long> cpuNanos()
    {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final Map<String, Long> nanos = new TreeMap<>();
        for (final long id : threads.getAllThreadIds())
        {
            final java.lang.management.ThreadInfo info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("gannet-"))
            {
                nanos.put(info.getThreadName(), threads.getThreadCpuTime(id));
            }
        }
        return nanos;
    }

    private boolean reportWakeUps(final String mode, final Publication publication, final Subscription subscription)
    {
        final long[] nanos = new long[messages];
        final Thread subscriber = Thread.ofPlatform().name("subscriber").start(() -> receive(subscription, nanos));
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
        for (int i = 0; i < messages; i++)
        {
            sleep(MESSAGE_PAUSE_NANOS);
            message.putLong(0, System.nanoTime());
            publication.offer(message, 0, Long.BYTES, 1, TimeUnit.MINUTES);
        }
        try
        {
            subscriber.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
        Arrays.sort(nanos);
        System.out.printf("%-10s wake-up of a subscriber      p50 %.1f us, p99 %.1f us (limit of p50 %.0f us)%n", mode,
            nanos[messages / 2] / 1e3, nanos[(int) (messages * 0.99)] / 1e3, wakeLimit);
        return nanos[messages / 2] / 1e3 <= wakeLimit;
    }

    private static void receive(final Subscription subscription, final long[] nanos)
    {
        final int[] count = new int[1];
        while (count[0] < nanos.length && !subscription.isClosed())
        {
            subscription.awaitMessage(1, TimeUnit.SECONDS);
            subscription.poll((buffer, offset, length, header) ->
                nanos[count[0]++] = System.nanoTime() - buffer.getLong(offset), 1);
        }
    }

    private static void sleep(final long nanos)
    {
        final long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime())
        {
            LockSupport.parkNanos(left);
        }
    }

    /** Steps a driver that has no threads, as an application would that has a thread of its own. */
    private static final class Stepper implements AutoCloseable
    {
        private final Thread thread;
        private volatile boolean running = true;

        Stepper(final MediaDriver driver)
        {
            thread = driver == null ? null :
                Thread.ofPlatform().name("gannet-stepped").start(() -> step(driver));
        }

        private void step(final MediaDriver driver)
        {
            while (running)
            {
                if (driver.doWork() == 0)
                {
                    LockSupport.parkNanos(STEP_PAUSE_NANOS);
                }
            }
        }

        @Override
        public void close()
        {
            end();
        }

        void end()
        {
            running = false;
            try
            {
                if (thread != null)
                {
                    thread.join();
                }
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}

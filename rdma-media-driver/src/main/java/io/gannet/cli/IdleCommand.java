package io.gannet.cli;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DeviceKind;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet idle}: what an idle driver with idle connected streams costs per thread, in each threading mode, on one
 * host and between two, and how fast a sleeping subscriber wakes. Measures in this process, with this process's JVM
 * flags.
 */
@Command(name = "idle", hidden = true, description =
    "Measures the CPU time of each thread of an idle driver with idle streams, and the wake-up of a sleeping " +
    "subscriber.")
public final class IdleCommand implements Subcommand
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final long STEP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MESSAGE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int WARM_UP_MESSAGES = 2_000;
    private static final long WARM_UP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
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
            throw new UsageException("--seconds " + seconds + ", --messages " + messages + ": at least 1 is needed");
        }
        boolean within = true;
        for (final ThreadingMode mode : ThreadingMode.values())
        {
            within &= measureOnOneHost(mode);
            within &= measureBetweenHosts(mode);
        }
        return within ? 0 : 1;
    }

    private boolean measureOnOneHost(final ThreadingMode mode)
    {
        try (ScratchDirectory directory = ScratchDirectory.create();
            MediaDriver driver = driver(mode, directory);
            Stepper stepper = new Stepper(mode, driver))
        {
            final boolean within = measure(mode, "ipc", CHANNEL, directory.path(), directory.path());
            stepper.end();
            return within;
        }
    }

    /** With two drivers and the software NIC between them, where what a wake-up takes is the NIC's and has no limit. */
    private boolean measureBetweenHosts(final ThreadingMode mode)
    {
        try (ScratchDirectory from = ScratchDirectory.create(); ScratchDirectory to = ScratchDirectory.create();
            MediaDriver publishers = driver(mode, from); MediaDriver subscribers = driver(mode, to);
            Stepper first = new Stepper(mode, publishers); Stepper second = new Stepper(mode, subscribers))
        {
            final String address = subscribers.device().substring(subscribers.device().indexOf(':') + 1);
            final boolean within = measure(mode, "rdma", "gannet:rdma?endpoint=" + address + ":4100|ring=64k",
                from.path(), to.path());
            first.end();
            second.end();
            return within;
        }
    }

    private static MediaDriver driver(final ThreadingMode mode, final ScratchDirectory directory)
    {
        return MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory.path())
            .with(DriverOptions.THREADING, mode).with(DriverOptions.DEVICE, DeviceKind.ROCE), line -> { });
    }

    private boolean measure(
        final ThreadingMode mode, final String media, final String channel, final Path from, final Path to)
    {
        try (Gannet publisher = Gannet.connect(new Gannet.Context().directory(from));
            Gannet subscriber = Gannet.connect(new Gannet.Context().directory(to));
            Publication publication = publisher.addPublication(channel, 1);
            Subscription subscription = subscriber.addSubscription(channel, 1))
        {
            while (!publication.isConnected() || !subscription.isConnected())
            {
                LockSupport.parkNanos(STEP_PAUSE_NANOS);
            }
            final String name = mode.name().toLowerCase(Locale.ROOT) + " " + media;
            final boolean cheap = reportCpu(name);
            final double p50 = reportWakeUps(name, publication, subscription);
            return cheap && (p50 <= wakeLimit || !"ipc".equals(media));
        }
    }

    private boolean reportCpu(final String mode)
    {
        sleep(SETTLING_NANOS);
        final Map<Long, Long> before = cpuNanos();
        final long start = System.nanoTime();
        sleep(TimeUnit.SECONDS.toNanos(seconds));
        final long elapsed = System.nanoTime() - start;
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final Map<String, Double> most = new TreeMap<>();
        cpuNanos().forEach((id, nanos) ->
        {
            final ThreadInfo info = threads.getThreadInfo(id);
            if (info != null)
            {
                // Of two drivers' threads of a name the busier one.
                most.merge(info.getThreadName(), 100.0 * (nanos - before.getOrDefault(id, 0L)) / elapsed, Math::max);
            }
        });
        boolean within = true;
        for (final Map.Entry<String, Double> thread : most.entrySet())
        {
            within &= thread.getValue() <= cpuLimit;
            System.out.printf("%-14s %-26s %5.2f %% of a core (limit %.0f %%)%n", mode, thread.getKey(),
                thread.getValue(), cpuLimit);
        }
        return within;
    }

    /** Of the threads of drivers and clients, by their ids. */
    private static Map<Long, Long> cpuNanos()
    {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final Map<Long, Long> nanos = new HashMap<>();
        for (final long id : threads.getAllThreadIds())
        {
            final ThreadInfo info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("gannet-"))
            {
                nanos.put(id, threads.getThreadCpuTime(id));
            }
        }
        return nanos;
    }

    /** The median, in microseconds. */
    private double reportWakeUps(final String mode, final Publication publication, final Subscription subscription)
    {
        // Before that the code is interpreted, which a driver that runs for days is not.
        wakeUps(publication, subscription, WARM_UP_MESSAGES, WARM_UP_PAUSE_NANOS);
        final long[] nanos = wakeUps(publication, subscription, messages, MESSAGE_PAUSE_NANOS);
        Arrays.sort(nanos);
        System.out.printf("%-14s wake-up of a subscriber    p50 %.1f us, p99 %.1f us (limit of p50 with ipc %.0f us)%n",
            mode, nanos[messages / 2] / 1e3, nanos[(int) (messages * 0.99)] / 1e3, wakeLimit);
        return nanos[messages / 2] / 1e3;
    }

    private static long[] wakeUps(
        final Publication publication, final Subscription subscription, final int count, final long pauseNanos)
    {
        final long[] nanos = new long[count];
        final Thread subscriber = Thread.ofPlatform().name("subscriber").start(() -> receive(subscription, nanos));
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
        for (int i = 0; i < count; i++)
        {
            sleep(pauseNanos);
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
        }
        return nanos;
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

        Stepper(final ThreadingMode mode, final MediaDriver driver)
        {
            thread = mode != ThreadingMode.INVOKER ? null :
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

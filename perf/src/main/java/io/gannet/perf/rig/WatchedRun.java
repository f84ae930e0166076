package io.gannet.perf.rig;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.ClassPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A stream of this host, with driver, publisher and subscriber in this process, and processes that look on and are
 * stopped while it is not their turn.
 */
public final class WatchedRun implements AutoCloseable
{
    private static final int STREAM = 1;
    private static final int SETTLE_MILLIS = 50;
    private static final int SCRAPE_MILLIS = 50;
    private static final int BATCH = 64;
    private static final double SECOND = 1e9;
    private static final List<String> DRIVER_THREADS =
        List.of("gannet-conductor", "gannet-sender", "gannet-receiver", "gannet-resource");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Who looks on. */
    public enum Looker
    {
        NOBODY, EXPORTER, TRACE
    }

    /**
     * What was measured in a phase.
     *
     * @param rate            messages a second.
     * @param publisherNanos  processor time of a message.
     * @param subscriberNanos the same.
     * @param driverMillis    processor time of the driver's threads in a second.
     * @param lookerMillis    processor time of who looks on in a second.
     * @param p50             ns from offer to handler.
     * @param p99             the same.
     */
    public record Phase(double rate, double publisherNanos, double subscriberNanos, double driverMillis,
        double lookerMillis, double p50, double p99)
    {
    }

    private final Path directory;
    private final MediaDriver driver;
    private final Gannet client;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final SingleWriterRecorder times = new SingleWriterRecorder(3);
    private final AtomicLong received = new AtomicLong();
    private final Thread publisher = new Thread(this::publish, "watched-publisher");
    private final Thread subscriber = new Thread(this::subscribe, "watched-subscriber");
    private final Process exporter;
    private final Process trace;
    private final Thread scraper;
    private final UnsafeBuffer message;
    private final long pauseNanos;
    private volatile boolean paced;
    private volatile boolean scraping;
    private volatile boolean ended;

    /** Starts all of it. */
    public WatchedRun(final int length, final int pauseMicros) throws IOException
    {
        message = new UnsafeBuffer(new byte[length]);
        pauseNanos = TimeUnit.MICROSECONDS.toNanos(pauseMicros);
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-perf-");
        driver = MediaDriver.launch(
            DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { });
        client = Gannet.connect(new Gannet.Context().directory(directory));
        subscription = client.addSubscription("gannet:ipc", STREAM);
        publication = client.addExclusivePublication("gannet:ipc", STREAM);
        publisher.start();
        subscriber.start();
        exporter = command("exporter", "--dir", directory.toString(), "--port", "0");
        final String line = new BufferedReader(
            new InputStreamReader(exporter.getInputStream(), StandardCharsets.UTF_8)).readLine();
        final URI metrics = URI.create(line.replaceAll(".*(http://[^/]*/).*", "$1metrics"));
        scraper = new Thread(() -> scrape(metrics), "watched-scraper");
        scraper.start();
        trace = command("trace", Integer.toString(STREAM), "--dir", directory.toString(), "--seconds", "100000",
            "--samples", "1000000000");
    }

    private static Process command(final String... arguments) throws IOException
    {
        final List<String> line = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
            "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
            "-cp", ClassPath.argument(), "io.gannet.cli.Main"));
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @SuppressWarnings("ThreadPriorityCheck") // the subscriber may wait for this thread's processor
    private void publish()
    {
        while (!ended)
        {
            final boolean sleeps = paced;
            if (sleeps)
            {
                LockSupport.parkNanos(pauseNanos);
            }
            message.putLong(0, sleeps ? System.nanoTime() : 0);
            while (publication.offer(message) < 0 && !ended)
            {
                Thread.yield();
            }
        }
    }

    private void subscribe()
    {
        final long[] count = {0};
        final io.gannet.FragmentHandler handler = (buffer, offset, length, header) ->
        {
            final long offered = buffer.getLong(offset);
            if (offered != 0)
            {
                times.recordValue(Math.max(0, System.nanoTime() - offered));
            }
            count[0]++;
        };
        while (!ended)
        {
            if (subscription.poll(handler, BATCH) == 0)
            {
                if (paced)
                {
                    subscription.awaitMessage(1, TimeUnit.MILLISECONDS);
                }
                Thread.onSpinWait();
            }
            received.lazySet(count[0]);
        }
    }

    private void scrape(final URI metrics)
    {
        try (HttpClient http = HttpClient.newHttpClient())
        {
            final HttpRequest request = HttpRequest.newBuilder(metrics).build();
            while (!ended)
            {
                if (scraping)
                {
                    final int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
                    if (status != 200)
                    {
                        throw new RigException("a scrape was answered by " + status);
                    }
                }
                TimeUnit.MILLISECONDS.sleep(SCRAPE_MILLIS);
            }
        }
        catch (final IOException e)
        {
            throw new RigException("a scrape failed: " + e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** As many phases of each kind, in turn. */
    public Map<Looker, List<Phase>> phases(final int rounds, final int millis, final boolean withPauses)
        throws InterruptedException
    {
        final Map<Looker, List<Phase>> found = new EnumMap<>(Looker.class);
        paced = withPauses;
        // One round to get warm.
        for (int round = -1; round < rounds; round++)
        {
            for (final Looker looker : Looker.values())
            {
                final Phase phase = phase(looker, millis);
                if (round >= 0)
                {
                    found.computeIfAbsent(looker, key -> new ArrayList<>()).add(phase);
                }
            }
        }
        return found;
    }

    private Phase phase(final Looker looker, final int millis) throws InterruptedException
    {
        final Process process = looker == Looker.EXPORTER ? exporter : trace;
        Posix.signal(exporter.pid(), looker == Looker.EXPORTER ? Posix.SIGCONT : Posix.SIGSTOP);
        Posix.signal(trace.pid(), looker == Looker.TRACE ? Posix.SIGCONT : Posix.SIGSTOP);
        scraping = looker == Looker.EXPORTER;
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        times.getIntervalHistogram();
        final long messages = received.get();
        final long[] before = processor(process);
        final long start = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(millis);
        final double seconds = (System.nanoTime() - start) / SECOND;
        final long[] after = processor(process);
        final double passed = Math.max(1, received.get() - messages);
        final Histogram histogram = times.getIntervalHistogram();
        // A scrape that is under way is answered before the exporter is stopped.
        scraping = false;
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        return new Phase(passed / seconds, (after[0] - before[0]) / passed, (after[1] - before[1]) / passed,
            (after[2] - before[2]) / seconds / 1e6,
            looker == Looker.NOBODY ? 0 : (after[3] - before[3]) / seconds / 1e6,
            histogram.getValueAtPercentile(50), histogram.getValueAtPercentile(99));
    }

    /** Of publisher, subscriber, driver, and a process, in nanoseconds. */
    private long[] processor(final Process process)
    {
        final long driving = Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
            .filter(info -> info != null && DRIVER_THREADS.contains(info.getThreadName()))
            .mapToLong(info -> THREADS.getThreadCpuTime(info.getThreadId())).sum();
        return new long[]{THREADS.getThreadCpuTime(publisher.threadId()),
            THREADS.getThreadCpuTime(subscriber.threadId()), driving, Machine.processorNanos(process.pid())};
    }

    @Override
    public void close() throws IOException
    {
        ended = true;
        exporter.destroyForcibly();
        trace.destroyForcibly();
        join(scraper);
        join(publisher);
        join(subscriber);
        client.close();
        driver.close();
        try (Stream<Path> tree = Files.walk(directory))
        {
            for (final Path path : tree.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(path);
            }
        }
    }

    private static void join(final Thread thread)
    {
        try
        {
            thread.interrupt();
            thread.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}

package io.gannet.cli;

import io.gannet.cli.trace.LatencySampler;
import io.gannet.control.GannetDirectory;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.Health;
import io.gannet.monitor.web.MonitorServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet exporter}: metrics, health and a page over HTTP, of a driver that is another process.
 */
@Command(name = "exporter", sortOptions = false,
    description = "Serves a driver's metrics as OpenMetrics text at /metrics, its health at /health and a page that " +
        "shows it live at /, until SIGTERM. Reads the files of the driver's directory, which costs the driver " +
        "nothing; the driver may come, go and come again.")
public final class ExporterCommand implements Subcommand
{
    private static final int MAX_PORT = 65_535;

    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "9843",
        description = "TCP port; 0 takes any that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--address", paramLabel = "ADDRESS", defaultValue = "127.0.0.1",
        description = "Address to listen at. Default: ${DEFAULT-VALUE}.")
    private String address;

    @Option(names = "--allow-remote",
        description = "Allows an address that other hosts reach. Whoever reaches it can read: there is no password.")
    private boolean allowRemote;

    @Option(names = "--latency", paramLabel = "STREAM",
        description = "Times some messages of a stream twice a second, from the publisher to each subscriber, and " +
            "serves histograms. Takes 20 ms of a processor each time for each session. May be given more than once. " +
            "Default: none.")
    private List<Integer> latency = new ArrayList<>();

    @Option(names = "--max-age", paramLabel = "MS", defaultValue = "" + Health.DEFAULT_MAX_AGE_MILLIS,
        description = "Milliseconds since its conductor's last heartbeat, above which a driver isn't healthy. " +
            "Default: ${DEFAULT-VALUE}.")
    private long maxAgeMillis;

    @Override
    public Integer call() throws InterruptedException
    {
        HealthCommand.checkMaxAge(maxAgeMillis);
        final InetSocketAddress where = where();
        final GannetDirectory of = directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
        final CountDownLatch ended = new CountDownLatch(1);
        try (DriverWatch watch = new DriverWatch(of, maxAgeMillis);
            LatencySampler sampler = latency.isEmpty() ? null : new LatencySampler(of, latency);
            MonitorServer server = new MonitorServer(where, watch, sampler == null ? List::of : sampler::latencies))
        {
            final String host = where.getAddress().getHostAddress();
            System.out.println("exporter of " + of + " at http://" + (host.contains(":") ? "[" + host + "]" : host) +
                ":" + server.address().getPort() + "/, /metrics, /health");
            System.out.flush();
            Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown));
            ended.await();
        }
        catch (final IOException taken)
        {
            throw new OperatorException("can't listen at " + address + " port " + port + ": " + taken.getMessage() +
                ". Choose another --port or --address", taken);
        }
        return 0;
    }

    private InetSocketAddress where()
    {
        if (port < 0 || port > MAX_PORT)
        {
            throw new UsageException("--port " + port + ": 0 to " + MAX_PORT + " are possible");
        }
        final InetAddress found;
        try
        {
            found = InetAddress.getByName(address);
        }
        catch (final UnknownHostException unknown)
        {
            throw new UsageException("--address " + address + ": no address of that name is known");
        }
        if (!found.isLoopbackAddress() && !allowRemote)
        {
            throw new UsageException("--address " + address + " can be reached from other hosts, and there is no " +
                "password: say --allow-remote if that is meant, or listen at 127.0.0.1");
        }
        return new InetSocketAddress(found, port);
    }
}

package io.gannet.perf.beside;

import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.counters.RemoteStatistic;
import io.gannet.perf.verbs.Idle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An embedded driver and a client of it. Its owner's thread does the driver's work between its own steps, or the driver
 * has a thread that yields.
 */
final class Host implements AutoCloseable
{
    private static final int STREAM = 1001;
    private static final int STEPS = 1024;

    private final Path directory;
    private final String address;
    private final int port;
    private final MediaDriver driver;
    private final boolean invoked;
    private Gannet client;
    private Subscription subscription;
    private ExclusivePublication publication;
    private volatile boolean stepping;
    private Thread stepper;
    private int steps;

    /**
     * @param port of its subscription, so that both hosts of a pair can have one address.
     */
    Host(final String address, final int port, final boolean invoked, final List<String> options) throws IOException
    {
        this.address = address;
        this.port = port;
        this.invoked = invoked;
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-beside-");
        DriverConfiguration configuration = DriverConfiguration.defaults()
            .withFlag(DriverOptions.DIRECTORY, directory.toString())
            .withFlag(DriverOptions.DEVICE, "verbs")
            .withFlag(DriverOptions.DEVICE_ADDRESS, address)
            .withFlag(DriverOptions.THREADING, invoked ? "invoker" : "shared")
            .withFlag(DriverOptions.IDLE, "yield");
        for (final String option : options)
        {
            final String[] parts = option.split("=", 2);
            configuration = configuration.withFlag(DriverOptions.all().stream()
                .filter(each -> each.key().equals(parts[0])).findFirst().orElseThrow(), parts[1]);
        }
        driver = MediaDriver.launch(configuration);
        startStepping();
    }

    /** Connects the client and subscribes. */
    void subscribe()
    {
        client = Gannet.connect(new Gannet.Context().directory(directory).name("perf")
            .useConductorInvoker(true).driverTimeout(60, TimeUnit.SECONDS));
        subscription = client.addSubscription(channel(), STREAM);
    }

    /** Publishes to another host. */
    void publish(final Host to)
    {
        publication = client.addExclusivePublication(to.channel() + "|ring=1m", STREAM);
    }

    private String channel()
    {
        return "gannet:rdma?endpoint=" + address + ":" + port;
    }

    boolean isConnected()
    {
        client.conductorInvoker().invoke();
        return publication.isConnected() && subscription.isConnected();
    }

    ExclusivePublication publication()
    {
        return publication;
    }

    int poll(final FragmentHandler handler, final int limit)
    {
        return subscription.poll(handler, limit);
    }

    /** What the owner does while it waits. */
    void step()
    {
        if (++steps == STEPS)
        {
            steps = 0;
            client.conductorInvoker().invoke();
        }
        if (!invoked || driver.doWork() == 0)
        {
            Idle.pause();
        }
    }

    /** The driver has a turn, if it has no thread. */
    void turn()
    {
        if (invoked)
        {
            driver.doWork();
        }
    }

    /** {@return sum of what the driver counts of a kind for streams to other hosts} */
    long counted(final RemoteStatistic statistic)
    {
        final long[] sum = new long[1];
        client.countersReader().forEach((counterId, typeId, keyBuffer, label) ->
        {
            if (RemoteStatistic.of(typeId) == statistic && label.startsWith("to "))
            {
                sum[0] += client.countersReader().getCounterValue(counterId);
            }
        });
        return sum[0];
    }

    /** From now on a thread does the driver's work, for as long as the owner waits in calls. */
    void startStepping()
    {
        if (invoked && stepper == null)
        {
            stepping = true;
            stepper = new Thread(this::stepAlone, "driver of " + address);
            stepper.start();
        }
    }

    void stopStepping()
    {
        if (stepper != null)
        {
            stepping = false;
            try
            {
                stepper.join();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
            stepper = null;
        }
    }

    private void stepAlone()
    {
        while (stepping)
        {
            if (driver.doWork() == 0)
            {
                Idle.pause();
            }
        }
    }

    @Override
    public void close()
    {
        startStepping();
        if (client != null)
        {
            client.close();
        }
        stopStepping();
        driver.close();
        try (Stream<Path> tree = Files.walk(directory))
        {
            for (final Path file : tree.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("cannot remove " + directory + ": " + e.getMessage(), e);
        }
    }
}

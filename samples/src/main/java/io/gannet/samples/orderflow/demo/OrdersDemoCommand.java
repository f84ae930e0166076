package io.gannet.samples.orderflow.demo;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.samples.marketdata.cli.StopSignal;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.DemoDriver;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.marketdata.demo.JavaCommand;
import io.gannet.samples.marketdata.demo.Leftovers;
import io.gannet.samples.marketdata.demo.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet demo orders}.
 */
@Command(name = "orders", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Shows a venue: a driver, a gateway, a matching engine, its market-data feed and simulated clients.",
    "Exit code 1 if requests stayed without an answer, or books or trades of the processes differ."})
public final class OrdersDemoCommand implements Callable<Integer>
{
    private static final String MAIN = "io.gannet.cli.Main";
    private static final String FEED_STREAM = "2004";
    private static final long FRAME_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(180);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Option(names = "--seconds", defaultValue = "15", description =
        "Length of the load; 0: until Ctrl-C. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--clients", defaultValue = "200", description = "Sessions. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(names = "--rate", defaultValue = "2000", description =
        "Requests per second of all sessions. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(names = "--channel", defaultValue = "gannet:ipc?ring=4m", description = "Default: ${DEFAULT-VALUE}.")
    private String channel;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result to a file.")
    private Path json;

    private final List<Child> children = new ArrayList<>();

    @Override
    public Integer call() throws IOException
    {
        check();
        final Terminal terminal = Terminal.ofStandardOutput();
        final Path directory = directory();
        final OrdersDemoResult result;
        try (StopSignal stop = new StopSignal(0, false))
        {
            try
            {
                result = run(directory, terminal, stop);
            }
            finally
            {
                terminal.close();
                children.reversed().forEach(Child::close);
                Directories.delete(directory);
            }
            result.summary(terminal).forEach(terminal::println);
            if (json != null)
            {
                Files.writeString(json, result.json());
            }
        }
        return result.isGood() ? 0 : 1;
    }

    private void check()
    {
        if (!(seconds >= 0))
        {
            throw new UsageException("--seconds " + seconds + ": must be 0 or more");
        }
        if (clients < 1 || clients > 20_000)
        {
            throw new UsageException("--clients " + clients + ": must be from 1 to 20000");
        }
        if (!(rate > 0) || rate > 10_000_000)
        {
            throw new UsageException("--rate " + rate + ": must be above 0 and at most 10000000");
        }
        if (json != null && (Files.isDirectory(json) || !Files.isWritable(Files.exists(json) ? json :
            json.toAbsolutePath().getParent())))
        {
            throw new OperatorException("--json " + json + ": can't be written; name a file in a directory that " +
                "exists and is yours to write");
        }
    }

    private static Path directory() throws IOException
    {
        final Path shared = Path.of("/dev/shm");
        final Path parent = Files.isWritable(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
        Leftovers.remove(parent);
        return Files.createTempDirectory(parent, Leftovers.PREFIX + ProcessHandle.current().pid() + "-");
    }

    private OrdersDemoResult run(final Path directory, final Terminal terminal, final StopSignal stop)
        throws IOException
    {
        final Child driver = start("driver", JavaCommand.of(DemoDriver.class.getName(),
            List.of("--dir", directory.toString())));
        final Child engine = start("engine", command(directory, "orders", "engine", "--journal",
            directory.resolve("journal").toString(), "--segment-size", "16"));
        final Child feed = start("feed", JavaCommand.of(MAIN, List.of("feed", "subscribe", "--child", "--dir",
            directory.toString(), "--channel", channel, "--stream", FEED_STREAM)));
        final Child gateway = start("gateway", command(directory, "orders", "gateway", "--store",
            directory.resolve("store").toString(), "--sessions", Integer.toString(clients), "--log-size", "8",
            "--rate", "100000", "--burst", "10000"));
        await(stop, "the gateway found the engine", gateway, "linked");
        final List<String> load = new ArrayList<>(command(directory, "orders", "clients", "--sessions",
            Integer.toString(clients), "--rate", Double.toString(rate), "--keep-orders"));
        if (seconds > 0)
        {
            load.addAll(List.of("--seconds", Double.toString(seconds)));
        }
        final Child client = start("clients", load);
        await(stop, "the clients sent an order", client, "sent");
        final String topCommand = "./gannet top --dir " + directory;
        if (!terminal.isInteractive())
        {
            terminal.println("from another terminal: " + topCommand);
        }
        final OrdersDemoScreen screen =
            new OrdersDemoScreen(terminal, topCommand, driver, engine, gateway, feed, client);
        show(screen, terminal, client, stop);
        end(engine, gateway, feed, client);
        return new OrdersDemoResult(engine, gateway, feed, client);
    }

    private void show(
        final OrdersDemoScreen screen, final Terminal terminal, final Child client, final StopSignal stop)
    {
        final long start = System.nanoTime();
        long lastLine = start;
        while (!stop.isStopped() && !client.isFinal() && client.isAlive())
        {
            checkAlive(client);
            screen.update();
            final double elapsed = (System.nanoTime() - start) / 1e9;
            if (terminal.isInteractive())
            {
                terminal.draw(screen.picture(elapsed, seconds));
            }
            else if (System.nanoTime() - lastLine >= TimeUnit.SECONDS.toNanos(1))
            {
                lastLine += TimeUnit.SECONDS.toNanos(1);
                terminal.println(screen.line(elapsed));
            }
            LockSupport.parkNanos(FRAME_NANOS);
        }
    }

    /** Clients first, so that all is answered; then the engine, which ends the feed; then who listens to it. */
    private static void end(final Child engine, final Child gateway, final Child feed, final Child client)
    {
        for (final Child child : List.of(client, gateway, engine))
        {
            child.stop();
            child.await(END_NANOS, TimeUnit.NANOSECONDS);
        }
        if (!feed.await(END_NANOS, TimeUnit.NANOSECONDS))
        {
            feed.stop();
            feed.await(END_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private Child start(final String name, final List<String> command) throws IOException
    {
        final Child child = Child.start(name, command);
        children.add(child);
        return child;
    }

    private List<String> command(final Path directory, final String... words)
    {
        final List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of("--child", "--dir", directory.toString(), "--in", channel, "--out", channel));
        return JavaCommand.of(MAIN, arguments);
    }

    private void await(final StopSignal stop, final String what, final Child child, final String key)
    {
        final long start = System.nanoTime();
        while (child.status().number(key) == 0 && !child.isFinal() && !stop.isStopped())
        {
            checkAlive(null);
            if (System.nanoTime() - start > START_NANOS)
            {
                throw new OperatorException("not within " + TimeUnit.NANOSECONDS.toSeconds(START_NANOS) + " s: " +
                    what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        if (stop.isStopped())
        {
            throw new OperatorException("interrupted before " + what);
        }
    }

    private void checkAlive(final Child mayEnd)
    {
        for (final Child child : children)
        {
            if (!child.isAlive() && child != mayEnd)
            {
                child.await(1, TimeUnit.SECONDS);
                throw new OperatorException(child.ending());
            }
        }
    }
}

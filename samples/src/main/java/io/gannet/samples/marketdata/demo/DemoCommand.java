package io.gannet.samples.marketdata.demo;

import io.gannet.Channel;
import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.samples.marketdata.cli.SourceOptions;
import io.gannet.samples.marketdata.cli.StopSignal;
import io.gannet.samples.orderflow.demo.OrdersDemoCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet demo}.
 */
@Command(name = "demo", sortOptions = false, subcommands = OrdersDemoCommand.class, description = {
    "Shows a market-data feed: a publisher and its driver, RoCE v2 packets over loopback, a second driver and two " +
        "subscribers, the second of which joins late. All are processes of their own; no hardware is needed.",
    "Exit code 1 if numbers were missing or the books of the processes differ."})
public final class DemoCommand implements Subcommand
{
    private static final String MAIN = "io.gannet.cli.Main";
    private static final double FILE_RATE = 20_000;
    private static final double LATE_SECONDS = 3;
    private static final double GRACE_SECONDS = 20;
    private static final long FRAME_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Mixin
    private SourceOptions source;

    @Option(names = "--seconds", defaultValue = "15", description = "Length; 0: until Ctrl-C. Default: 15.")
    private double seconds;

    @Option(names = "--ipc", description = "One driver and shared memory instead: no packets.")
    private boolean ipc;

    @Option(names = "--ring", paramLabel = "SIZE", defaultValue = "4m", description =
        "Data bytes of each ring, a power of two. Default: ${DEFAULT-VALUE}.")
    private String ring;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result to a file.")
    private Path json;

    private final List<Child> children = new ArrayList<>();
    private Terminal terminal;

    @Override
    public Integer call() throws IOException
    {
        source.defaultLoops(0);
        source.paceFile(FILE_RATE);
        source.check();
        checkRing();
        if (!(seconds >= 0))
        {
            throw new UsageException("--seconds is " + seconds + ", it must be 0 or more");
        }
        if (json != null)
        {
            checkWritable(json);
        }
        terminal = Terminal.ofStandardOutput();
        final Path directory = directory();
        final DemoResult result;
        try (StopSignal stop = new StopSignal(0, false))
        {
            try
            {
                result = run(directory, stop);
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

    private void checkRing()
    {
        try
        {
            Channel.parse("gannet:ipc?ring=" + ring);
        }
        catch (final IllegalArgumentException malformed)
        {
            throw new UsageException("--ring " + ring + ": " + malformed.getMessage(), malformed);
        }
    }

    /** Before the run, whose result would be lost. */
    private static void checkWritable(final Path file)
    {
        final Path parent = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : parent))
        {
            throw new OperatorException("--json " + file + ": can't be written; name a file in a directory that " +
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

    private DemoResult run(final Path directory, final StopSignal stop) throws IOException
    {
        final DemoLink link = ipc ? DemoLink.ipc(directory, ring, this::start) :
            DemoLink.roce(directory, ring, this::start, this::awaitReady);
        final List<Child> subscribers = new ArrayList<>();
        subscribers.add(start("A", feed(link, "subscribe")));
        final List<String> publish = new ArrayList<>(feed(link, "publish", "--wait"));
        publish.addAll(source.arguments());
        final Child publisher = start("publisher", publish);
        final DemoScreen screen = new DemoScreen(terminal, link, publisher, subscribers);
        awaitFirstMessage(publisher, stop);
        if (!terminal.isInteractive())
        {
            terminal.println("from another terminal: " + link.topCommand());
        }

        final long start = System.nanoTime();
        final double late = seconds > 0 ? Math.min(LATE_SECONDS, seconds / 3) : LATE_SECONDS;
        long lastLine = start;
        while (!stop.isStopped() && !publisher.isFinal())
        {
            final double elapsed = (System.nanoTime() - start) / 1e9;
            if (seconds > 0 && elapsed >= seconds && (elapsed >= seconds + GRACE_SECONDS ||
                (subscribers.size() > 1 && allInSync(subscribers))))
            {
                break;
            }
            if (subscribers.size() == 1 && elapsed >= late)
            {
                subscribers.add(start("B", feed(link, "subscribe")));
            }
            checkAlive(publisher);
            screen.update();
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
        end(publisher, subscribers);
        return new DemoResult(link, publisher, subscribers);
    }

    /** On a busy machine a late joiner may need longer than planned; without it the demo would show half. */
    private static boolean allInSync(final List<Child> subscribers)
    {
        return subscribers.stream().allMatch(subscriber -> subscriber.status().text("state").equals("in sync"));
    }

    private Child start(final String name, final List<String> command) throws IOException
    {
        final Child child = Child.start(name, command);
        children.add(child);
        return child;
    }

    private List<String> feed(final DemoLink link, final String what, final String... more)
    {
        final Path directory = what.equals("publish") ? link.publisherDirectory() : link.subscriberDirectory();
        final List<String> arguments = new ArrayList<>(List.of("feed", what, "--child", "--dir", directory.toString(),
            "--channel", link.channel()));
        arguments.addAll(List.of(more));
        return JavaCommand.of(MAIN, arguments);
    }

    private Matcher awaitReady(final Child driver)
    {
        final long start = System.nanoTime();
        Matcher ready = driver.find(DemoLink.ready());
        while (ready == null)
        {
            if (!driver.isAlive())
            {
                driver.await(1, TimeUnit.SECONDS);
                throw new OperatorException(driver.ending() + "\nThe demo without packets is: gannet demo --ipc");
            }
            checkTime(start);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            ready = driver.find(DemoLink.ready());
        }
        return ready;
    }

    private static void checkTime(final long start)
    {
        if (System.nanoTime() - start > START_NANOS)
        {
            throw new OperatorException("the demo's processes did not begin within " +
                TimeUnit.NANOSECONDS.toSeconds(START_NANOS) + " s");
        }
    }

    private void awaitFirstMessage(final Child publisher, final StopSignal stop)
    {
        final long start = System.nanoTime();
        while (publisher.status().number("messages") == 0 && !stop.isStopped())
        {
            checkAlive(publisher);
            checkTime(start);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** All processes must run, until the publisher has said its last words. */
    private void checkAlive(final Child publisher)
    {
        for (final Child child : children)
        {
            if (!child.isAlive() && !publisher.isFinal() && !child.isFinal())
            {
                child.await(1, TimeUnit.SECONDS);
                if (!child.isFinal())
                {
                    throw new OperatorException(child.ending());
                }
            }
        }
    }

    /** The publisher ends the feed; the subscribers, of which one may just have started, end when they see that. */
    private static void end(final Child publisher, final List<Child> subscribers)
    {
        final long start = System.nanoTime();
        while (!publisher.isFinal() && !allInSync(subscribers) && System.nanoTime() - start < END_NANOS)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        publisher.stop();
        publisher.await(END_NANOS, TimeUnit.NANOSECONDS);
        for (final Child subscriber : subscribers)
        {
            if (!subscriber.await(END_NANOS, TimeUnit.NANOSECONDS))
            {
                subscriber.stop();
                subscriber.await(END_NANOS, TimeUnit.NANOSECONDS);
            }
        }
    }
}

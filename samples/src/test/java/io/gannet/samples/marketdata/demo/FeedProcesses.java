package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;

/** Driver or drivers, publisher and subscribers as real processes in a directory of their own. */
final class FeedProcesses implements AutoCloseable
{
    private static final String RING = "4m";
    private static final long DEADLINE_NANOS = TimeUnit.MINUTES.toNanos(3);

    private final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-test-feed-");
    private final List<Child> children = new ArrayList<>();

    private final DemoLink link;

    /** With one driver. */
    FeedProcesses() throws IOException
    {
        this(false);
    }

    /** With one driver, or with two and RoCE packets between them. */
    FeedProcesses(final boolean roce) throws IOException
    {
        link = roce ? DemoLink.roce(directory, RING, this::start, this::awaitReady) :
            DemoLink.ipc(directory, RING, this::start);
    }

    private Matcher awaitReady(final Child driver)
    {
        await("a ready driver", () -> driver.find(DemoLink.ready()) != null);
        return driver.find(DemoLink.ready());
    }

    Child feed(final String name, final String... arguments) throws IOException
    {
        final Path side = arguments[0].equals("publish") ? link.publisherDirectory() : link.subscriberDirectory();
        final List<String> command = new ArrayList<>(List.of("feed", arguments[0], "--child", "--dir",
            side.toString(), "--channel", link.channel()));
        command.addAll(List.of(arguments).subList(1, arguments.length));
        return start(name, JavaCommand.of("io.gannet.cli.Main", command));
    }

    Child sample(final String name, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("sample", name, "--dir", directory.toString()));
        command.addAll(List.of(arguments));
        return start(name, JavaCommand.of("io.gannet.cli.Main", command));
    }

    private Child start(final String name, final List<String> command) throws IOException
    {
        final Child child = Child.start(name, command);
        children.add(child);
        return child;
    }

    static void signal(final String signal, final Child child) throws IOException, InterruptedException
    {
        final Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(child.pid())).inheritIO().start();
        assertThat(kill.waitFor()).isZero();
    }

    void await(final String what, final BooleanSupplier condition)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            for (final Child child : children)
            {
                assertThat(child.isAlive() || child.isFinal()).as("%s while waiting for: %s", child.ending(), what)
                    .isTrue();
            }
            assertThat(System.nanoTime() - start).as("waited for: %s%n%s", what, states())
                .isLessThan(DEADLINE_NANOS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private String states()
    {
        final StringBuilder states = new StringBuilder();
        children.forEach(child -> states.append(child.name()).append(": ").append(child.status()).append('\n'));
        return states.toString();
    }

    @Override
    public void close() throws IOException
    {
        children.reversed().forEach(Child::close);
        Directories.delete(directory);
    }
}

package io.gannet.harness;

import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One test's directory and processes. A test that fails, also by a deadline, gets everybody's output, threads, counters
 * and the drivers' errors printed; a test that passes fails if a driver logged an error that it did not expect.
 */
public final class ProcessHarness implements BeforeEachCallback, AfterEachCallback
{
    private static final long STANDSTILL_NANOS = 1_000_000_000L;

    private final List<TestProcess> processes = new ArrayList<>();
    private final List<String> expectedErrors = new ArrayList<>();
    private final List<String> seenErrors = new ArrayList<>();
    private List<String> launcher = List.of();
    private String classPath = TestProcess.ownClassPath();
    private final List<Path> directories = new ArrayList<>();
    private int drivers;

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        directories.add(TestDirectory.create("it"));
    }

    /** The test's own directory, on tmpfs. */
    public Path directory()
    {
        return directories.getFirst();
    }

    /** One more, for another driver. */
    public Path anotherDirectory()
    {
        directories.add(TestDirectory.create("it-other"));
        return directories.getLast();
    }

    /** Starts a driver and waits until it is ready. */
    public TestProcess startDriver(final String... flags)
    {
        final TestProcess driver = launchDriver(flags);
        awaitReady(driver);
        return driver;
    }

    /** Waits until clients can connect to a driver. */
    public void awaitReady(final TestProcess driver)
    {
        await("the driver's ready line", () -> driver.lastAfter("gannet driver ready") != null || !driver.isAlive());
        if (!driver.isAlive())
        {
            throw new AssertionError("the driver ended: " + driver.lines());
        }
    }

    /** Starts a driver and does not wait. */
    public TestProcess launchDriver(final String... flags)
    {
        collectErrors();
        final List<String> arguments = new ArrayList<>(List.of("driver"));
        arguments.addAll(List.of(flags));
        if (!arguments.contains("--dir"))
        {
            arguments.addAll(List.of("--dir", directory().toString()));
        }
        drivers++;
        return start("driver " + drivers, "io.gannet.cli.Main", arguments);
    }

    /** Starts a {@link FlowPublisher}. */
    public TestProcess startPublisher(final boolean exclusive, final String channel)
    {
        return start("publisher", FlowPublisher.class.getName(),
            List.of(directory().toString(), Boolean.toString(exclusive), channel));
    }

    /** Starts a {@link FlowSubscriber}. */
    public TestProcess startSubscriber()
    {
        return start("subscriber", FlowSubscriber.class.getName(), List.of(directory().toString(), "gannet:ipc"));
    }

    /** Waits until a publisher makes no progress any more, as somebody holds it back. */
    public void awaitStandstill(final TestProcess publisher)
    {
        final long[] last = {-1, System.nanoTime()};
        await(publisher.name() + " to be held back", () ->
        {
            if (count(publisher) != last[0])
            {
                last[0] = count(publisher);
                last[1] = System.nanoTime();
            }
            return System.nanoTime() - last[1] > STANDSTILL_NANOS;
        });
    }

    /** Starts any main class of the tests' class path. */
    public TestProcess start(final String name, final String main, final List<String> arguments)
    {
        final TestProcess process =
            TestProcess.start(name + " #" + processes.size(), launcher, classPath, Map.of(), main, arguments);
        processes.add(process);
        return process;
    }

    /** What is started from now on has this class path. */
    public void classPath(final String path)
    {
        classPath = path;
    }

    /** What is started from now on is started by this command, such as {@code unshare}. */
    public void launchBy(final String... command)
    {
        launcher = List.of(command);
    }

    /** Waits for a condition; none of the {@link FlowSubscriber}s may have seen a fault meanwhile. */
    public void await(final String what, final BooleanSupplier condition)
    {
        Await.until(what, () ->
        {
            for (final TestProcess process : processes)
            {
                final String fault = process.lastAfter(FlowSubscriber.FAULT);
                if (fault != null)
                {
                    throw new AssertionError(process.name() + ": " + fault);
                }
            }
            return condition.getAsBoolean();
        });
    }

    /** Waits until a process has counted so many messages more than now. */
    public void awaitProgress(final TestProcess process, final long messages)
    {
        final long start = count(process);
        await(process.name() + " to get " + messages + " messages further than " + start, () ->
        {
            if (!process.isAlive())
            {
                throw new AssertionError(process.name() + " ended: " + process.lines());
            }
            return count(process) >= start + messages;
        });
    }

    /** Messages that a publisher or subscriber has counted so far. */
    public static long count(final TestProcess process)
    {
        final String count = process.lastAfter(FlowPublisher.COUNT);
        return count == null ? 0 : Long.parseLong(count);
    }

    /** Kills what still runs, before the test ends. */
    public void closeProcesses()
    {
        processes.forEach(TestProcess::close);
    }

    /** An error with this text in it is part of the test. */
    public void expectError(final String text)
    {
        expectedErrors.add(text);
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        final boolean failed = context.getExecutionException().isPresent();
        try
        {
            collectErrors();
            if (failed)
            {
                dump(context.getDisplayName());
            }
        }
        finally
        {
            processes.forEach(TestProcess::close);
            directories.forEach(TestDirectory::remove);
        }
        if (!failed)
        {
            seenErrors.removeIf(error -> expectedErrors.stream().anyMatch(error::contains));
            if (!seenErrors.isEmpty())
            {
                throw new AssertionError("a driver logged errors that were not expected: " + seenErrors);
            }
        }
    }

    /** Takes the errors of the control file, before another driver makes a new one. */
    private void collectErrors()
    {
        directories.forEach(this::collectErrors);
    }

    private void collectErrors(final Path directory)
    {
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            ErrorLogReader.read(control.errorLogBuffer(), (count, first, last, error) -> seenErrors.add(error));
        }
        catch (final ControlException e)
        {
            if (e.reason() != ControlException.Reason.MISSING)
            {
                seenErrors.add(e.toString());
            }
        }
    }

    private void dump(final String test)
    {
        System.err.println("=== " + test + " failed");
        directories.forEach(ProcessHarness::dump);
        System.err.println("=== errors of drivers: " + seenErrors);
        for (final TestProcess process : processes)
        {
            process.printThreads();
            System.err.println("=== " + process.name() + ", pid " + process.pid() +
                (process.isAlive() ? ", running" : ", ended with " + process.exitCode()));
            process.lines().forEach(line -> System.err.println("    " + line));
        }
    }

    private static void dump(final Path directory)
    {
        System.err.println("=== directory " + directory + ":");
        for (final String folder : List.of("", "clients", "rings"))
        {
            System.err.println("    " + folder + "/ " + TestDirectory.list(directory.resolve(folder)));
        }
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            control.countersReader().forEach((value, id, label) -> System.err.println("    " + value + "  " + label));
        }
        catch (final ControlException e)
        {
            System.err.println("    " + e.getMessage());
        }
    }
}

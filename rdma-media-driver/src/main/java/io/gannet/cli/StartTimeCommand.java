package io.gannet.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet start-time}: from the start of a driver's process to the first message through it. Runs children with
 * this process's own JVM flags, so that it measures what the launcher starts.
 */
@Command(name = "start-time", hidden = true, description =
    "Measures the time from the start of a driver's process to the first message of a waiting client, and from the " +
    "start of a process with driver and client to its first message.")
public final class StartTimeCommand implements Subcommand
{
    @Option(names = "--runs", defaultValue = "11", description = "Processes of each kind. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--limit", paramLabel = "MS", defaultValue = "350",
        description = "Ends with exit code 1 if a median is larger. Default: ${DEFAULT-VALUE}.")
    private long limitMillis;

    @Override
    public Integer call() throws IOException
    {
        if (runs < 1)
        {
            throw new UsageException("--runs " + runs + ": at least 1 is needed");
        }
        final long[] standAlone = new long[runs];
        final long[] embedded = new long[runs];
        for (int i = -1; i < runs; i++)
        {
            final long driver = standAloneNanos();
            final long process = embeddedNanos();
            if (i >= 0)
            {
                standAlone[i] = driver;
                embedded[i] = process;
            }
        }
        final boolean driverInTime = report("driver start to first message of a waiting client", standAlone);
        final boolean processInTime =
            report("start of a process with driver and client to first message", embedded);
        return driverInTime && processInTime ? 0 : 1;
    }

    private boolean report(final String what, final long[] nanos)
    {
        Arrays.sort(nanos);
        final long median = TimeUnit.NANOSECONDS.toMillis(nanos[nanos.length / 2]);
        System.out.printf("%s, %d runs: median %d ms, fastest %d ms, slowest %d ms (limit %d ms)%n", what, nanos.length,
            median, TimeUnit.NANOSECONDS.toMillis(nanos[0]), TimeUnit.NANOSECONDS.toMillis(nanos[nanos.length - 1]),
            limitMillis);
        return median <= limitMillis;
    }

    private static long standAloneNanos() throws IOException
    {
        try (ScratchDirectory directory = ScratchDirectory.create())
        {
            final long start = System.nanoTime();
            final Process driver = child("driver", "--dir", directory.path().toString());
            try
            {
                FirstMessage.await(directory.path(), true);
                return System.nanoTime() - start;
            }
            finally
            {
                end(driver);
            }
        }
    }

    private static long embeddedNanos() throws IOException
    {
        final long start = System.nanoTime();
        final Process process = child("warm-up");
        try (BufferedReader output =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = output.readLine(); line != null; line = output.readLine())
            {
                if ("first message".equals(line))
                {
                    return System.nanoTime() - start;
                }
            }
            throw new OperatorException("gannet warm-up ended without a message");
        }
        finally
        {
            // It ends by itself, and removes its directory first.
            awaitEnd(process);
        }
    }

    private static void end(final Process process)
    {
        process.toHandle().destroy();
        awaitEnd(process);
    }

    private static void awaitEnd(final Process process)
    {
        try
        {
            if (!process.waitFor(30, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static Process child(final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        final String classPath = System.getProperty("java.class.path");
        if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator))
        {
            command.addAll(List.of("-jar", classPath));
        }
        else
        {
            command.addAll(List.of("-cp", classPath, Main.class.getName()));
        }
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}

package io.gannet.perf.beside;

import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code ib_write_lat} of perftest, server and client on this machine.
 */
final class Perftest
{
    private static final String PROGRAM = "ib_write_lat";
    private static final int FIRST_PORT = 18_600;
    private static final int PORTS = 100;
    private static final int ATTEMPTS = 100;
    private static final int REPEATS = 20;
    private static final int LIMIT_SECONDS = 300;
    private static final long PAUSE_MS = 100;

    private final String server;
    private int port = FIRST_PORT;

    /**
     * @param server address of the RDMA device.
     */
    Perftest(final String server)
    {
        this.server = server;
    }

    static boolean isInstalled()
    {
        return List.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(":", -1)).stream()
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
    }

    /** Runs it; again if it could not find out the processor's clock, after which it prints times as {@code inf}. */
    Trips run(final int bytes, final int inline, final int iterations) throws IOException, InterruptedException
    {
        for (int i = 0; i < REPEATS; i++)
        {
            final Trips trips = runOnce(bytes, inline, iterations);
            if (trips.least() > 0 && Double.isFinite(trips.least()))
            {
                return trips;
            }
        }
        throw new RigException(PROGRAM + " prints no times: it does not find out the processor's clock, " + REPEATS +
            " times");
    }

    private Trips runOnce(final int bytes, final int inline, final int iterations)
        throws IOException, InterruptedException
    {
        port = port + 1 == FIRST_PORT + PORTS ? FIRST_PORT : port + 1;
        final Path directory = Files.createTempDirectory("gannet-perftest-");
        final Path log = directory.resolve("log");
        final Path result = directory.resolve("result");
        final List<String> common = List.of(PROGRAM, "-R", "-F", "-s", Integer.toString(bytes), "-I",
            Integer.toString(Math.min(bytes, inline)), "-n", Integer.toString(iterations),
            "-p", Integer.toString(port));
        final Process serving = start(common, log);
        try
        {
            Process asking = null;
            for (int i = 0; i < ATTEMPTS; i++)
            {
                // Until the server listens, which nothing tells.
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                asking = start(concat(common, server), result);
                if (!asking.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                {
                    asking.destroyForcibly();
                    throw new RigException(PROGRAM + " did not end within " + LIMIT_SECONDS + " s");
                }
                if (asking.exitValue() == 0)
                {
                    return parse(Files.readString(result, StandardCharsets.UTF_8), bytes);
                }
                if (!serving.isAlive())
                {
                    break;
                }
            }
            throw new RigException(PROGRAM + " failed: " + Files.readString(result, StandardCharsets.UTF_8).strip() +
                " / " + Files.readString(log, StandardCharsets.UTF_8).strip());
        }
        finally
        {
            serving.destroyForcibly();
            Files.deleteIfExists(log);
            Files.deleteIfExists(result);
            Files.deleteIfExists(directory);
        }
    }

    private static Process start(final List<String> command, final Path output) throws IOException
    {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    private static List<String> concat(final List<String> command, final String last)
    {
        final List<String> all = new ArrayList<>(command);
        all.add(last);
        return all;
    }

    /** The line that begins with the size: bytes, iterations, least, most, typical ... in microseconds. */
    static Trips parse(final String text, final int bytes)
    {
        for (final String line : text.lines().toList())
        {
            final String[] fields = line.strip().split(" +", -1);
            if (fields.length >= 5 && fields[0].equals(Integer.toString(bytes)))
            {
                return new Trips(nanos(fields[2]), nanos(fields[4]), Long.parseLong(fields[1]));
            }
        }
        throw new RigException(PROGRAM + " printed no line for " + bytes + " bytes: " + text.strip());
    }

    private static double nanos(final String micros)
    {
        return micros.contains("inf") || micros.contains("nan") ? Double.NaN : 1e3 * Double.parseDouble(micros);
    }
}

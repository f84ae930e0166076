package io.gannet.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What other programs of the host print, for what /sys does not show: flow control, the NIC's own counters. On this
 * host they are run if they are installed; of another tree their output is read from {@code commands/} in it, in files
 * named by the command line with {@code _} for each space.
 */
final class Tools
{
    private static final long TIMEOUT_SECONDS = 5;
    private static final int MAX_BYTES = 1 << 20;
    private static final String[] PLACES = {"/usr/sbin", "/usr/bin", "/sbin", "/bin"};

    private final Tree tree;

    Tools(final Tree tree)
    {
        this.tree = tree;
    }

    /** Lines of output; none if the program is not there, fails, or hangs. */
    List<String> output(final String... command)
    {
        if (!tree.isThisHost())
        {
            return tree.lines("/commands/" + String.join("_", command));
        }
        final Path program = find(command[0]);
        if (program == null)
        {
            return List.of();
        }
        final String[] line = command.clone();
        line[0] = program.toString();
        Path output = null;
        try
        {
            output = Files.createTempFile("gannet-doctor-", ".out");
            final Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile()).start();
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                return List.of();
            }
            try (var in = Files.newInputStream(output))
            {
                return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
            }
        }
        catch (final IOException failed)
        {
            return List.of();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return List.of();
        }
        finally
        {
            remove(output);
        }
    }

    private static void remove(final Path file)
    {
        try
        {
            if (file != null)
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException left)
        {
            // In /tmp, and small.
        }
    }

    private static Path find(final String name)
    {
        for (final String place : PLACES)
        {
            final Path path = Path.of(place, name);
            if (Files.isExecutable(path))
            {
                return path;
            }
        }
        return null;
    }
}

package io.gannet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.Await;
import io.gannet.harness.TestProcess;
import io.gannet.monitor.LiveHosts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That who looks on can't change what a driver and its clients share: by what the kernel says of the processes'
 * mappings and open files, while they are at work. A store into such a mapping would be a SIGSEGV.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OnlookersTest
{
    private static final int ACCESS_MODE = 3;

    private final List<String> seen = new ArrayList<>();

    /** Shared files of a directory that a process has mapped or open, each with whether it may write. */
    private void look(final TestProcess process, final Path directory) throws IOException
    {
        final Path proc = Path.of("/proc", Long.toString(process.pid()));
        for (final String mapping : Files.readAllLines(proc.resolve("maps")))
        {
            if (mapping.contains(directory + "/"))
            {
                seen.add("maps " + mapping);
                assertThat(mapping.split(" +", -1)[1]).as(mapping).doesNotContain("w");
            }
        }
        try (Stream<Path> descriptors = Files.list(proc.resolve("fd")))
        {
            for (final Path descriptor : descriptors.toList())
            {
                look(proc, descriptor, directory);
            }
        }
    }

    private void look(final Path proc, final Path descriptor, final Path directory) throws IOException
    {
        try
        {
            final Path file = Files.readSymbolicLink(descriptor);
            if (file.startsWith(directory) && !file.equals(directory))
            {
                final String flags = Files.readAllLines(proc.resolve("fdinfo").resolve(descriptor.getFileName()))
                    .stream().filter(line -> line.startsWith("flags:")).findFirst().orElseThrow();
                seen.add("open " + file);
                assertThat(Integer.parseInt(flags.substring(6).strip(), 8) & ACCESS_MODE)
                    .as("%s is open for writing: %s", file, flags).isZero();
            }
        }
        catch (final NoSuchFileException closed)
        {
            // Meanwhile.
            return;
        }
    }

    private static String get(final String address) throws IOException
    {
        try (InputStream answer = URI.create(address).toURL().openStream())
        {
            return new String(answer.readAllBytes(), UTF_8);
        }
    }

    @Test
    void theExporterMapsAndOpensToReadOnly() throws IOException
    {
        try (LiveHosts hosts = new LiveHosts();
            TestProcess exporter = TestProcess.start("exporter", Map.of(), "io.gannet.cli.Main",
                List.of("exporter", "--dir", hosts.directory().toString(), "--port", "0", "--latency", "77",
                    "--max-age", "60000")))
        {
            final String line = Await.value("the exporter", () -> exporter.lines().isEmpty() ? null :
                exporter.lines().getFirst());
            final String address = line.replaceAll(".* (http://[^/]*)/.*", "$1");
            for (int i = 0; i < 30; i++)
            {
                hosts.pass(1);
                assertThat(get(address + "/metrics")).contains("\ngannet_up 1\n", "gannet_stream_position_bytes_total");
                assertThat(get(address + "/state.json")).contains("publisher of the test (pid ");
                look(exporter, hosts.directory());
            }
            assertThat(seen).anyMatch(mapping -> mapping.startsWith("maps ") && mapping.endsWith("/control"));
            Await.until("times of messages", () ->
            {
                hosts.pass(20);
                lookQuietly(exporter, hosts.directory());
                return getQuietly(address + "/metrics").matches("(?s).*gannet_latency_seconds_count\\{stream=\"77\"," +
                    "[^}]*from=\"publisher\",to=\"subscriber publisher of the test [^}]*} [1-9].*");
            });
        }
    }

    private static String getQuietly(final String address)
    {
        try
        {
            return get(address);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void traceMapsAndOpensToReadOnly() throws IOException
    {
        try (LiveHosts hosts = new LiveHosts();
            TestProcess trace = TestProcess.start("trace", Map.of(), "io.gannet.cli.Main", List.of("trace", "77",
                "--dir", hosts.directory().toString(), "--samples", "200", "--resolution", "1000000", "--seconds",
                "120")))
        {
            Await.until("the trace's end", () ->
            {
                hosts.pass(1);
                lookQuietly(trace, hosts.directory());
                return !trace.isAlive();
            });
            assertThat(trace.exitCode()).as(trace.lines().toString()).isZero();
            assertThat(seen).anyMatch(mapping -> mapping.startsWith("maps ") && mapping.contains("/rings/"));
            assertThat(trace.lines()).anyMatch(line -> line.startsWith("publisher -> subscriber "));
        }
    }

    private void lookQuietly(final TestProcess process, final Path directory)
    {
        try
        {
            look(process, directory);
        }
        catch (final IOException ended)
        {
            // Between two looks; what it printed tells the rest.
            return;
        }
    }
}

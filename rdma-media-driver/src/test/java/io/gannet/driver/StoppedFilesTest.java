package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Counter;
import io.gannet.Gannet;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.errors.OperatorError;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stays of a driver that was stopped: what tools show of it, and little else. */
class StoppedFilesTest
{
    private static final long MOST_BYTES = 200 * 1024;
    private static final long ERROR_LOG_BYTES = 256 * 1024;
    private static final int BLOCK = 512;

    private final Path directory = TestDirectory.create("stopped-files");
    private final GannetDirectory files = new GannetDirectory(directory);

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    private long bytes() throws IOException
    {
        long sum = 0;
        try (Stream<Path> tree = Files.walk(directory))
        {
            for (final Path path : tree.filter(Files::isRegularFile).toList())
            {
                final Process stat = new ProcessBuilder("stat", "-c", "%b", path.toString()).start();
                sum += BLOCK * Long.parseLong(
                    new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            }
        }
        return sum;
    }

    /** Counters and errors, as a tool finds them now. */
    private List<String> shown()
    {
        final List<String> all = new ArrayList<>();
        try (ControlFile control = ControlFile.open(files, false))
        {
            control.countersReader().forEach((value, id, label) ->
            {
                // What is about time goes on until the driver has closed.
                all.add(id + " " + label + (label.startsWith("mine") ? " " + value : ""));
            });
            ErrorLogReader.read(control.errorLogBuffer(), (count, first, last, error) -> all.add(count + " " + error));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40, 500})
    void countersAndErrorsStayAndTheRoomForMoreDoesNot(final int errors) throws IOException
    {
        final MediaDriver driver = MediaDriver.launch(
            DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { }, context ->
            {
                for (int i = 0; i < errors; i++)
                {
                    context.errorHandler().onError(new DriverException(OperatorError.CLIENT_GIVEN_UP, "number " + i));
                }
                return List.of();
            });
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(directory)))
        {
            final List<Counter> counters = new ArrayList<>();
            for (int i = 0; i < 70; i++)
            {
                counters.add(client.addCounter(1000, "mine " + i));
                counters.getLast().increment();
            }
            final long length = Files.size(files.control());
            assertThat(bytes()).as("bytes while it runs").isGreaterThanOrEqualTo(length);
            final List<String> before = shown();
            driver.close();
            assertThat(shown()).isEqualTo(before);
            assertThat(Files.size(files.control())).isEqualTo(length);
            counters.getLast().increment();
            assertThat(shown()).as("a client counts on").contains(
                before.stream().filter(line -> line.contains("mine 69")).findFirst().orElseThrow()
                    .replaceAll("1$", "2"));
        }
        finally
        {
            driver.close();
        }
        // Each error has a stack trace.
        assertThat(bytes()).as("bytes of a driver that was stopped")
            .isLessThan(errors > 1 ? MOST_BYTES + ERROR_LOG_BYTES : MOST_BYTES);
    }
}

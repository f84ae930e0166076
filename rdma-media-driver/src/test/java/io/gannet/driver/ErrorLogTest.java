package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.errors.OperatorError;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The distinct-error log has an end, a driver that runs for years may come there: nothing is lost in silence. */
class ErrorLogTest
{
    private static final int ERRORS = 3_000;

    private final Path directory = TestDirectory.create("error-log");
    private final List<String> log = new CopyOnWriteArrayList<>();

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    @Test
    void oneThatIsFullSaysSoOnceAndWhereTheRestIs()
    {
        final String words = "client 0123456789abcdef of a program with a long name, the one of number ";
        try (MediaDriver driver = MediaDriver.launch(
            DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), log::add, context ->
            {
                for (int i = 0; i < ERRORS; i++)
                {
                    context.errorHandler().onError(new DriverException(OperatorError.CLIENT_GIVEN_UP, words + i));
                }
                return List.of();
            });
            ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            assertThat(driver.failure()).isNull();
            final int[] known = new int[1];
            ErrorLogReader.read(control.errorLogBuffer(), (count, first, last, error) ->
            {
                assertThat(error).contains(words + known[0]++ + " (E230)");
                assertThat(count).isEqualTo(1);
            });
            assertThat(known[0]).isBetween(10, ERRORS - 1);
            assertThat(log.stream().filter(line -> line.startsWith("warning: gannet errors has no room")).toList())
                .hasSize(1);
            final int told = log.indexOf("error: " + words + known[0] + " (E230)");
            assertThat(told).as("the first that had no room").isPositive();
            assertThat(log.get(told - 1)).startsWith("warning: gannet errors has no room");
            final List<Long> counted = new ArrayList<>();
            control.countersReader().forEach((value, id, label) ->
            {
                if (label.equals(SystemCounter.ERRORS.label()))
                {
                    counted.add(value);
                }
            });
            assertThat(counted).containsExactly((long) ERRORS);
        }
    }
}

package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.DriverOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A configuration as a program reads it. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
class DriverCommandTest
{
    @TempDir
    private Path folder;

    @Test
    void valuesAndSourcesAreToldToPrograms() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("driver.conf"), "idle = yield\n");
        final Captured printed =
            Captured.run("driver", "--print-config", "--json", "--config", file.toString(), "--max-rings", "7");
        assertThat(printed.exitCode()).as(printed.err()).isZero();
        assertThat(printed.lines()).hasSize(1);
        assertThat(printed.out()).startsWith("{\"dir\":{").contains(
            "\"idle\":{\"value\":\"yield\",\"source\":\"" + file + ":1\"}",
            "\"max-rings\":{\"value\":\"7\",\"source\":\"flag --max-rings\"}",
            "\"drain-timeout\":{\"value\":\"2s\",\"source\":\"default\"}");
        assertThat(printed.out().split("\"source\":", -1)).hasSize(DriverOptions.all().size() + 1);
    }

    @Test
    void mistakesAreToldToPrograms() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("driver.conf"), "idle = yield\nring-capcity = 1m\nx\n");
        final Captured wrong = Captured.run("driver", "--check-config", "--json", "--config", file.toString());
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).isEmpty();
        assertThat(wrong.out()).startsWith("{\"mistakes\":[\"" + file + ":2: unknown key ring-capcity")
            .contains("(E102)\",\"" + file + ":3: 'x' is not of the form key = value (E102)\"]}\n");

        Files.writeString(file, "idle = yield\n");
        final Captured right = Captured.run("driver", "--check-config", "--json", "--config", file.toString());
        assertThat(right.exitCode()).isZero();
        assertThat(right.out()).isEqualTo("{\"mistakes\":[]}\n");

        final Captured flag = Captured.run("driver", "--check-config", "--json", "--ring-capacity", "3m");
        assertThat(flag.exitCode()).isEqualTo(2);
        assertThat(flag.out()).contains("{\"mistakes\":[\"ring-capacity: ", "3m", "(E102)\"]}");
        final Captured embedded = Captured.run("driver", "--check-config", "--threading", "invoker");
        assertThat(embedded.exitCode()).isEqualTo(2);
        assertThat(embedded.err()).hasLineCount(1).contains("embedded").endsWith("(E102)\n");
    }

    @Test
    void aDriverThatRunsTellsProgramsByOtherCommands()
    {
        final Captured misused = Captured.run("driver", "--json");
        assertThat(misused.exitCode()).isEqualTo(2);
        assertThat(misused.err()).isEqualTo(
            "gannet: --json: only with --print-config or --check-config (E101)\n");
    }
}

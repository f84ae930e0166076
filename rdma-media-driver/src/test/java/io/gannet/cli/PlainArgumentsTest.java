package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlainArgumentsTest
{
    @Test
    void flagsWinOverTheFileWhateverTheirOrder(@TempDir final Path scratch) throws IOException
    {
        final Path file = Files.writeString(scratch.resolve("driver.conf"),
            "threading = shared\nmax-counters = 2000\n");
        for (final String[] arguments : new String[][] {
            {"--dir=" + scratch, "--threading", "dedicated", "--config", file.toString()},
            {"--config=" + file, "--dir", scratch.toString(), "--threading=dedicated"}})
        {
            final DriverConfiguration configuration = PlainArguments.configuration(arguments);
            assertThat(configuration.get(DriverOptions.DIRECTORY)).isEqualTo(scratch);
            assertThat(configuration.get(DriverOptions.MAX_COUNTERS)).isEqualTo(2000);
            assertThat(DriverOptions.THREADING.print(configuration.get(DriverOptions.THREADING)))
                .isEqualTo("dedicated");
        }
    }

    @Test
    void noArgumentsAreTheDefaultsAndTheEnvironment()
    {
        assertThat(PlainArguments.configuration().print())
            .isEqualTo(DriverConfiguration.defaults().withEnvironment(System.getenv()).print());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--dir", "--dir=", "--print-config", "--drr /tmp", "--threading sideways",
        "--threading shared --threading shared", "--config /no/such/file", "@arguments", "--dir --threading=shared",
        "surplus", "--threading=shared surplus"})
    void everythingElseIsLeftToTheLibrary(final String line)
    {
        assertThat(PlainArguments.configuration(line.split(" "))).isNull();
    }
}

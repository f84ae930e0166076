package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverConfigurationTest
{
    @TempDir
    private Path directory;

    @Test
    void everyDefaultIsWithinItsOwnRange()
    {
        for (final DriverOption<?> option : DriverOptions.all())
        {
            printsAndParses(option);
        }
    }

    @Test
    void aLaterPlaceWinsAndTheSourceIsNamed() throws IOException
    {
        final Path file = file("# a comment\n\nthreading = shared\nidle-sleep=5ms\nring-capacity = 4m\n");
        final DriverConfiguration configuration = DriverConfiguration.defaults()
            .withFile(file)
            .withEnvironment(Map.of("GANNET_DRIVER_IDLE_SLEEP", "6ms", "GANNET_DRIVER_RING_CAPACITY", "8m", "A", "b"))
            .withFlag(DriverOptions.RING_CAPACITY, "16m");

        assertThat(configuration.get(DriverOptions.THREADING)).isEqualTo(ThreadingMode.SHARED);
        assertThat(configuration.get(DriverOptions.IDLE_SLEEP)).isEqualTo(6_000_000L);
        assertThat(configuration.get(DriverOptions.RING_CAPACITY)).isEqualTo(16L << 20);
        assertThat(configuration.get(DriverOptions.MAX_CLIENTS)).isEqualTo(1024);
        assertThat(configuration.source(DriverOptions.THREADING)).isEqualTo(file + ":3");
        assertThat(configuration.source(DriverOptions.IDLE_SLEEP)).isEqualTo("environment GANNET_DRIVER_IDLE_SLEEP");
        assertThat(configuration.source(DriverOptions.RING_CAPACITY)).isEqualTo("flag --ring-capacity");
        assertThat(configuration.source(DriverOptions.MAX_CLIENTS)).isEqualTo("default");
        assertThat(configuration.print()).contains("ring-capacity      = 16m ").contains("# flag --ring-capacity");
    }

    @Test
    void anUnknownKeyIsAnErrorWithASuggestionWhereverItStands() throws IOException
    {
        final Path file = file("idle = spin\nthreding = shared\n");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFile(file))
            .isInstanceOf(ConfigurationException.class)
            .hasMessage(file + ":2: unknown key threding; did you mean threading?");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withEnvironment(Map.of("GANNET_DRIVER_IDEL", "spin")))
            .isInstanceOf(ConfigurationException.class)
            .hasMessage("environment variable GANNET_DRIVER_IDEL is not an option; " +
                "did you mean GANNET_DRIVER_IDLE?");
    }

    @Test
    void aBadValueNamesThePlaceTheTextAndTheRange() throws IOException
    {
        final Path file = file("ring-capacity = 3m");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFile(file)).hasMessage(file +
            ":1: ring-capacity: '3m' is not allowed: it must be auto, or a power of two, 64k to 512m");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFlag(DriverOptions.IDLE, "spni"))
            .hasMessage("idle: 'spni' is not allowed: it must be one of auto, spin, yield, sleep; did you mean spin?");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFlag(DriverOptions.IDLE_SLEEP, "5"))
            .hasMessage("idle-sleep: '5' is not allowed: it must be a whole number with ns, us, ms or s");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFlag(DriverOptions.RING_CAPACITY, "99999999999g"))
            .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> DriverConfiguration.defaults().with(DriverOptions.MAX_CLIENTS, 0))
            .hasMessageContaining("1 to 65536");
    }

    @Test
    void aFileThatSetsAKeyTwiceIsRefused() throws IOException
    {
        final Path file = file("idle = spin\nidle = yield\n");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFile(file))
            .hasMessage(file + ":2: idle is set twice, first at " + file + ":1");
    }

    @Test
    void aMissingFileOrALineWithoutEqualsIsOneLine() throws IOException
    {
        final Path missing = directory.resolve("missing.conf");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFile(missing))
            .hasMessage(missing + ": there is no such file");
        final Path file = file("threading shared");
        assertThatThrownBy(() -> DriverConfiguration.defaults().withFile(file))
            .hasMessage(file + ":1: 'threading shared' is not of the form key = value");
    }

    @Test
    void theReferencePageIsCurrent() throws IOException
    {
        final Path page = Path.of("..", "docs", "configuration.md");
        assertThat(Files.readString(page))
            .as("docs/configuration.md is stale: ./gannet driver --print-reference > docs/configuration.md")
            .isEqualTo(ConfigurationReference.markdown());
    }

    private static <T> void printsAndParses(final DriverOption<T> option)
    {
        final T value = option.defaultValue();
        assertThat(option.parse(option.print(value))).as(option.key()).isEqualTo(value);
    }

    private Path file(final String text) throws IOException
    {
        return Files.writeString(directory.resolve("gannet.conf"), text);
    }
}

package io.gannet.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.FileAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The unit, the users, the directory and the driver's options fit each other and what the driver does. */
class UnitsTest
{
    private static final Path MAIN = Path.of("src/main");

    private static List<String> lines(final String file) throws IOException
    {
        return Files.readAllLines(MAIN.resolve(file));
    }

    private static List<String> values(final String key) throws IOException
    {
        return lines("systemd/gannet.service").stream().filter(line -> line.startsWith(key + "="))
            .map(line -> line.substring(key.length() + 1)).toList();
    }

    private static DriverConfiguration options() throws IOException
    {
        final Path file = MAIN.resolve("config/driver.conf");
        assertThat(DriverConfiguration.mistakes(file)).isEmpty();
        return DriverConfiguration.defaults().withFile(file);
    }

    @Test
    void whoMayNotBeTriedAgainIsTheOneWithAMistakeAlone() throws IOException
    {
        assertThat(values("Restart")).containsExactly("on-failure");
        assertThat(values("RestartPreventExitStatus")).containsExactly("2");
        assertThat(values("SuccessExitStatus")).containsExactly("143");
        // Or systemd gives up while a NIC is reset, and nobody starts it when that is back (E408).
        assertThat(values("StartLimitIntervalSec")).containsExactly("0");
        assertThat(values("StartLimitBurst")).isEmpty();
    }

    @Test
    void readinessAndWatchdogAreWhatTheDriverTells() throws IOException
    {
        assertThat(values("Type")).containsExactly("notify");
        assertThat(values("NotifyAccess")).containsExactly("main");
        final long watchdog = Long.parseLong(values("WatchdogSec").getFirst());
        assertThat(watchdog * 1_000_000_000L).as("far above a stall that is only counted")
            .isGreaterThan(10 * options().get(DriverOptions.STALL_THRESHOLD));
        // Java prints its threads at it, and does not end: killed after a while.
        assertThat(values("WatchdogSignal")).containsExactly("SIGQUIT");
        assertThat(values("TimeoutAbortSec")).hasSize(1);
    }

    @Test
    void theGroupMayConnect() throws IOException
    {
        final Path directory = options().get(DriverOptions.DIRECTORY);
        assertThat(options().get(DriverOptions.ACCESS)).isEqualTo(FileAccess.GROUP);
        assertThat(values("User")).containsExactly("gannet");
        assertThat(values("Group")).containsExactly("gannet");
        assertThat(values("UMask")).containsExactly("0007");
        assertThat(lines("systemd/gannet.tmpfiles")).contains("d " + directory + " 0770 gannet gannet -");
        assertThat(lines("systemd/gannet.sysusers")).contains("g gannet -").anyMatch(line ->
            line.startsWith("u gannet - "));
        assertThat(values("ReadWritePaths")).allMatch(path -> directory.startsWith(path)).isNotEmpty();
        assertThat(lines("systemd/gannet-exporter.service")).contains("SupplementaryGroups=gannet")
            .anyMatch(line -> line.startsWith("ExecStart=") && line.contains(" --dir " + directory + " "));
    }

    /** Each commented option of the file is one as well. */
    @Test
    void whatTheConfigurationProposesIsPossible() throws IOException
    {
        final Path all = Files.createTempFile("driver", ".conf");
        try
        {
            Files.write(all, lines("config/driver.conf").stream()
                .map(line -> line.matches("#[a-z-]+ = .*") ? line.substring(1) : line).toList());
            assertThat(DriverConfiguration.mistakes(all)).isEmpty();
            assertThat(DriverConfiguration.defaults().withFile(all).get(DriverOptions.DOCTOR_PORT)).isEqualTo(14_791);
        }
        finally
        {
            Files.delete(all);
        }
    }

    @Test
    void memoryIsNeitherLimitedNorSwapped() throws IOException
    {
        assertThat(values("LimitMEMLOCK")).containsExactly("infinity");
        assertThat(values("MemorySwapMax")).containsExactly("0");
        assertThat(Long.parseLong(values("LimitNOFILE").getFirst()))
            .isGreaterThan(2L * options().get(DriverOptions.MAX_RINGS) + 2L * options().get(DriverOptions.MAX_CLIENTS));
    }
}

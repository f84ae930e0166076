package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * What {@code gannet doctor} prints, and its exit code; what it finds is tested in its own package.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
class DoctorCommandTest
{
    private static final String CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource";

    private final Path root = TestDirectory.create("doctor-cli");

    @AfterEach
    void remove()
    {
        TestDirectory.remove(root);
    }

    private void file(final String path, final String content) throws IOException
    {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), content);
    }

    private Captured doctor(final String... more)
    {
        final String[] arguments = new String[more.length + 3];
        arguments[0] = "doctor";
        arguments[1] = "--root";
        arguments[2] = root.toString();
        System.arraycopy(more, 0, arguments, 3, more.length);
        return Captured.run(arguments);
    }

    @Test
    void theExitCodeIsThatOfTheWorstFinding() throws IOException
    {
        file("proc/self/status", "");
        file(CLOCK, "tsc");
        assertThat(doctor("--local").exitCode()).isZero();
        file(CLOCK, "hpet");
        assertThat(doctor("--local").exitCode()).isEqualTo(3);
        assertThat(doctor().exitCode()).as("no RDMA at all").isEqualTo(4);
    }

    @Test
    void aProcessThatIsNotThereIsToldAtOnce() throws IOException
    {
        file("proc/self/status", "");
        for (final String process : new String[] {"12345", "-1"})
        {
            final Captured run = doctor("--pid", process);
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("--pid " + process + ": there is no such process in " + root + "/proc");
        }
    }

    @Test
    void aFindingHasItsFourLines() throws IOException
    {
        file("proc/self/status", "");
        file(CLOCK, "hpet");
        final Captured run = doctor("--local");
        final int at = run.lines().indexOf(
            run.lines().stream().filter(line -> line.startsWith("warning  clock-source")).findFirst().orElseThrow());
        assertThat(run.lines().get(at)).contains("hpet");
        assertThat(run.lines().get(at + 1)).contains("expected").contains("tsc");
        assertThat(run.lines().get(at + 2)).contains("why");
        assertThat(run.lines().get(at + 3)).contains("mend").contains("dmesg");
        assertThat(run.lines().getLast()).contains("0 errors, 1 warning, ");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void jsonHasTheSame() throws IOException
    {
        file("proc/self/status", "");
        file(CLOCK, "hpet");
        final Captured run = doctor("--local", "--json");
        assertThat(run.lines()).hasSize(1);
        assertThat(run.out()).startsWith("{\"root\":").contains("\"worst\":\"warning\"",
            "{\"check\":\"clock-source\",\"severity\":\"warning\",\"found\":\"hpet of \",\"expected\":");
    }

    @Test
    void aRootThatIsNoneIsOneLine() throws IOException
    {
        assertThat(doctor().exitCode()).isEqualTo(2);
        assertThat(doctor().err()).contains("no proc/self").hasLineCount(1);
        final Captured none = Captured.run("doctor", "--root", "/nowhere/at/all");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("/nowhere/at/all").hasLineCount(1);
    }

    @Test
    void thisHostCanBeLookedAt()
    {
        final Captured run = Captured.run("doctor", "--dir", root.toString(), "--watch", "10");
        assertThat(run.exitCode()).isIn(0, 3, 4);
        assertThat(run.out()).contains("clock-source", "Linux ", root.toString());
    }
}

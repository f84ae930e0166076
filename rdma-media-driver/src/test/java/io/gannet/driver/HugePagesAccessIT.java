package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may reach rings of huge pages: those who may connect to the driver, or it does not start. */
@Tag("root")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class HugePagesAccessIT
{
    private static final int GROUP = 64_150;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();
    private final Path mount = TestDirectory.create("huge");

    @BeforeEach
    void needsRoot() throws IOException, InterruptedException
    {
        final boolean possible = "root".equals(System.getProperty("user.name")) && new ProcessBuilder("unshare",
            "--mount", "--propagation", "private", "mount", "-t", "hugetlbfs", "none", mount.toString())
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        if (!possible)
        {
            System.err.println("not tested without root and hugetlbfs: huge pages of a group (HugePagesAccessIT)");
        }
        assumeTrue(possible);
    }

    @AfterEach
    void remove()
    {
        harness.closeProcesses();
        TestDirectory.remove(mount);
    }

    private TestProcess launch(final String mountOptions, final String mode) throws IOException
    {
        Files.setAttribute(harness.directory(), "unix:gid", GROUP);
        Files.setPosixFilePermissions(harness.directory(), PosixFilePermissions.fromString(mode));
        harness.launchBy("unshare", "--mount", "--propagation", "private", "sh", "-c",
            "mount -t hugetlbfs -o " + mountOptions + " none " + mount + " && exec \"$@\"", "sh");
        return harness.launchDriver("--memory", "hugetlb", "--hugetlb-mount", mount.toString());
    }

    /** As the driver sees it, in whose name space alone it is mounted. */
    private Path ringsOf(final TestProcess driver)
    {
        return Path.of("/proc", Long.toString(driver.pid()), "root").resolve(mount.toString().substring(1))
            .resolve("gannet" + harness.directory().toString().replace('/', '-'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gid=64150,mode=0770", "mode=0755"})
    void aGroupThatMayConnectMayMapTheRings(final String mountOptions) throws IOException
    {
        final TestProcess driver = launch(mountOptions, "rwxrwx---");
        harness.awaitReady(driver);
        assertThat(Files.getAttribute(ringsOf(driver), "unix:mode")).isEqualTo(042_770);
        assertThat(Files.getAttribute(ringsOf(driver), "unix:gid")).isEqualTo(GROUP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mode=0700", "gid=64150,mode=0700", "gid=1,mode=0770"})
    void aGroupThatCanNotEnterTheMountIsTold(final String mountOptions) throws IOException
    {
        final TestProcess driver = launch(mountOptions, "rwxrwx---");
        harness.await("its end", () -> !driver.isAlive());
        driver.close();
        assertThat(driver.exitCode()).isEqualTo(1);
        assertThat(driver.lines()).filteredOn(line -> line.startsWith("gannet: ")).singleElement().asString()
            .contains(mount.toString(), harness.directory().toString(), "gid=" + GROUP + ",mode=0770")
            .endsWith("(E208)");
    }

    /** Where files can only be mapped. */
    @Test
    void aDirectoryThereIsRefusedAndNotMade()
    {
        final Path inside = mount.resolve("directory");
        harness.launchBy("unshare", "--mount", "--propagation", "private", "sh", "-c", "mount -t hugetlbfs none " +
            mount + " && \"$@\"; code=$?; ls -A " + mount + "; exit $code", "sh");
        final TestProcess driver = harness.launchDriver("--dir", inside.toString());
        harness.await("its end", () -> !driver.isAlive());
        driver.close();
        assertThat(driver.exitCode()).isEqualTo(1);
        assertThat(driver.lines()).singleElement().asString().startsWith("gannet: directory " + inside)
            .contains("is on hugetlbfs", "memory=hugetlb").endsWith("(E207)");
    }

    @Test
    void whereTheUserAloneMayConnectTheRingsAreItsAlone() throws IOException
    {
        final TestProcess driver = launch("mode=0700", "rwx------");
        harness.awaitReady(driver);
        assertThat(Files.getAttribute(ringsOf(driver), "unix:mode")).isEqualTo(040_700);
    }
}

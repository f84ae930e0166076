package io.gannet.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Debian package is installed, used and removed, and the image's root file system run, in jails that the test
 * makes.
 */
@Tag("root")
@Tag("tool")
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class PackagesIT
{
    private static final Path TARGET = Path.of(System.getProperty("gannet.packages", "target")).toAbsolutePath();
    private static final double MOST_EXPOSED = 2.5;

    @TempDir
    private Path scratch;

    @BeforeEach
    void needsRootAndTools() throws IOException
    {
        final List<String> missing = Stream.of("unshare", "nsenter", "dpkg", "lintian", "man", "systemd-analyze",
            "skopeo").filter(tool -> Stream.of("/usr/bin/", "/usr/sbin/", "/bin/")
                .noneMatch(folder -> Files.isExecutable(Path.of(folder + tool)))).toList();
        final boolean possible = "root".equals(System.getProperty("user.name")) && missing.isEmpty();
        if (!possible)
        {
            System.err.println("not tested without root and " + missing + ": packages (PackagesIT)");
        }
        assumeTrue(possible);
    }

    private static Path deb() throws IOException
    {
        try (Stream<Path> files = Files.list(TARGET))
        {
            return files.filter(file -> file.getFileName().toString().endsWith(".deb")).findFirst().orElseThrow();
        }
    }

    private String run(final String... command) throws IOException, InterruptedException
    {
        final Path log = scratch.resolve("log");
        final int exitCode = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile())
            .start().waitFor();
        assertThat(exitCode).as("%s: %s", String.join(" ", command), Files.readString(log)).isZero();
        return Files.readString(log);
    }

    private void assertServes(final Jail jail, final String user, final String... command)
        throws IOException, InterruptedException
    {
        final Path log = scratch.resolve("driver.log");
        final Process driver = jail.start(user, log, command);
        await("the driver: " + log, () -> read(log).contains("gannet driver ready: directory /dev/shm/gannet"));
        final Jail.Result healthy = jail.runAs(user, "gannet", "health", "--dir", "/dev/shm/gannet");
        assertThat(healthy.exitCode()).as(healthy.out()).isZero();
        assertThat(healthy.out()).startsWith("healthy: ");
        final Jail.Result hello = jail.runAs(user, "gannet", "sample", "hello", "--dir", "/dev/shm/gannet");
        assertThat(hello.exitCode()).as(hello.out()).isZero();
        assertThat(hello.out()).contains("hello");
        final Matcher pid = Pattern.compile("ready: .*pid (\\d+),").matcher(read(log));
        assertThat(pid.find()).isTrue();
        jail.get("sh", "-c", "kill -TERM " + pid.group(1));
        await("the driver's end", () -> !driver.isAlive());
        assertThat(read(log)).contains("gannet driver stopped");
    }

    private static void assertUnit(final Jail jail, final String unit)
    {
        assertThat(jail.get("systemd-analyze", "verify", unit)).doesNotContain(unit);
        final Matcher exposure = Pattern.compile("exposure level for " + unit + ": ([0-9.]+)").matcher(
            jail.get("systemd-analyze", "security", "--offline=true", "/usr/lib/systemd/system/" + unit));
        assertThat(exposure.find()).isTrue();
        assertThat(Double.parseDouble(exposure.group(1))).isLessThanOrEqualTo(MOST_EXPOSED);
    }

    /**
     * The exporter's unit, as far as that can be had without systemd: its command line but for the port, its user, and
     * /dev/shm only to be read; beside a driver that comes, goes and is killed.
     */
    private void assertExports(final Jail jail) throws IOException, InterruptedException
    {
        final Matcher unit = Pattern.compile("(?m)^ExecStart=/usr/bin/(.*) --port 9843$")
            .matcher(jail.get("cat", "/usr/lib/systemd/system/gannet-exporter.service"));
        assertThat(unit.find()).isTrue();
        final Path log = scratch.resolve("exporter.log");
        final Process exporter = jail.start(null, log, "unshare", "--mount", "sh", "-c",
            "mount --bind /dev/shm /dev/shm && mount -o remount,bind,ro /dev/shm && exec setpriv --init-groups " +
            "--reuid gannet-exporter --regid gannet-exporter " + unit.group(1) + " --port 0");
        final Pattern at = Pattern.compile("exporter of /dev/shm/gannet at (http://127.0.0.1:\\d+)/");
        await("the exporter: " + log, () -> at.matcher(read(log)).find() || !exporter.isAlive());
        final Matcher address = at.matcher(read(log));
        assertThat(address.find()).as(read(log)).isTrue();
        final URI health = URI.create(address.group(1) + "/health");
        assertThat(get(health)).startsWith("503 unhealthy: ");
        for (final String signal : List.of("KILL", "TERM"))
        {
            final Path output = scratch.resolve("exported-driver.log");
            final Process driver =
                jail.start("gannet:gannet", output, "gannet", "driver", "--config", "/etc/gannet/driver.conf");
            // Not by its health alone, which for a moment may be that of the driver that was killed.
            await("the driver to be up: " + output, () ->
                get(URI.create(address.group(1) + "/metrics")).contains("\ngannet_up 1\n") &&
                get(health).startsWith("200 healthy: "));
            final Pattern ready = Pattern.compile("ready: .*pid (\\d+),");
            await("its line: " + output, () -> ready.matcher(read(output)).find());
            final Matcher pid = ready.matcher(read(output));
            assertThat(pid.find()).isTrue();
            jail.get("sh", "-c", "kill -" + signal + " " + pid.group(1));
            await("the driver's end", () -> !driver.isAlive());
            await("that to be told", () -> get(health).startsWith("503 unhealthy: "));
        }
        jail.get("sh", "-c", "kill -TERM $(pidof -x java)");
        await("the exporter's end", () -> !exporter.isAlive());
        assertThat(read(log).lines()).as("what it prints").hasSize(1);
    }

    /** Status and body. */
    private static String get(final URI address)
    {
        try (HttpClient client = HttpClient.newHttpClient())
        {
            final HttpResponse<String> answer =
                client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException e)
        {
            return "";
        }
    }

    private static void await(final String what, final java.util.function.BooleanSupplier condition)
        throws InterruptedException
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("waited 120 s for " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void lintianFindsNoErrorInTheDebianPackage() throws IOException, InterruptedException
    {
        // Exits with 2 where there is an error.
        assertThat(run("lintian", "--fail-on", "error", deb().toString())).doesNotContain("E: ");
    }

    @Test
    void theDebianPackageIsInstalledUsedAndRemoved() throws IOException, InterruptedException
    {
        final Path package0 = Files.copy(deb(), Path.of("/tmp").resolve("gannet-it-" + System.nanoTime() + ".deb"));
        try (Jail jail = Jail.ofHost(Files.createDirectory(scratch.resolve("jail"))))
        {
            jail.get("dpkg", "-i", package0.toString());
            assertThat(jail.get("getent", "passwd", "gannet")).contains("/usr/sbin/nologin");
            assertThat(jail.get("stat", "-c", "%U:%G %a", "/dev/shm/gannet")).isEqualTo("gannet:gannet 770\n");
            assertThat(jail.get("gannet", "version")).startsWith("gannet ");
            assertThat(jail.get("gannet", "driver", "--check-config", "--config", "/etc/gannet/driver.conf"))
                .startsWith("no mistakes: 2 options");
            assertThat(jail.get("man", "-w", "gannet-driver")).contains("/usr/share/man/man1/gannet-driver.1.gz");
            jail.get("bash", "-n", "/usr/share/bash-completion/completions/gannet");
            assertThat(jail.get("man", "-w", "gannet-exporter")).contains("/gannet-exporter.1.gz");
            assertThat(jail.get("id", "-Gn", "gannet-exporter")).isEqualTo("gannet-exporter gannet\n");
            assertUnit(jail, "gannet.service");
            assertUnit(jail, "gannet-exporter.service");

            assertExports(jail);
            assertServes(jail, "gannet:gannet", "gannet", "driver", "--config", "/etc/gannet/driver.conf");

            jail.get("sh", "-c", "echo '# mine' >> /etc/gannet/driver.conf");
            jail.get("dpkg", "--force-confold", "-i", package0.toString());
            assertThat(jail.get("cat", "/etc/gannet/driver.conf")).endsWith("# mine\n");
            jail.get("dpkg", "-r", "gannet");
            assertThat(jail.get("cat", "/etc/gannet/driver.conf")).endsWith("# mine\n");
            assertThat(jail.run("ls", "/usr/bin/gannet", "/usr/lib/systemd/system/gannet.service", "/usr/lib/gannet",
                "/usr/lib/systemd/system/gannet-exporter.service").out().lines()).hasSize(4)
                .allMatch(line -> line.contains("No such file"));
            jail.get("dpkg", "-P", "gannet");
            assertThat(jail.run("ls", "/etc/gannet/driver.conf").exitCode()).isNotZero();
        }
        finally
        {
            Files.delete(package0);
        }
    }

    @Test
    void theImageIsReadByOthersAndItsRootRuns() throws IOException, InterruptedException
    {
        final Path made = Files.createDirectory(scratch.resolve("image"));
        run(Path.of("build-image").toAbsolutePath().toString(), deb().toString(), made.toString());
        final String archive = "oci-archive:" + made.resolve("gannet-image.tar");
        assertThat(run("skopeo", "inspect", archive)).contains("\"Architecture\": \"amd64\"");
        assertThat(run("skopeo", "inspect", "--config", archive)).contains("64150:64150", "/usr/bin/gannet");
        try (Jail jail = Jail.of(made.resolve("rootfs")))
        {
            assertServes(jail, "64150:64150", "/usr/bin/gannet", "driver", "--access", "group", "--dir",
                "/dev/shm/gannet");
        }
    }
}

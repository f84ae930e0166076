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
import java.util.stream.Collectors;
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
    private static final String NEXT = "99.0";
    private static final String CALLS = "/run/systemctl.calls";

    @TempDir
    private Path scratch;

    @BeforeEach
    void needsRootAndTools() throws IOException
    {
        final List<String> missing = Stream.of("unshare", "nsenter", "dpkg", "lintian", "man", "systemd-analyze",
            "skopeo").filter(tool -> Stream.of("/usr/bin/", "/usr/sbin/", "/bin/")
                .noneMatch(folder -> Files.isExecutable(Path.of(folder + tool)))).toList();
        final boolean possible = "root".equals(System.getProperty("user.name")) && missing.isEmpty() &&
            Files.exists(SystemCalls.HEADER);
        if (!possible)
        {
            System.err.println("not tested without root, " + missing + " and " + SystemCalls.HEADER +
                ": packages (PackagesIT)");
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

    /** The same package as the next release, with another proposal for the configuration. */
    private Path nextRelease(final Path deb) throws IOException, InterruptedException
    {
        final Path content = scratch.resolve("next");
        run("dpkg-deb", "-R", deb.toString(), content.toString());
        final Path control = content.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replaceFirst("(?m)^Version: .*$", "Version: " + NEXT));
        final Path proposal = content.resolve("etc/gannet/driver.conf");
        Files.writeString(proposal, Files.readString(proposal) + "# of the next release\n");
        final Path next = Path.of(deb.toString().replace(".deb", "-next.deb"));
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", content.toString(), next.toString());
        return next;
    }

    /** What the package has the service manager do. */
    private static List<String> calls(final Jail jail)
    {
        final List<String> calls = jail.get("cat", CALLS).lines().toList();
        jail.get("truncate", "-s", "0", CALLS);
        return calls;
    }

    private static long number(final Jail jail, final String command, final String pattern)
    {
        final Matcher value =
            Pattern.compile(pattern).matcher(jail.get("gannet", command, "--json", "--dir", "/dev/shm/gannet"));
        return value.find() ? Long.parseLong(value.group(1)) : -1;
    }

    private Process driver(final Jail jail, final Path log) throws InterruptedException
    {
        final Process driver =
            jail.start("gannet:gannet", log, "gannet", "driver", "--config", "/etc/gannet/driver.conf");
        await("the driver: " + log, () -> read(log).contains("gannet driver ready: "));
        return driver;
    }

    private static void stop(final Jail jail, final Process driver, final Path log) throws InterruptedException
    {
        final Matcher pid = Pattern.compile("ready: .*pid (\\d+),").matcher(read(log));
        assertThat(pid.find()).isTrue();
        jail.get("sh", "-c", "kill -TERM " + pid.group(1));
        await("the driver's end", () -> !driver.isAlive());
        assertThat(read(log)).contains("gannet driver stopped").doesNotContain("error:", "(E");
    }

    /**
     * The packages change under a driver and clients that run, which systemd would restart: here the test does what the
     * package asks it for.
     */
    private void assertReleasesChangeUnderClients(final Jail jail, final Path package0, final Path next)
        throws InterruptedException
    {
        Path log = scratch.resolve("driver-0.log");
        Process driver = driver(jail, log);
        final Path output = scratch.resolve("clients.log");
        final Process subscriber = jail.start("gannet:gannet", output, "gannet", "sample", "stream-subscribe", "--dir",
            "/dev/shm/gannet");
        final Process publisher = jail.start("gannet:gannet", scratch.resolve("publisher.log"), "gannet", "sample",
            "stream-publish", "--messages", "100000000000", "--dir", "/dev/shm/gannet");
        final String position = "\"subscribers\":\\[\\{[^}]*\"position\":(\\d+)";
        await("the stream", () -> number(jail, "streams", position) > 0);
        for (final Path release : List.of(next, package0))
        {
            // The older one second: what an operator has written stays in both directions.
            assertThat(jail.get("dpkg", "--force-confold", "-i", release.toString())).contains("Unpacking gannet");
            // The first one of the release that goes.
            assertThat(calls(jail)).containsExactly(
                "daemon-reload", "daemon-reload", "try-restart gannet.service gannet-exporter.service");
            assertThat(NEXT.equals(jail.get("dpkg-query", "-W", "-f", "${Version}", "gannet")))
                .isEqualTo(release.equals(next));
            final long before = number(jail, "streams", position);
            await("the stream to go on", () -> number(jail, "streams", position) > before);
            stop(jail, driver, log);
            log = scratch.resolve("driver-" + release.getFileName() + ".log");
            driver = driver(jail, log);
            await("it to take the ring over", () ->
                number(jail, "stat", "rings taken over from the driver before\",\"value\":(\\d+)") == 1);
            final long after = number(jail, "streams", position);
            await("the stream to go on", () -> number(jail, "streams", position) > after);
            assertThat(subscriber.isAlive() && publisher.isAlive()).as(read(output)).isTrue();
        }
        publisher.descendants().forEach(ProcessHandle::destroy);
        subscriber.descendants().forEach(ProcessHandle::destroy);
        await("the clients' end", () -> !subscriber.isAlive() && !publisher.isAlive());
        stop(jail, driver, log);
    }

    /**
     * As systemd runs the driver: user, umask and filter of system calls of the unit, in a directory that it has to
     * make anew. A program of a user of the group connects, whatever that one's first group.
     */
    private void assertServesTheGroupUnderTheUnitsFilter(final Jail jail)
        throws IOException, InterruptedException
    {
        final List<String> unit = jail.get("cat", "/usr/lib/systemd/system/gannet.service").lines().toList();
        assertThat(unit).contains("RestrictSUIDSGID=yes", "NoNewPrivileges=yes", "SystemCallErrorNumber=EPERM");
        final List<Integer> calls = SystemCalls.of(unit);
        assertThat(calls).hasSizeBetween(150, 350);
        jail.get("sh", "-c", "mkdir /opt/sandbox; cp -r " + Path.of("target/test-classes").toAbsolutePath() +
            "/io /opt/sandbox; chmod -R go+rX /opt/sandbox; printf '%s\n' \"$@\" > /opt/sandbox/calls", "sh",
            calls.stream().map(String::valueOf).collect(Collectors.joining("\n")));
        jail.get("sh", "-c", "adduser --disabled-password --gecos '' alice; adduser alice gannet; " +
            "rm -rf /dev/shm/gannet");
        final Path log = scratch.resolve("sandboxed-driver.log");
        final Process driver = jail.start("gannet:gannet", log, "sh", "-c", "umask 0007; exec \"$@\"", "sh",
            "/usr/lib/gannet/runtime/bin/java", "--enable-native-access=ALL-UNNAMED", "-cp",
            "/opt/sandbox:/usr/lib/gannet/lib/*", Sandbox.class.getName(), "/opt/sandbox/calls", "/usr/bin/gannet",
            "driver", "--config", "/etc/gannet/driver.conf", "--device", "roce");
        await("the driver: " + log, () -> read(log).contains("gannet driver ready: ") || !driver.isAlive());
        assertThat(read(log)).contains("gannet driver ready: ", "device roce:127.");
        assertThat(jail.get("stat", "-c", "%U:%G %a", "/dev/shm/gannet", "/dev/shm/gannet/clients"))
            .as("that the filter is there: the bit could not be set")
            .isEqualTo("gannet:gannet 770\ngannet:gannet 770\n");
        final Jail.Result hello = jail.run("setpriv", "--reuid=alice", "--regid=alice", "--init-groups", "gannet",
            "sample", "hello", "--dir", "/dev/shm/gannet");
        assertThat(hello.exitCode()).as(hello.out() + read(log)).isZero();
        assertThat(hello.out()).contains("hello");
        stop(jail, driver, log);
        // As at the next boot.
        jail.get("systemd-tmpfiles", "--create", "gannet.conf");
        assertThat(jail.get("stat", "-c", "%a", "/dev/shm/gannet/clients", "/dev/shm/gannet/rings"))
            .isEqualTo("2770\n2770\n");
    }

    /** The lines that the page proposes for the unit. */
    private static void assertUnitTakesWhatThePageProposes(final Jail jail)
    {
        final List<String> page = jail.get("cat", "/usr/share/doc/gannet/operations.md").lines().toList();
        final List<String> lines = page.subList(page.indexOf("    [Service]"), page.size()).stream()
            .takeWhile(line -> line.startsWith("    ")).map(String::strip).toList();
        assertThat(lines).hasSizeGreaterThan(3);
        jail.get("mkdir", "-p", "/etc/systemd/system/gannet.service.d");
        jail.get("sh", "-c", "printf '%s\n' \"$@\" > /etc/systemd/system/gannet.service.d/override.conf", "sh",
            String.join("\n", lines));
        assertThat(jail.get("systemd-analyze", "verify", "gannet.service")).doesNotContain("gannet.service");
        jail.get("sh", "-c", "echo 'CPUAffinity=two' >> /etc/systemd/system/gannet.service.d/override.conf");
        assertThat(jail.run("systemd-analyze", "verify", "gannet.service").out()).as("that it would find a mistake")
            .contains("gannet.service.d/override.conf");
        jail.get("rm", "-r", "/etc/systemd/system/gannet.service.d");
    }

    /** Links between pages lead somewhere, and each manual page is one without a warning. */
    private static void assertPagesAreWhole(final Jail jail)
    {
        final Path doc = Path.of("/usr/share/doc/gannet");
        int links = 0;
        for (final String page : jail.get("sh", "-c", "ls " + doc + "/*.md").lines().toList())
        {
            final Matcher link = Pattern.compile("\\]\\((?!https?:|#|\\.\\./)([^)#]+)").matcher(jail.get("cat", page));
            while (link.find())
            {
                assertThat(jail.run("test", "-e", doc.resolve(link.group(1)).toString()).exitCode())
                    .as("%s of %s", link.group(1), page).isZero();
                links++;
            }
        }
        assertThat(links).isGreaterThan(5);
        // As lintian does.
        assertThat(jail.get("sh", "-c", "for page in /usr/share/man/man1/gannet*.1.gz; do LC_ALL=C.UTF-8 MANWIDTH=80 " +
            "man --warnings -E UTF-8 -l -Tutf8 -Z \"$page\" 2>&1 >/dev/null; done")).isEmpty();
    }

    @Test
    void theDebianPackageIsInstalledUsedAndRemoved() throws IOException, InterruptedException
    {
        final Path package0 = Files.copy(deb(), Path.of("/tmp").resolve("gannet-it-" + System.nanoTime() + ".deb"));
        final Path next = nextRelease(package0);
        try (Jail jail = Jail.ofHost(Files.createDirectory(scratch.resolve("jail"))))
        {
            jail.get("sh", "-c", "mkdir -p /run/systemd/system; rm -f /usr/bin/systemctl; printf '#!/bin/sh\n" +
                "echo \"$*\" >> " + CALLS + "\n' > /usr/bin/systemctl; chmod 755 /usr/bin/systemctl");
            jail.get("dpkg", "-i", package0.toString());
            assertThat(calls(jail)).as("nothing is started at installation").containsExactly("daemon-reload");
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
            assertUnitTakesWhatThePageProposes(jail);
            assertPagesAreWhole(jail);

            assertExports(jail);
            // With the fewest open files that the command lets a driver have.
            assertServes(jail, "gannet:gannet", "sh", "-c",
                "ulimit -n 128; exec gannet driver --config /etc/gannet/driver.conf --device roce");
            assertServesTheGroupUnderTheUnitsFilter(jail);

            jail.get("sh", "-c", "echo '# mine' >> /etc/gannet/driver.conf");
            assertReleasesChangeUnderClients(jail, package0, next);
            assertThat(jail.get("cat", "/etc/gannet/driver.conf")).endsWith("# mine\n");
            jail.get("dpkg", "-r", "gannet");
            assertThat(calls(jail)).containsExactly(
                "--no-reload disable --now gannet.service gannet-exporter.service", "daemon-reload");
            assertThat(jail.get("cat", "/etc/gannet/driver.conf")).endsWith("# mine\n");
            assertThat(jail.run("ls", "/usr/bin/gannet", "/usr/lib/systemd/system/gannet.service", "/usr/lib/gannet",
                "/usr/lib/systemd/system/gannet-exporter.service").out().lines()).hasSize(4)
                .allMatch(line -> line.contains("No such file"));
            jail.get("dpkg", "-P", "gannet");
            assertThat(jail.run("ls", "/etc/gannet").exitCode()).isNotZero();
            assertThat(jail.run("ls", "/dev/shm/gannet").exitCode()).isNotZero();
        }
        finally
        {
            Files.delete(package0);
            Files.delete(next);
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

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.harness.Await;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Directories of other users, and such as may not be written: one clear line with the user and the remedy.
 */
@Tag("root")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class ForeignUserIT
{
    /** Where a client's file has its heartbeat. */
    private static final int HEARTBEAT = 384;
    /** Of nobody. */
    private static final int OTHER = 65_534;
    private static final int GROUP = 64_150;
    /** A user of that group. */
    private static final int MEMBER = 64_200;
    private static final String[] AS_OTHER =
        {"setpriv", "--reuid=" + OTHER, "--regid=" + OTHER, "--clear-groups"};

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    /** All classes, where other users can read them too. */
    private static Path classes;

    @BeforeAll
    static void copyClasses() throws IOException
    {
        classes = Files.createTempDirectory("gannet-classes");
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        final StringTokenizer entries = new StringTokenizer(TestProcess.ownClassPath(), File.pathSeparator);
        for (int i = 0; entries.hasMoreTokens(); i++)
        {
            final Path entry = Path.of(entries.nextToken());
            if (Files.exists(entry))
            {
                copy(entry.toRealPath(), classes.resolve(Integer.toString(i)));
            }
        }
    }

    private static void copy(final Path entry, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(entry))
        {
            for (final Path file : files.toList())
            {
                Files.copy(file, to.resolve(entry.relativize(file).toString()));
            }
        }
    }

    @AfterAll
    static void removeClasses()
    {
        TestDirectory.remove(classes);
    }

    private static String classPath()
    {
        return TestDirectory.list(classes).stream().sorted(Comparator.comparing(Integer::valueOf))
            .map(name -> classes.resolve(name).toString()).collect(Collectors.joining(File.pathSeparator));
    }

    @BeforeEach
    void needsRoot() throws InterruptedException
    {
        final boolean possible = "root".equals(System.getProperty("user.name")) &&
            runs(System.getProperty("java.home") + "/bin/java", "-version");
        if (!possible)
        {
            System.err.println("not tested without root: directories of other users (ForeignUserIT)");
        }
        assumeTrue(possible);
        harness.classPath(classPath());
    }

    private static boolean runs(final String... command) throws InterruptedException
    {
        final List<String> all = new ArrayList<>(List.of(AS_OTHER));
        all.addAll(List.of(command));
        try
        {
            return new ProcessBuilder(all).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        }
        catch (final IOException missing)
        {
            return false;
        }
    }

    private void assertOneLine(final TestProcess process, final String... texts)
    {
        harness.await("its end", () -> !process.isAlive());
        process.close();
        assertThat(process.lines()).singleElement().asString().startsWith("gannet: ").contains(texts);
        assertThat(process.exitCode()).isEqualTo(1);
    }

    private TestProcess command(final String... arguments)
    {
        return harness.start(arguments[0], "io.gannet.cli.Main", List.of(arguments));
    }

    @Test
    void theSoftwareNicNeedsNoPrivileges()
    {
        harness.launchBy("setpriv", "--reuid=" + OTHER, "--regid=" + OTHER, "--clear-groups", "--inh-caps=-all",
            "--bounding-set=-all", "--no-new-privs");
        final TestProcess process = harness.start("unprivileged", "io.gannet.rdma.roce.Unprivileged", List.of());
        harness.await("its end", () -> !process.isAlive());
        process.close();
        assertThat(process.lines()).anyMatch(line -> line.startsWith("Uid: " + OTHER))
            .contains("CapEff: 0000000000000000", "came 200");
        assertThat(process.exitCode()).isZero();
    }

    @Test
    void aClientOfAnotherUserIsToldWhoMayConnect()
    {
        harness.startDriver();
        harness.launchBy(AS_OTHER);
        final String directory = harness.directory().toString();
        assertOneLine(command("add-publication", "--dir", directory, "--channel", "gannet:ipc"), "user nobody",
            directory);
        assertOneLine(command("streams", "--dir", directory), directory, "permission denied", "Run as the user");
    }

    @Test
    void aDriverInAnotherUsersDirectoryNamesTheOwner()
    {
        harness.launchBy(AS_OTHER);
        assertOneLine(harness.launchDriver(), harness.directory().toString(), "user nobody", "belongs to root");
        final Path inside = harness.directory().resolve("inside");
        assertOneLine(harness.launchDriver("--dir", inside.toString()), inside.toString(), "user nobody");
    }

    @Test
    void aDirectoryThatItsOwnerMayNotWriteIsRefused() throws IOException
    {
        Files.setAttribute(harness.directory(), "unix:uid", OTHER);
        Files.setPosixFilePermissions(harness.directory(), PosixFilePermissions.fromString("r-x------"));
        harness.launchBy(AS_OTHER);
        assertOneLine(harness.launchDriver(), harness.directory().toString(), "not writable", "its owner",
            "its mode is r-x------", "chmod u+rwx");
    }

    @Test
    void anotherUsersDriverServesTheGroupIfAskedTo() throws IOException
    {
        final Path directory = harness.directory();
        Files.setAttribute(directory, "unix:uid", OTHER);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        harness.launchBy(AS_OTHER);
        harness.startDriver("--access", "group");
        harness.launchBy();
        final TestProcess ofRoot = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, "gannet:ipc?ring=256k");
        harness.awaitProgress(ofRoot, 2_000);
        harness.awaitProgress(publisher, 2_000);
        Await.until("one client each", () ->
            TestDirectory.list(directory.resolve("clients")).size() == 2);
    }

    /**
     * As the package installs it: a user of the group, whose own first group is another, beside a driver of the group's
     * user. Where the driver may not set the folders' set-group-id bit, as in a unit with RestrictSUIDSGID=yes, clients
     * share their files by themselves.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProgramOfTheGroupConnectsWhateverItsFirstGroup(final boolean mayShare) throws IOException
    {
        final Path directory = harness.directory();
        Files.setAttribute(directory, "unix:uid", OTHER);
        Files.setAttribute(directory, "unix:gid", GROUP);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        if (!mayShare)
        {
            for (final String folder : List.of("clients", "rings"))
            {
                Files.createDirectory(directory.resolve(folder));
                Files.setAttribute(directory.resolve(folder), "unix:gid", GROUP);
                Files.setAttribute(directory.resolve(folder), "unix:mode", 0770);
            }
        }
        harness.launchBy("setpriv", "--reuid=" + OTHER, "--regid=" + GROUP, "--clear-groups");
        harness.startDriver("--access", "group");
        assertThat(Files.getAttribute(directory.resolve("clients"), "unix:mode"))
            .isEqualTo(mayShare ? 042_770 : 040_770);
        harness.launchBy("setpriv", "--reuid=" + MEMBER, "--regid=" + MEMBER, "--groups=" + GROUP);
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, "gannet:ipc?ring=256k");
        harness.awaitProgress(subscriber, 2_000);
        harness.awaitProgress(publisher, 2_000);
        for (final String folder : List.of("clients", "rings"))
        {
            assertThat(TestDirectory.list(directory.resolve(folder))).isNotEmpty().allSatisfy(file ->
                assertThat(Files.getAttribute(directory.resolve(folder).resolve(file), "unix:gid")).as(file)
                    .isEqualTo(GROUP));
        }
        harness.launchBy("setpriv", "--reuid=" + MEMBER, "--regid=" + MEMBER, "--clear-groups");
        assertOneLine(command("add-publication", "--dir", directory.toString(), "--channel", "gannet:ipc"),
            directory.toString(), "permission denied");
    }

    @Test
    void streamsGoOnWhereADirectoryMayNotBeSearchedAnyMore() throws IOException
    {
        final Path directory = harness.directory();
        Files.setAttribute(directory, "unix:uid", OTHER);
        harness.launchBy(AS_OTHER);
        harness.expectError("cannot look for new clients");
        harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, "gannet:ipc?ring=256k");
        harness.awaitProgress(subscriber, 2_000);
        final List<String> clients = TestDirectory.list(directory.resolve("clients"));
        assertThat(clients).hasSize(2);
        for (final Path closed : List.of(directory.resolve("clients"), directory))
        {
            final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(closed);
            Files.setPosixFilePermissions(closed, Set.of());
            for (final String client : clients)
            {
                awaitHeartbeats(directory.resolve("clients").resolve(client));
            }
            harness.awaitProgress(subscriber, 2_000);
            harness.awaitProgress(publisher, 2_000);
            Files.setPosixFilePermissions(closed, mode);
        }
        assertThat(TestDirectory.list(directory.resolve("clients"))).isEqualTo(clients);
    }

    @Test
    void singleFilesThatMayNotBeUsedAnyMoreAreNamedToWhoComesAndStreamsGoOn() throws IOException
    {
        final Path directory = harness.directory();
        Files.setAttribute(directory, "unix:uid", OTHER);
        harness.launchBy(AS_OTHER);
        harness.startDriver();
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(true, "gannet:ipc?ring=256k");
        harness.awaitProgress(subscriber, 2_000);
        for (final String name : List.of("driver", "control", "bell"))
        {
            final Path file = directory.resolve(name);
            final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            for (final String odd : List.of("---------", "r--r--r--"))
            {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(odd));
                if (!"bell".equals(name))
                {
                    assertOneLine(command("add-publication", "--dir", directory.toString(), "--channel", "gannet:ipc"),
                        file.toString(), "permission denied", "user nobody");
                }
                harness.awaitProgress(subscriber, 2_000);
                harness.awaitProgress(publisher, 2_000);
            }
            Files.setPosixFilePermissions(file, mode);
        }
        for (final Path ring : TestDirectory.list(directory.resolve("rings")).stream()
            .map(directory.resolve("rings")::resolve).toList())
        {
            Files.setPosixFilePermissions(ring, Set.of());
        }
        harness.awaitProgress(subscriber, 2_000);
        harness.awaitProgress(publisher, 2_000);
    }

    /** After each of them a client looks after its file. */
    private void awaitHeartbeats(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            final Set<Long> seen = new HashSet<>();
            harness.await("heartbeats", () ->
            {
                final ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
                try
                {
                    channel.read(word, HEARTBEAT);
                }
                catch (final IOException failure)
                {
                    throw new UncheckedIOException(failure);
                }
                seen.add(word.getLong(0));
                return seen.size() > 5;
            });
        }
    }
}

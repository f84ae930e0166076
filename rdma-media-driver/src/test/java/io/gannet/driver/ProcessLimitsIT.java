package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.control.ErrorCode;
import io.gannet.harness.Await;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver that runs into the limits of its process: one clear error to who asked for too much, and everybody else goes
 * on.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class ProcessLimitsIT
{
    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private Gannet connect()
    {
        harness.launchBy();
        return Gannet.connect(new Gannet.Context().directory(harness.directory())
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }

    private static void exchange(final Publication publication, final Subscription subscription)
    {
        Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        for (int i = 0; i < 1_000; i++)
        {
            assertThat(publication.offer(message, 0, 100)).isPositive();
            Await.until("the message", () -> subscription.poll((buffer, offset, length, header) -> { }, 1) == 1);
        }
    }

    @Test
    void filesOfTheProcess()
    {
        harness.launchBy("prlimit", "--nofile=150:150");
        final TestProcess driver = harness.startDriver();
        try (Gannet client = connect();
            Publication publication = client.addPublication("gannet:ipc?ring=64k", 1);
            Subscription subscription = client.addSubscription("gannet:ipc", 1))
        {
            final List<Publication> many = new ArrayList<>();
            assertThatThrownBy(() ->
            {
                while (many.size() < 200)
                {
                    many.add(client.addPublication("gannet:ipc?ring=64k", 2 + many.size()));
                }
            }).isInstanceOf(RegistrationException.class).hasMessageContaining("ulimit -n");
            exchange(publication, subscription);
            many.forEach(Publication::close);
            client.addPublication("gannet:ipc?ring=64k", 500).close();
        }
        assertThat(driver.isAlive()).isTrue();
    }

    @Test
    void lengthOfAFile()
    {
        harness.launchBy("prlimit", "--fsize=8000000:8000000");
        final TestProcess driver = harness.startDriver();
        try (Gannet client = connect();
            Publication publication = client.addPublication("gannet:ipc?ring=64k", 1);
            Subscription subscription = client.addSubscription("gannet:ipc", 1))
        {
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?ring=16m", 2))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("16842752")
                .hasMessageContaining("ulimit -f");
            exchange(publication, subscription);
        }
        assertThat(driver.isAlive()).isTrue();
    }

    /** What is printed of a driver that has too few of something to start at all: one line, with the code. */
    private void assertEndsWithOneLine(final String words, final String code)
    {
        final TestProcess driver = harness.launchDriver();
        Await.until("its end", () -> !driver.isAlive());
        driver.close();         // all of its output is there
        assertThat(driver.exitCode()).isEqualTo(1);
        assertThat(driver.lines()).filteredOn(line -> line.startsWith("gannet: ")).singleElement().asString()
            .contains(words).endsWith("(" + code + ")");
        assertThat(driver.lines()).noneMatch(line -> line.startsWith("\tat "));
    }

    /** Started without the launcher, it would be ready, and refuse each publication. */
    @ParameterizedTest
    @ValueSource(ints = {100, 127})
    void tooFewOpenFilesToServeAnybody(final int files)
    {
        harness.launchBy("prlimit", "--nofile=" + files + ":" + files);
        assertEndsWithOneLine("only " + files + " open files are allowed, and 128 are the least: ulimit -n", "E213");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4_096, 1_000_000})
    void aFileLengthThatIsTooShortToStart(final int most)
    {
        harness.launchBy("prlimit", "--fsize=" + most + ":" + most);
        assertEndsWithOneLine("Raise the limit of a file's length: ulimit -f", "E209");
    }

    @Test
    void aRingThatIsLongerThanAFileMayBeIsNoFullFileSystem()
    {
        harness.launchBy("prlimit", "--fsize=8000000:8000000");
        harness.startDriver();
        try (Gannet client = connect())
        {
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?ring=16m", 2))
                .isInstanceOfSatisfying(RegistrationException.class, refused ->
                {
                    assertThat(refused.errorCode()).isEqualTo(ErrorCode.SHORTAGE);
                    assertThat(refused.code()).isEqualTo("E306");
                    assertThat(refused).hasMessageEndingWith("(E306)");
                });
        }
    }

    /**
     * Fewer open files than Java needs to say anything by itself, and than a driver needs for one ring: about 38 with
     * the software NIC, and 64 that it keeps for clients. That it serves with the least is tested with the package.
     */
    @ParameterizedTest
    @CsvSource({"8, 64, stat", "63, 64, stat", "16, 128, driver", "127, 128, driver"})
    void theLauncherRefusesTooFewOpenFiles(final int files, final int least, final String command)
        throws IOException, InterruptedException
    {
        final Process launcher = new ProcessBuilder("prlimit", "--nofile=" + files + ":" + files, "bash", "../gannet",
            command).redirectErrorStream(true).start();
        final String out = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(out).hasLineCount(1).startsWith("gannet: only " + files + " open files are allowed, and " +
            least + " are the least").endsWith("(E213)\n");
    }

    /** Of its virtual memory, of which a ring of 64 MiB takes twice as much. */
    @Test
    void memoryOfTheProcess()
    {
        harness.launchBy("prlimit", "--as=4000000000:4000000000");
        final TestProcess driver = harness.startDriver();
        try (Gannet client = connect();
            Publication publication = client.addPublication("gannet:ipc?ring=64k", 1);
            Subscription subscription = client.addSubscription("gannet:ipc", 1))
        {
            final List<Publication> many = new ArrayList<>();
            assertThatThrownBy(() ->
            {
                while (many.size() < 40)
                {
                    many.add(client.addPublication("gannet:ipc?ring=64m", 2 + many.size()));
                }
            }).isInstanceOf(RegistrationException.class).hasMessageContaining("134283264")
                .hasMessageContaining("ulimit -v");
            exchange(publication, subscription);
            many.forEach(Publication::close);
            client.addPublication("gannet:ipc?ring=64k", 500).close();
        }
        assertThat(driver.isAlive()).isTrue();
    }
}

package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What operators run beside a driver that lives, is stopped by a signal, and is killed: the same values each time. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DeadDriverIT
{
    private static final int MESSAGES = 1_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private Captured run(final String command, final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of(command, "--dir", harness.directory().toString()));
        arguments.addAll(List.of(more));
        return Captured.run(arguments.toArray(String[]::new));
    }

    /** What stays the same whatever becomes of the driver. */
    private void assertValues(final String state, final long pid)
    {
        assertThat(run("stat")).satisfies(stat ->
        {
            assertThat(stat.exitCode()).isZero();
            assertThat(stat.out()).contains("(pid " + pid + ",", ": " + state + "\n")
                .containsPattern("\\n +\\d+ +1  clients connected\\n")
                .containsPattern("\\n +\\d+ +1  rings\\n")
                .containsPattern("\\n +\\d+ +1  publications\\n")
                .containsPattern("\\n +\\d+ +1  errors, see the distinct-error log\\n");
        });
        assertThat(run("stat", "--json").out()).contains("\"pid\":" + pid + ",", "\"state\":\"" + state + "\"",
            "\"label\":\"rings\",\"value\":1}", "\"label\":\"publications\",\"value\":1}");
        final Captured errors = run("errors");
        assertThat(errors.exitCode()).isZero();
        assertThat(errors.out()).containsPattern("\\n +1 x  .*/rings/notes is not a file of Gannet's.*\\(E232\\)\\n");
        assertThat(run("errors", "--json").out()).contains("\"count\":1,", "\"code\":\"E232\"", "/rings/notes");
        assertThat(run("streams").out()).contains(": " + state + "\n", "gannet:ipc?ring=64k");
        assertThat(run("streams", "--json").out()).contains("\"state\":\"" + state + "\"",
            "\"channel\":\"gannet:ipc?ring=64k\"", "\"position\":" + MESSAGES * 128L);
    }

    private void assertHealth(final boolean healthy, final String state, final String... words)
    {
        final Captured health = run("health", "--max-age", "60000");
        assertThat(health.exitCode()).as(health.toString()).isEqualTo(healthy ? 0 : 1);
        assertThat(health.out()).startsWith(healthy ? "healthy: " : "unhealthy: ").contains(words).hasLineCount(1);
        final Captured live = run("health", "--live", "--json", "--max-age", "60000");
        assertThat(live.exitCode()).isEqualTo(healthy ? 0 : 1);
        assertThat(live.out()).contains("\"healthy\":" + healthy, "\"state\":\"" + state + "\"");
    }

    @Test
    void aliveAndKilled() throws IOException
    {
        harness.expectError("is not a file of Gannet's");
        harness.startDriver().kill();
        Files.createFile(harness.directory().resolve("rings/notes"));
        final TestProcess driver = harness.startDriver();
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(harness.directory())
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription = client.addSubscription("gannet:ipc", 1);
            Publication publication = client.addPublication("gannet:ipc?ring=64k", 1))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
            for (int i = 0; i < MESSAGES; i++)
            {
                Await.until("room", () -> publication.offer(message, 0, 100) > 0);
                Await.until("it", () -> subscription.poll((buffer, offset, length, header) -> { }, 1) == 1);
            }
            Await.until("the driver to have counted it", () ->
                run("streams", "--json").out().contains("\"position\":" + MESSAGES * 128L));
            assertHealth(true, "running", "pid " + driver.pid());
            assertValues("running", driver.pid());
            driver.kill();
            assertHealth(false, "dead", "pid " + driver.pid(), "Start");
            assertValues("dead", driver.pid());
            final Captured doctor = run("doctor", "--local");
            assertThat(doctor.exitCode()).isIn(3, 4);
            assertThat(doctor.lines()).anyMatch(line -> line.startsWith("warning  directory") &&
                line.contains("pid " + driver.pid()) && line.endsWith("died"));
        }
    }
}

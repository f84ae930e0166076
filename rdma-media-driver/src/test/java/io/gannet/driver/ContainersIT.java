package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every process in pid and mount name spaces of its own, as in containers that share nothing but the directory: each is
 * pid 1.
 */
@Tag("root")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ContainersIT
{
    private static final String CHANNEL = "gannet:ipc?ring=256k";
    private static final long SOME = 2_000;
    private static final String[] UNSHARE =
        {"unshare", "--pid", "--mount", "--mount-proc", "--fork", "--kill-child=KILL"};

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    @BeforeEach
    void needsRoot() throws IOException, InterruptedException
    {
        final boolean possible = "root".equals(System.getProperty("user.name")) &&
            new ProcessBuilder("unshare", "--pid", "--mount", "--mount-proc", "--fork", "true")
                .inheritIO().start().waitFor() == 0;
        if (!possible)
        {
            System.err.println("not tested without root: containers with pid name spaces of their own (ContainersIT)");
        }
        assumeTrue(possible);
        harness.launchBy(UNSHARE);
    }

    @Test
    void everybodyIsPidOneAndStreamsOutliveDrivers()
    {
        final TestProcess driver = harness.startDriver();
        assertThat(driver.lastAfter("gannet driver ready")).contains("pid 1,");
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess victim = harness.startSubscriber();
        final TestProcess publisher = harness.startPublisher(false, CHANNEL);
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(victim, SOME);

        final TestProcess second = harness.launchDriver();
        harness.await("the second driver's end", () -> !second.isAlive());
        second.close();
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.lines()).singleElement().asString()
            .contains("another driver runs in " + harness.directory()).contains("pid 1,");

        victim.kill();
        harness.awaitProgress(subscriber, 4 * SOME);
        harness.await("the dead one's file to go",
            () -> TestDirectory.list(harness.directory().resolve("clients")).size() == 2);

        driver.kill();
        harness.awaitProgress(subscriber, SOME);
        assertThat(harness.startDriver().lastAfter("gannet driver ready")).contains("pid 1,");
        harness.await("the subscriber to know the new driver", () -> subscriber.lastAfter("driver back") != null);
        harness.awaitProgress(harness.startSubscriber(), SOME);
        harness.awaitProgress(publisher, SOME);
    }
}

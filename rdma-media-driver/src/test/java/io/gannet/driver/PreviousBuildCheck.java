package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drivers and clients of this build and of an earlier one, whose class path, tests included, is named by
 * {@code -Dgannet.previous.classpath}: upgrades and downgrades of a driver under live clients. Not part of the build,
 * which has no earlier one at hand: {@code mvn verify -Dit.test=PreviousBuildCheck -Dgannet.previous.classpath=...}.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class PreviousBuildCheck
{
    private static final String CHANNEL = "gannet:ipc?ring=256k";
    private static final String PREVIOUS = System.getProperty("gannet.previous.classpath", "");
    private static final long SOME = 2_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    @BeforeEach
    void needsPreviousBuild()
    {
        assertThat(PREVIOUS).as("class path of an earlier build: -Dgannet.previous.classpath").isNotEmpty();
    }

    private void use(final boolean previous)
    {
        harness.classPath(previous ? PREVIOUS : TestProcess.ownClassPath());
    }

    /** Clients of one build see a driver of the other, then one of their own, then the other again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDriverOfTheOtherBuildTakesOverUnderLiveClients(final boolean previousClients)
    {
        use(!previousClients);
        TestProcess driver = harness.startDriver();
        use(previousClients);
        final TestProcess subscriber = harness.startSubscriber();
        final TestProcess exclusive = harness.startPublisher(true, CHANNEL);
        final TestProcess shared = harness.startPublisher(false, CHANNEL);
        for (final boolean previousDriver : List.of(previousClients, !previousClients))
        {
            harness.awaitProgress(subscriber, SOME);
            driver.kill();
            harness.awaitProgress(subscriber, SOME);
            use(previousDriver);
            final long before = backs(subscriber);
            driver = harness.startDriver();
            harness.await("the subscriber to know the driver", () -> backs(subscriber) == before + 1);
            use(previousClients);
            final TestProcess late = harness.startSubscriber();
            for (final TestProcess process : List.of(subscriber, exclusive, shared, late))
            {
                harness.awaitProgress(process, SOME);
            }
            late.kill();
        }
        assertThat(backs(subscriber)).isEqualTo(2);
    }

    private static long backs(final TestProcess process)
    {
        return process.lines().stream().filter(line -> line.startsWith("driver back")).count();
    }
}

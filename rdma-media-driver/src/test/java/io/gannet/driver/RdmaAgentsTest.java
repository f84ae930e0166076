package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several senders and receivers in a driver, each with its share of the rings.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaAgentsTest
{
    private static final int STREAMS = 8;

    private final NumberedMessages messages = new NumberedMessages();

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "7, 1", "8, 2", "16, 4", "32, 8", "256, 32"})
    void halfOfTheProcessorsAreSendersAndReceivers(final int processors, final int agents)
    {
        assertThat(AgentCount.byProcessors(processors)).isEqualTo(agents);
    }

    @Test
    void whatIsAskedForIsTaken()
    {
        assertThat(AgentCount.of(3)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void allStreamsArriveAndEachAgentHasItsShare(final int agents)
    {
        try (RdmaHost from = host("agents-from", agents); RdmaHost to = host("agents-to", agents);
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final List<Publication> publications = new ArrayList<>();
            final List<Checker> checkers = new ArrayList<>();
            for (int stream = 0; stream < STREAMS; stream++)
            {
                final Subscription subscription = subscriber.addSubscription(to.channel(4650), stream);
                publications.add(publisher.addPublication(to.channel(4650) + "|ring=64k", stream));
                checkers.add(new Checker(subscription, 0));
            }
            publications.forEach(publication -> Await.until("a connection", publication::isConnected));
            // Several times around each ring, so that feedback finds every sender.
            pass(publications, checkers, 0, 1_500);
            assertThat(threads("sender", agents)).isEqualTo(2L * (agents - 1));
            assertThat(threads("receiver", agents)).isEqualTo(2L * (agents - 1));
            assertThat(from.driver().engine().senderShares()).containsOnly(STREAMS / agents).hasSize(agents);
            assertThat(to.driver().engine().receiverShares()).containsOnly(STREAMS / agents).hasSize(agents);

            to.closeDriver();
            to.start();
            pass(publications, checkers, 1_500, 2_500);
            publications.forEach(Publication::close);
        }
    }

    private void pass(final List<Publication> publications, final List<Checker> checkers, final int from, final int to)
    {
        for (int number = from; number < to; number++)
        {
            for (int i = 0; i < publications.size(); i++)
            {
                messages.offer(publications.get(i), number, checkers);
            }
        }
        checkers.forEach(checker -> checker.awaitNext(to));
    }

    /** Threads of both drivers with agents beyond the first. */
    private static long threads(final String role, final int agents)
    {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter(name -> name.matches(".*" + role + "-[2-" + agents + "].*")).count();
    }

    private static RdmaHost host(final String name, final int agents)
    {
        return new RdmaHost(name, options -> options.with(DriverOptions.AGENTS, agents)
            .with(DriverOptions.THREADING, ThreadingMode.DEDICATED));
    }
}

package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The small samples, as processes against a driver. */
final class SimpleSamplesIT
{
    @Test
    void theLinesOfTheReadmeSendAndReceiveOneMessage() throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses())
        {
            final Child hello = processes.sample("hello");
            assertThat(hello.await(90, TimeUnit.SECONDS)).isTrue();
            assertThat(hello.ending()).contains("exit code 0", "hello at ");
        }
    }

    @Test
    void everyPingComesBack() throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses())
        {
            processes.sample("pong");
            final Child ping = processes.sample("ping", "--messages", "500", "--warm-up", "100");
            assertThat(ping.await(90, TimeUnit.SECONDS)).isTrue();
            assertThat(ping.ending()).contains("exit code 0", "Total count    =          500");
        }
    }

    @Test
    void aStreamArrivesWithoutAMissingMessage() throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses())
        {
            final Child subscriber = processes.sample("stream-subscribe");
            final Child publisher = processes.sample("stream-publish", "--messages", "300000");
            assertThat(publisher.await(90, TimeUnit.SECONDS)).isTrue();
            assertThat(publisher.ending()).contains("exit code 0", "published 300,000 messages of 64 bytes");
            assertThat(subscriber.await(90, TimeUnit.SECONDS)).isTrue();
            assertThat(subscriber.ending()).contains("exit code 0", "received 300,000 messages, 0 missing");
        }
    }

    @Test
    void countsThatAreNoneAreRefused() throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses())
        {
            final Child ping = processes.sample("ping", "--messages", "0");
            assertThat(ping.await(90, TimeUnit.SECONDS)).isTrue();
            assertThat(ping.ending()).contains("exit code 2", "--messages is 0, it must be at least 1");
        }
    }

    @Test
    void aPublisherWithoutASubscriberSaysThatItWaits() throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses())
        {
            final Child publisher = processes.sample("stream-publish", "--messages", "10");
            processes.await("it to wait", () ->
                publisher.ending().contains("waiting for a subscriber of gannet:ipc stream 2003"));
        }
    }

    @Test
    void anOperatorsMistakeIsOneLine() throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses())
        {
            final Child publisher = processes.sample("stream-publish", "--channel", "gannet:ipc?ring=3");
            assertThat(publisher.await(90, TimeUnit.SECONDS)).isTrue();
            assertThat(publisher.ending().lines()).hasSize(2).element(0).asString().contains("exit code 2");
            assertThat(publisher.ending()).contains("\n  gannet: ").contains("ring");
        }
    }
}

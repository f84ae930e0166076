package io.gannet.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.GannetDirectory;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.monitor.AgentView;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.Latency;
import io.gannet.monitor.LiveHosts;
import io.gannet.monitor.metrics.OpenMetrics;
import io.gannet.monitor.metrics.OpenMetricsParser;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Times of messages of a stream that goes on meanwhile, and of one that comes later.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LatencySamplerTest
{
    private static long samples(final Latency latency)
    {
        return Arrays.stream(latency.buckets().counts()).sum();
    }

    private static long samples(final LatencySampler sampler, final String to)
    {
        return sampler.latencies().stream().filter(latency -> latency.to().startsWith(to))
            .mapToLong(LatencySamplerTest::samples).sum();
    }

    @Test
    void messagesAreTimedOnTheirWayAndNeverInBetween()
    {
        try (LiveHosts hosts = new LiveHosts();
            LatencySampler sampler =
                new LatencySampler(new GannetDirectory(hosts.directory()), List.of(LiveHosts.STREAM, 5));
            DriverWatch watch = new DriverWatch(new GannetDirectory(hosts.directory()), 120_000))
        {
            Await.until("samples of all places", () ->
            {
                hosts.pass(20);
                // What is told from host to host takes so long that a busy machine seldom lets the sampler watch it.
                return samples(sampler, "subscriber publisher of the test (pid ") > 3 &&
                    samples(sampler, "sender") > 3;
            });
            assertThat(sampler.latencies()).hasSize(3).allSatisfy(latency ->
            {
                assertThat(latency.stream()).isEqualTo(LiveHosts.STREAM);
                assertThat(latency.from()).isEqualTo("publisher");
                // A sum lies between the limits of the buckets that it is of.
                final long[] limits = AgentView.limits();
                long least = 0;
                final long[] counts = latency.buckets().counts();
                for (int i = 1; i < counts.length; i++)
                {
                    least += counts[i] * limits[i - 1];
                }
                assertThat(latency.nanos()).isGreaterThanOrEqualTo(
                    counts[counts.length - 1] == 0 ? least : 0);
            });
            final OpenMetricsParser parsed =
                new OpenMetricsParser(OpenMetrics.text(watch.look(), 0, sampler.latencies()));
            assertThat(parsed.sum("gannet_latency_seconds_count")).isGreaterThan(6);
            assertThat(parsed.names()).contains("gannet_latency_seconds_bucket", "gannet_latency_seconds_sum");
        }
    }

    /** It goes on looking where there is nothing yet, and what has gone is not shown any more. */
    @Test
    void streamsMayComeAndGo()
    {
        final Path nothing = TestDirectory.create("sampler");
        try (LatencySampler sampler = new LatencySampler(new GannetDirectory(nothing), List.of(1)))
        {
            assertThat(sampler.latencies()).isEmpty();
        }
        finally
        {
            TestDirectory.remove(nothing);
        }
        try (LiveHosts hosts = new LiveHosts();
            LatencySampler sampler =
                new LatencySampler(new GannetDirectory(hosts.directory()), List.of(LiveHosts.STREAM)))
        {
            Await.until("samples", () ->
            {
                hosts.pass(20);
                return !sampler.latencies().isEmpty();
            });
            hosts.closeStream();
            Await.until("nothing to be left", () -> sampler.latencies().isEmpty());
        }
    }
}

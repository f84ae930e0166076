package io.gannet.monitor.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.control.GannetDirectory;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.monitor.CounterValue;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.LiveHosts;
import io.gannet.monitor.Observation;
import io.gannet.monitor.StreamsView;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every line that is exported, of drivers in all states and of files with anything in them.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OpenMetricsTest
{
    private static final long MAX_AGE_MILLIS = 120_000;
    private static final Pattern METRIC = Pattern.compile("\\bgannet_[a-z0-9_]+");

    private static OpenMetricsParser scrape(final DriverWatch watch)
    {
        return new OpenMetricsParser(OpenMetrics.text(watch.look(), 0));
    }

    private static DriverWatch watch(final Path directory)
    {
        return new DriverWatch(new GannetDirectory(directory), MAX_AGE_MILLIS);
    }

    @Test
    void whatADriverDoesIsExportedAndTrue()
    {
        try (LiveHosts hosts = new LiveHosts(); DriverWatch watch = watch(hosts.directory()))
        {
            hosts.pass(500);
            // The driver takes its samples one after the other.
            Await.until("the messages to be counted", () ->
            {
                final OpenMetricsParser now = scrape(watch);
                final double position = now.sum("gannet_stream_position_bytes_total");
                return now.sum("gannet_remote_messages_total") == 500 && now.sum("gannet_remote_lag_bytes") == 0 &&
                    now.sum("gannet_subscriber_position_bytes_total") == position &&
                    now.sum("gannet_remote_consumed_position_bytes_total") == position &&
                    now.sum("gannet_remote_frame_bytes_total") == position;
            });
            final OpenMetricsParser seen = scrape(watch);
            assertThat(seen.value("gannet_up")).isEqualTo(1);
            assertThat(seen.value("gannet_driver_state{gannet_driver_state=\"running\"}")).isEqualTo(1);
            assertThat(seen.sum("gannet_driver_state")).isEqualTo(1);
            assertThat(seen.value("gannet_clients")).isEqualTo(1);
            assertThat(seen.value("gannet_publications")).isEqualTo(1);
            assertThat(seen.sum("gannet_stream_position_bytes_total")).isGreaterThan(500 * 1000);
            assertThat(seen.samples()).anyMatch(sample -> sample.startsWith("gannet_remote_messages_total{") &&
                sample.contains("host=\"" + hosts.peerAddress()) && sample.contains("direction=\"to\"") &&
                sample.contains("stream=\"" + LiveHosts.STREAM + '"'));
            assertThat(seen.sum("gannet_agent_duty_cycle_seconds_count")).isPositive();
            assertThat(seen.sum("gannet_agent_duty_cycle_seconds_sum")).isPositive();
            assertThat(seen.sum("gannet_device_sent_packets_total")).isPositive();
            assertThat(seen.sum("gannet_device_received_bytes_total")).isPositive();
            // An application's, whose label can't break out of its quotes.
            assertThat(seen.sum("gannet_counter")).isEqualTo(42);
            assertThat(seen.samples()).filteredOn(sample -> sample.startsWith("gannet_counter{")).singleElement()
                .asString().contains("label=\"mine \\\"quoted\\\\ \\n<img");
        }
    }

    @Test
    void whoMakesPublishersWaitIsExported()
    {
        try (LiveHosts hosts = new LiveHosts(); DriverWatch watch = watch(hosts.directory()))
        {
            hosts.fill();
            Await.until("the driver to see who holds", () -> scrape(watch).sum("gannet_subscriber_holds") == 1 &&
                scrape(watch).sum("gannet_stream_held_seconds") > 0 &&
                scrape(watch).sum("gannet_stream_back_pressure_seconds_total") > 0);
            hosts.pass(1);
            Await.until("nobody to hold", () -> scrape(watch).sum("gannet_subscriber_holds") == 0 &&
                scrape(watch).sum("gannet_stream_held_seconds") == 0);
            assertThat(scrape(watch).sum("gannet_stream_back_pressure_seconds_total")).isPositive();
        }
    }

    /** Each label that the driver gives a counter of its own is known here, so that none is exported without name. */
    @Test
    void noCounterOfTheDriverIsWithoutAMetric()
    {
        try (LiveHosts hosts = new LiveHosts(); DriverWatch watch = watch(hosts.directory()))
        {
            final Observation seen = watch.look();
            final List<CounterValue> unknown = seen.counters().stream()
                .filter(counter -> counter.typeId() == 1 && DriverMetric.of(counter) == null).toList();
            assertThat(unknown).isEmpty();
            assertThat(DriverMetric.values()).hasSize(
                (int) seen.counters().stream().filter(counter -> counter.typeId() == 1).count());
            assertThat(new StreamsView(seen.counters()).streams()).hasSize(1);
        }
    }

    @Test
    void aWatchFollowsADriverThroughItsLives() throws IOException
    {
        final Path directory = TestDirectory.create("metrics");
        try (DriverWatch watch = watch(directory))
        {
            assertState(watch, "missing");
            long epoch = 0;
            for (int life = 0; life < 3; life++)
            {
                try (MediaDriver driver = MediaDriver.launch(
                    DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { }))
                {
                    assertThat(driver.failure()).isNull();
                    Await.until("the new driver", () -> scrape(watch).value("gannet_up") == 1);
                    assertThat(scrape(watch).has("gannet_clients")).isTrue();
                    final long now = watch.look().driver().epoch();
                    assertThat(now).isGreaterThan(epoch);
                    epoch = now;
                }
                assertState(watch, "stopped");
                assertThat(scrape(watch).has("gannet_clients")).as("metrics of a dead driver").isFalse();
                assertThat(scrape(watch).has("gannet_driver_info")).isTrue();
            }
            // Somebody removes all of it while it is watched.
            Files.delete(directory.resolve("driver"));
            Files.delete(directory.resolve("control"));
            assertState(watch, "missing");
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    private static void assertState(final DriverWatch watch, final String state)
    {
        Await.until("state " + state, () ->
            scrape(watch).value("gannet_driver_state{gannet_driver_state=\"" + state + "\"}") == 1);
        assertThat(scrape(watch).value("gannet_up")).isZero();
        assertThat(scrape(watch).sum("gannet_driver_state")).isEqualTo(1);
    }

    /** Noise in labels, keys, types and values, below a header that is right: what is exported is still valid. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noiseInTheCountersIsExportedAsValidText(final long seed) throws IOException
    {
        final Random random = new Random(seed);
        try (LiveHosts hosts = new LiveHosts())
        {
            final Path copy = TestDirectory.create("metrics-noise");
            try
            {
                Files.copy(hosts.directory().resolve("driver"), copy.resolve("driver"));
                Files.copy(hosts.directory().resolve("control"), copy.resolve("control"));
                final int counters = 8192;
                try (FileChannel file =
                    FileChannel.open(copy.resolve("control"), StandardOpenOption.WRITE, StandardOpenOption.READ))
                {
                    final byte[] noise = new byte[64];
                    for (int i = 0; i < 400; i++)
                    {
                        random.nextBytes(noise);
                        final long record = random.nextInt(150) * 512L;
                        final int offset = seed % 2 == 0 ? random.nextInt(4, 440) : 4 + 4 * random.nextInt(32);
                        file.write(java.nio.ByteBuffer.wrap(noise, 0, seed % 2 == 0 ? 64 : 4), 4096 + record + offset);
                        file.write(java.nio.ByteBuffer.wrap(noise, 0, 8),
                            4096 + counters * 512L + random.nextInt(150) * 128L);
                    }
                }
                try (DriverWatch watch = watch(copy))
                {
                    final Observation seen = watch.look();
                    assertThat(seen.counters()).as("counters with noise in them").isNotEmpty();
                    // The copy's driver does not live; what would be exported if it did:
                    final Observation alive = new Observation(
                        seen.directory(), new io.gannet.monitor.Health(true, io.gannet.monitor.Life.RUNNING, 1, 1, ""),
                        seen.driver(), seen.nanos(), seen.counters());
                    final OpenMetricsParser parsed = new OpenMetricsParser(OpenMetrics.text(alive, 0));
                    assertThat(parsed.names()).isNotEmpty();
                }
            }
            finally
            {
                TestDirectory.remove(copy);
            }
        }
    }

    /** The whole file is noise, too short, a directory, or gets truncated under the watch. */
    @Test
    void aControlFileThatIsNoneIsToldOf() throws IOException
    {
        final Path directory = TestDirectory.create("metrics-garbage");
        final Path control = directory.resolve("control");
        try (MediaDriver driver = MediaDriver.launch(
            DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)
                .with(DriverOptions.THREADING, ThreadingMode.INVOKER), line -> { });
            DriverWatch watch = watch(directory))
        {
            // It does not turn any more, or it would see the damage itself and end.
            driver.doWork();
            Await.until("the driver", () -> scrape(watch).value("gannet_up") == 1);
            final Path kept = directory.resolve("kept");
            Files.move(control, kept);
            final byte[] noise = new byte[100_000];
            new Random(1).nextBytes(noise);
            Files.write(control, noise);
            assertUnreadable(watch);
            Files.write(control, new byte[10]);
            assertUnreadable(watch);
            Files.delete(control);
            Files.createDirectory(control);
            assertUnreadable(watch);
            Files.delete(control);
            Files.copy(kept, control);
            Await.until("the copy to be read", () -> scrape(watch).value("gannet_up") == 1);
            try (FileChannel file = FileChannel.open(control, StandardOpenOption.WRITE))
            {
                file.truncate(8192);
            }
            assertUnreadable(watch);
            Files.move(kept, control, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            Await.until("the file to be back", () -> scrape(watch).value("gannet_up") == 1);
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    private static void assertUnreadable(final DriverWatch watch)
    {
        Await.until("a file that can't be read", () ->
            scrape(watch).value("gannet_driver_state{gannet_driver_state=\"unreadable\"}") == 1);
        assertThat(scrape(watch).value("gannet_up")).isZero();
        assertThat(watch.look().health().text()).contains("control");
    }

    /** The dashboard, the alert rules and the page about them name no metric that is not exported. */
    @Test
    void documentsNameMetricsThatAreExported() throws IOException
    {
        final TreeSet<String> exported = new TreeSet<>();
        try (LiveHosts hosts = new LiveHosts(); DriverWatch watch = watch(hosts.directory()))
        {
            hosts.pass(10);
            hosts.fill();
            Await.until("what a sender waits for, or a holder", () ->
            {
                exported.addAll(scrape(watch).names());
                return scrape(watch).sum("gannet_subscriber_holds") == 1 &&
                    exported.contains("gannet_remote_messages_total") &&
                    exported.contains("gannet_device_sent_bytes_total");
            });
        }
        // Exported only while a sender waits for something.
        exported.add("gannet_remote_waits_seconds");
        // And of streams for which somebody asked.
        exported.addAll(Set.of("gannet_latency_seconds_bucket", "gannet_latency_seconds_count",
            "gannet_latency_seconds_sum"));
        int named = 0;
        for (final String page : List.of("monitoring/grafana-dashboard.json", "monitoring/alerts.yml", "monitoring.md"))
        {
            final Matcher metric = METRIC.matcher(Files.readString(Path.of("..", "docs").resolve(page)));
            while (metric.find())
            {
                assertThat(exported).as("named in %s", page).contains(metric.group());
                named++;
            }
        }
        assertThat(named).isGreaterThan(60);
    }

    @Test
    void theParserIsStrict()
    {
        final String head = "# TYPE a_bytes counter\n# UNIT a_bytes bytes\n# HELP a_bytes x\n";
        new OpenMetricsParser(head + "a_bytes_total{b=\"c\\n\\\"\"} 1\n# EOF\n");
        for (final String wrong : List.of(
            head + "a_bytes_total 1\n", head + "a_bytes 1\n# EOF\n", head + "a_bytes_total -1\n# EOF\n",
            head + "a_bytes_total 1\na_bytes_total 1\n# EOF\n", head + "a_bytes_total{} 1\n# EOF\n",
            head + "a_bytes_total{b=\"c\\x\"} 1\n# EOF\n", head + "a_bytes_total{b=\"c\",} 1\n# EOF\n",
            head + "a_bytes_total{b=\"c\",b=\"d\"} 1\n# EOF\n", head + "b_total 1\n# EOF\n",
            head + "a_bytes_total 1\n\n# EOF\n", head + "# EOF\n", "# TYPE a gauge\na 1\n# EOF\n",
            head + "a_bytes_total 1e\n# EOF\n",
            "# TYPE a gauge\n# UNIT a bytes\n# HELP a x\na 1\n# EOF\n",
            """
            # TYPE a histogram
            # HELP a x
            a_bucket{le="1"} 2
            a_bucket{le="+Inf"} 1
            a_count 1
            a_sum 1
            # EOF
            """,
            "# TYPE a histogram\n# HELP a x\na_bucket{le=\"1\"} 2\na_count 2\na_sum 1\n# EOF\n"))
        {
            assertThatThrownBy(() -> new OpenMetricsParser(wrong)).as(wrong).isInstanceOf(AssertionError.class);
        }
    }
}

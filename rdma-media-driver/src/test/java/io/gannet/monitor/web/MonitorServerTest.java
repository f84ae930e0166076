package io.gannet.monitor.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.gannet.cli.Captured;
import io.gannet.control.GannetDirectory;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.LiveHosts;
import io.gannet.monitor.metrics.OpenMetrics;
import io.gannet.monitor.metrics.OpenMetricsParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * What is served, to whom, and what it costs the driver; by hand-written requests over sockets.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MonitorServerTest
{
    private static final int PATIENCE_MILLIS = 60_000;

    /** An answer, with its head as it came. */
    private record Answer(int status, String head, String body)
    {
    }

    private static MonitorServer server(final DriverWatch watch) throws IOException
    {
        return new MonitorServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), watch);
    }

    private static DriverWatch watch(final Path directory)
    {
        return new DriverWatch(new GannetDirectory(directory), 120_000);
    }

    private static Answer get(final int port, final String path) throws IOException
    {
        return ask(port, "GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: close\r\n\r\n");
    }

    private static Answer ask(final int port, final String request) throws IOException
    {
        try (Socket socket = connect(port))
        {
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            final String all = new String(socket.getInputStream().readAllBytes(), UTF_8);
            final int end = all.indexOf("\r\n\r\n");
            assertThat(end).as(all).isPositive();
            return new Answer(Integer.parseInt(all.substring(9, 12)), all.substring(0, end), all.substring(end + 4));
        }
    }

    private static Socket connect(final int port) throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    @Test
    void metricsHealthAndPageAreServed() throws IOException
    {
        try (LiveHosts hosts = new LiveHosts(); DriverWatch watch = watch(hosts.directory());
            MonitorServer server = server(watch))
        {
            hosts.pass(20);
            final int port = server.address().getPort();
            final Answer metrics = get(port, "/metrics");
            assertThat(metrics.status).isEqualTo(200);
            assertThat(metrics.head).containsIgnoringCase("Content-Type: " + OpenMetrics.CONTENT_TYPE)
                .containsIgnoringCase("Cache-Control: no-store");
            assertThat(new OpenMetricsParser(metrics.body).value("gannet_up")).isEqualTo(1);
            assertThat(new OpenMetricsParser(get(port, "/metrics?x=y").body).value("gannet_exporter_scrapes_total"))
                .isEqualTo(1);
            assertThat(get(port, "/health")).satisfies(health ->
            {
                assertThat(health.status).isEqualTo(200);
                assertThat(health.body).startsWith("healthy: ").endsWith("\n");
            });
            final JsonObject state = JsonParser.parseString(get(port, "/state.json").body).getAsJsonObject();
            assertThat(state.get("state").getAsString()).isEqualTo("running");
            assertThat(state.getAsJsonArray("streams").get(0).getAsJsonObject().getAsJsonArray("subscribers").get(0)
                .getAsJsonObject().get("client").getAsString()).startsWith("publisher of the test (pid ");
            page(port);
            hosts.stopDriver();
            Await.until("the end of the driver", () -> !watch.look().health().healthy());
            assertThat(get(port, "/health")).satisfies(health ->
            {
                assertThat(health.status).isEqualTo(503);
                assertThat(health.body).startsWith("unhealthy: ").contains("was stopped. Start it again");
            });
            assertThat(new OpenMetricsParser(get(port, "/metrics").body).value("gannet_up")).isZero();
            hosts.startDriver();
            Await.until("the next driver", () -> watch.look().health().healthy());
            assertThat(get(port, "/health").status).isEqualTo(200);
        }
    }

    /** All that the page names comes from the server itself. */
    private static void page(final int port) throws IOException
    {
        final Answer page = get(port, "/");
        assertThat(page.status).isEqualTo(200);
        assertThat(page.head).contains("default-src 'none'").containsIgnoringCase("X-Content-Type-Options: nosniff");
        for (final String path : new String[] {"/", "/dashboard.js", "/dashboard.css", "/icon.svg"})
        {
            final Answer part = get(port, path);
            assertThat(part.status).as(path).isEqualTo(200);
            assertThat(part.body.replace("http://www.w3.org/2000/svg", "")).as(path)
                .doesNotContain("http:", "https:", "//www", "@import", "innerHTML", "eval(");
        }
        final Answer head =
            ask(port, "HEAD /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n");
        assertThat(head.status).isEqualTo(200);
        assertThat(head.body).isEmpty();
        assertThat(get(port, "/etc/passwd").status).isEqualTo(404);
        assertThat(get(port, "/../dashboard.html").status).isEqualTo(404);
        assertThat(ask(port, "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n" +
            "Connection: close\r\n\r\nabc").status).isEqualTo(405);
        // A page of somebody else whose name means 127.0.0.1, in the browser of somebody here.
        assertThat(ask(port, "GET /state.json HTTP/1.1\r\nHost: evil.example:" + port +
            "\r\nConnection: close\r\n\r\n").status).isEqualTo(403);
    }

    /**
     * The driver does not turn meanwhile, so that whatever changes in its directory the scrapes would have changed; and
     * the files are mapped without the right to write.
     */
    @Test
    void aScrapeChangesNothingInTheDriversDirectory() throws IOException
    {
        final Path directory = TestDirectory.create("scrapes");
        try (MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, ThreadingMode.INVOKER),
            line -> { });
            DriverWatch watch = watch(directory); MonitorServer server = server(watch))
        {
            for (int i = 0; i < 100; i++)
            {
                driver.doWork();
            }
            final Map<String, byte[]> before = contents(directory);
            final int port = server.address().getPort();
            assertThat(get(port, "/health").status).isEqualTo(200);
            for (int i = 0; i < 100; i++)
            {
                assertThat(get(port, "/metrics").status).isEqualTo(200);
                assertThat(get(port, "/state.json").status).isEqualTo(200);
                assertThat(get(port, "/health").status).isEqualTo(200);
            }
            final Map<String, byte[]> after = contents(directory);
            assertThat(after.keySet()).isEqualTo(before.keySet());
            before.forEach((name, bytes) -> assertThat(after.get(name)).as(name).isEqualTo(bytes));
            assertThat(before.keySet()).contains("control", "driver");
            assertThat(new OpenMetricsParser(get(port, "/metrics").body).value("gannet_commands_total")).isZero();
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    private static Map<String, byte[]> contents(final Path directory) throws IOException
    {
        final Map<String, byte[]> contents = new java.util.TreeMap<>();
        try (java.util.stream.Stream<Path> tree = Files.walk(directory))
        {
            for (final Path path : tree.filter(Files::isRegularFile).toList())
            {
                contents.put(directory.relativize(path).toString(), Files.readAllBytes(path));
            }
        }
        return contents;
    }

    @Test
    void manyScrapeAtATime() throws Exception
    {
        try (LiveHosts hosts = new LiveHosts(); DriverWatch watch = watch(hosts.directory());
            MonitorServer server = server(watch); ExecutorService threads = Executors.newFixedThreadPool(32))
        {
            final int port = server.address().getPort();
            final List<Callable<Answer>> scrapes = new ArrayList<>();
            for (int i = 0; i < 400; i++)
            {
                final String path = i % 2 == 0 ? "/metrics" : "/state.json";
                scrapes.add(() -> get(port, path));
            }
            for (final Future<Answer> scrape : threads.invokeAll(scrapes))
            {
                final Answer answer = scrape.get();
                assertThat(answer.status).isEqualTo(200);
                if (answer.head.contains("openmetrics"))
                {
                    new OpenMetricsParser(answer.body);
                }
                else
                {
                    assertThat(JsonParser.parseString(answer.body).isJsonObject()).isTrue();
                }
            }
        }
    }

    /**
     * As many connections as are allowed, each of which sends its request byte by byte or not at all: others are served
     * again once the time for a request is over. And noise.
     */
    @Test
    void slowAndHostileClientsDoNotKeepOthersOut() throws IOException
    {
        final Path directory = TestDirectory.create("hostile");
        final List<Socket> slow = new ArrayList<>();
        try (DriverWatch watch = watch(directory); MonitorServer server = server(watch))
        {
            final int port = server.address().getPort();
            for (int i = 0; i < HttpLimits.CONNECTIONS; i++)
            {
                final Socket socket = connect(port);
                socket.getOutputStream().write(i % 2 == 0 ? "GET /metr".getBytes(US_ASCII) : new byte[] {'G'});
                slow.add(socket);
            }
            Await.until("an answer beside slow clients", () -> isServed(port));
            final Random random = new Random(5);
            for (int i = 0; i < 50; i++)
            {
                final byte[] noise = new byte[random.nextInt(1, 3000)];
                random.nextBytes(noise);
                try (Socket socket = connect(port))
                {
                    socket.getOutputStream().write(noise);
                    socket.getOutputStream().write("\r\n\r\n".getBytes(US_ASCII));
                }
                catch (final IOException closed)
                {
                    // Also an answer.
                }
            }
            hugeHeader(port);
            Await.until("an answer after noise", () -> isServed(port));
        }
        finally
        {
            for (final Socket socket : slow)
            {
                socket.close();
            }
            TestDirectory.remove(directory);
        }
    }

    /** Eight times as many as are allowed at a time; those that are too many are closed at once. */
    @Test
    void aThousandConnectionsKeepNobodyOut() throws IOException
    {
        final Path directory = TestDirectory.create("crowd");
        final List<Socket> crowd = new ArrayList<>();
        try (DriverWatch watch = watch(directory); MonitorServer server = server(watch))
        {
            final int port = server.address().getPort();
            final int threads = Thread.activeCount();
            for (int i = 0; i < 1_000; i++)
            {
                crowd.add(connect(port));
            }
            Await.until("an answer beside a thousand connections", () -> isServed(port));
            assertThat(Thread.activeCount()).isLessThan(threads + 100);
        }
        finally
        {
            for (final Socket socket : crowd)
            {
                socket.close();
            }
            TestDirectory.remove(directory);
        }
    }

    @Test
    void aDriverThatIsKilledAndStartedAgainIsTold() throws IOException
    {
        final Path directory = TestDirectory.create("killed");
        final List<String> command = List.of("driver", "--dir", directory.toString(), "--device", "none");
        try (DriverWatch watch = watch(directory); MonitorServer server = server(watch))
        {
            final int port = server.address().getPort();
            for (int i = 0; i < 2; i++)
            {
                try (TestProcess driver = TestProcess.start("driver", Map.of(), "io.gannet.cli.Main", command))
                {
                    // Not the one before: for an instant the next one's lock is there, and its state is not.
                    Await.until("a healthy driver", () ->
                        health(port).body.startsWith("healthy: driver unpackaged (pid " + driver.pid() + ","));
                    assertThat(status(port)).isEqualTo(200);
                    assertThat(get(port, "/metrics").body).contains("\ngannet_up 1\n");
                    driver.kill();
                    Await.until("its death to be told", () -> status(port) == 503);
                    assertThat(get(port, "/health").body).startsWith("unhealthy: ").contains("pid " + driver.pid());
                    assertThat(get(port, "/metrics").body).contains("\ngannet_up 0\n",
                        "gannet_driver_state{gannet_driver_state=\"dead\"} 1\n");
                }
            }
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    private static int status(final int port)
    {
        return health(port).status;
    }

    private static Answer health(final int port)
    {
        try
        {
            return get(port, "/health");
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Whatever stands in the file of a dead driver, all is answered. */
    @Test
    void garbageInTheControlFileIsNoFailureOfTheServer() throws IOException
    {
        final Path directory = TestDirectory.create("garbage");
        MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { })
            .close();
        final Path control = new GannetDirectory(directory).control();
        final byte[] whole = Files.readAllBytes(control);
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 60; i++)
        {
            final byte[] bytes =
                java.util.Arrays.copyOf(whole, random.nextInt(8) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int j = random.nextInt(1, 200); j > 0 && bytes.length > 0; j--)
            {
                final int within = random.nextBoolean() ? Math.min(4_096, bytes.length) : bytes.length;
                bytes[random.nextInt(within)] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
            }
            // A new file: the old one may be mapped.
            Files.delete(control);
            Files.write(control, bytes);
            try (DriverWatch watch = watch(directory); MonitorServer server = server(watch))
            {
                final int port = server.address().getPort();
                final Answer metrics = get(port, "/metrics");
                assertThat(metrics.status).as("seed %d, round %d: %s", seed, i, metrics).isEqualTo(200);
                assertThat(new OpenMetricsParser(metrics.body).value("gannet_up")).isZero();
                final Answer state = get(port, "/state.json");
                assertThat(state.status).as("seed %d, round %d: %s", seed, i, state).isEqualTo(200);
                assertThat(JsonParser.parseString(state.body).isJsonObject()).isTrue();
                assertThat(get(port, "/health").status).as("seed %d, round %d", seed, i).isEqualTo(503);
            }
        }
        TestDirectory.remove(directory);
    }

    /** A header that does not end is not read to the end. */
    private static void hugeHeader(final int port) throws IOException
    {
        final byte[] line = ("X-Filler: " + "x".repeat(1000) + "\r\n").getBytes(US_ASCII);
        try (Socket socket = connect(port))
        {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n".getBytes(US_ASCII));
            long sent = 0;
            while (sent < 64 << 20)
            {
                socket.getOutputStream().write(line);
                sent += line.length;
            }
            final InputStream in = socket.getInputStream();
            assertThat(new String(in.readAllBytes(), UTF_8)).doesNotStartWith("HTTP/1.1 200");
        }
        catch (final IOException closed)
        {
            // Before all of it was sent.
        }
    }

    private static boolean isServed(final int port)
    {
        try
        {
            return get(port, "/health").status == 503;
        }
        catch (final IOException | AssertionError refused)
        {
            return false;
        }
    }

    @Test
    void theCommandServesUntilItIsTerminated() throws IOException
    {
        final Path directory = TestDirectory.create("exporter");
        try (TestProcess exporter = TestProcess.start("exporter", Map.of(), "io.gannet.cli.Main",
            List.of("exporter", "--dir", directory.toString(), "--port", "0")))
        {
            final String line = Await.value("the exporter", () -> exporter.lines().isEmpty() ? null :
                exporter.lines().getFirst());
            assertThat(line).startsWith("exporter of " + directory + " at http://127.0.0.1:");
            final int port = Integer.parseInt(line.replaceAll(".*127.0.0.1:(\\d+)/.*", "$1"));
            final Answer none = get(port, "/health");
            assertThat(none.status).isEqualTo(503);
            assertThat(none.body).contains("no driver was ever started in " + directory);
            final TestProcess second = TestProcess.start("second exporter", Map.of(), "io.gannet.cli.Main",
                List.of("exporter", "--dir", directory.toString(), "--port", Integer.toString(port)));
            Await.until("the second to give up", () -> !second.isAlive());
            assertThat(second.exitCode()).isEqualTo(1);
            Await.until("its reason", () -> !second.lines().isEmpty());
            assertThat(second.lines()).last().asString().contains("can't listen at 127.0.0.1 port " + port,
                "Choose another --port");
            exporter.terminate();
            Await.until("its end", () -> !exporter.isAlive());
            assertThat(exporter.exitCode()).isEqualTo(143);
            assertThat(exporter.lines()).hasSize(1);
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    @Test
    @ResourceLock(Resources.SYSTEM_OUT)
    @ResourceLock(Resources.SYSTEM_ERR)
    void othersHostsAreServedOnlyWhereSomebodyAskedForIt()
    {
        assertThat(Captured.run("exporter", "--address", "0.0.0.0")).satisfies(refused ->
        {
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err()).contains("--address 0.0.0.0 can be reached from other hosts", "--allow-remote");
        });
        assertThat(Captured.run("exporter", "--port", "65536").err()).contains("--port 65536: 0 to 65535");
        assertThat(Captured.run("exporter", "--address", "no.such.host.invalid").err())
            .contains("no address of that name is known");
        assertThat(Captured.run("exporter", "--max-age", "1").err()).contains("--max-age 1");
    }
}

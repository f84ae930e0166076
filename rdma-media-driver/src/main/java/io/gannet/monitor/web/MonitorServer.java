package io.gannet.monitor.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gannet.monitor.ClientNames;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.Latency;
import io.gannet.monitor.Observation;
import io.gannet.monitor.metrics.OpenMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Serves {@code /metrics}, {@code /health} and, at {@code /}, a page that shows the driver live. Whatever clients ask
 * for, the directory is looked at no more often than {@link DriverWatch} does, and connections, their time and their
 * headers are bounded.
 */
public final class MonitorServer implements AutoCloseable
{
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Map<String, Resource> PAGE = Map.of(
        "/", Resource.load("dashboard.html", "text/html; charset=utf-8"),
        "/dashboard.js", Resource.load("dashboard.js", "text/javascript; charset=utf-8"),
        "/dashboard.css", Resource.load("dashboard.css", "text/css; charset=utf-8"),
        "/icon.svg", Resource.load("icon.svg", "image/svg+xml"));
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    /** The page loads from this server alone, and nobody shows it inside another. */
    private static final String POLICY =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private final DriverWatch watch;
    private final Supplier<List<Latency>> latencies;
    private final ClientNames clients;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong scrapes = new AtomicLong();
    private final boolean loopback;

    /**
     * Starts to serve.
     *
     * @param address port 0 takes any.
     * @throws IOException if nobody can listen there.
     */
    public MonitorServer(final InetSocketAddress address, final DriverWatch watch) throws IOException
    {
        this(address, watch, List::of);
    }

    /**
     * Starts to serve times of messages too.
     *
     * @param latencies asked at each answer, by any thread.
     */
    public MonitorServer(
        final InetSocketAddress address, final DriverWatch watch, final Supplier<List<Latency>> latencies)
        throws IOException
    {
        this.watch = watch;
        this.latencies = latencies;
        clients = new ClientNames(watch.directory());
        loopback = address.getAddress().isLoopbackAddress();
        HttpLimits.apply();
        server = HttpServer.create(address, HttpLimits.CONNECTIONS);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Where it listens. */
    public InetSocketAddress address()
    {
        return server.getAddress();
    }

    @Override
    public void close()
    {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            if (loopback && !isOwnName(exchange.getRequestHeaders().getFirst("Host")))
            {
                // A page of another site whose name was made to mean this host.
                answer(exchange, 403, TEXT, "ask for localhost\n".getBytes(UTF_8));
                return;
            }
            final String method = exchange.getRequestMethod();
            if (!"GET".equals(method) && !"HEAD".equals(method))
            {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, 405, TEXT, "only GET and HEAD\n".getBytes(UTF_8));
                return;
            }
            serve(exchange, exchange.getRequestURI().getPath());
        }
    }

    private static boolean isOwnName(final String host)
    {
        // One that names none is no browser.
        return host == null || LOOPBACK_NAMES.contains(host.replaceFirst(":\\d*$", "")) ||
            isLoopbackAddress(host.replaceFirst(":\\d*$", ""));
    }

    private static boolean isLoopbackAddress(final String host)
    {
        try
        {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        }
        catch (final IllegalArgumentException name)
        {
            return false;
        }
    }

    private void serve(final HttpExchange exchange, final String path) throws IOException
    {
        switch (path)
        {
            case "/metrics" -> answer(exchange, 200, OpenMetrics.CONTENT_TYPE,
                OpenMetrics.text(watch.look(), scrapes.getAndIncrement(), latencies.get()).getBytes(UTF_8));
            case "/health" ->
            {
                final Observation seen = watch.look();
                answer(exchange, seen.health().healthy() ? 200 : 503, TEXT,
                    ((seen.health().healthy() ? "healthy: " : "unhealthy: ") + seen.health().text() + '\n')
                        .getBytes(UTF_8));
            }
            case "/state.json" -> answer(exchange, 200, "application/json",
                StateJson.text(watch.look(), clients, latencies.get()).getBytes(UTF_8));
            case null, default ->
            {
                final Resource found = path == null ? null : PAGE.get(path);
                if (found == null)
                {
                    answer(exchange, 404, TEXT, "there are /, /metrics and /health\n".getBytes(UTF_8));
                }
                else
                {
                    answer(exchange, 200, found.contentType(), found.bytes());
                }
            }
        }
    }

    private static void answer(
        final HttpExchange exchange, final int status, final String type, final byte[] body) throws IOException
    {
        final Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        final boolean head = "HEAD".equals(exchange.getRequestMethod());
        exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
        if (!head)
        {
            exchange.getResponseBody().write(body);
        }
    }
}

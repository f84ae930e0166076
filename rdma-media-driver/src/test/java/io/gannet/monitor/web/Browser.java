package io.gannet.monitor.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * A chromium without a display, driven by its DevTools protocol; one page.
 */
final class Browser implements AutoCloseable
{
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://127\\.0\\.0\\.1:(\\d+)/");
    private static final long PATIENCE_SECONDS = 60;
    private static final List<String> FLAGS = List.of("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-extensions", "--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--remote-debugging-port=0");

    private final Path profile = TestDirectory.create("browser");
    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonObject>> asked = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private Browser(final Path program) throws IOException, InterruptedException
    {
        final Path messages = profile.resolve("messages.txt");
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(FLAGS);
        command.add("--user-data-dir=" + profile.resolve("profile"));
        command.add("about:blank");
        process = new ProcessBuilder(command)
            .redirectErrorStream(true).redirectOutput(messages.toFile()).start();
        final String port = Await.value("the browser's port", () ->
        {
            final Matcher found = LISTENING.matcher(read(messages));
            return found.find() ? found.group(1) : null;
        });
        final URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
        final String pages =
            http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString()).body();
        final JsonObject page = JsonParser.parseString(pages).getAsJsonArray().asList().stream()
            .map(JsonElement::getAsJsonObject).filter(one -> "page".equals(one.get("type").getAsString()))
            .findFirst().orElseThrow();
        socket = http.newWebSocketBuilder()
            .buildAsync(URI.create(page.get("webSocketDebuggerUrl").getAsString()), new Listener()).join();
        for (final String domain : List.of("Page", "Runtime", "Log", "Network"))
        {
            call(domain + ".enable", "{}");
        }
    }

    /** One that is installed. */
    static Optional<Path> installed()
    {
        return Stream.of(System.getenv("PATH").split(":"))
            .flatMap(path -> Stream.of("chromium", "chromium-browser", "google-chrome").map(Path.of(path)::resolve))
            .filter(Files::isExecutable).findFirst();
    }

    static Browser start(final Path program) throws IOException, InterruptedException
    {
        return new Browser(program);
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private JsonObject call(final String method, final String parameters)
    {
        final int id = ids.incrementAndGet();
        final CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        asked.put(id, answer);
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true).join();
        final JsonObject found = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (found.has("error"))
        {
            throw new AssertionError(method + ": " + found);
        }
        return found.getAsJsonObject("result");
    }

    /** Shows a page. */
    void open(final String address, final int width, final int height, final boolean dark)
    {
        call("Emulation.setDeviceMetricsOverride",
            "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":" +
                (width < 600) + "}");
        call("Emulation.setEmulatedMedia", "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" +
            (dark ? "dark" : "light") + "\"}]}");
        call("Page.navigate", "{\"url\":\"" + address + "\"}");
    }

    /** {@return what a JavaScript expression is on the page} */
    JsonElement ask(final String expression)
    {
        final JsonObject parameters = new JsonObject();
        parameters.addProperty("expression", expression);
        parameters.addProperty("returnByValue", true);
        final JsonObject found = call("Runtime.evaluate", parameters.toString());
        if (found.has("exceptionDetails"))
        {
            throw new AssertionError(expression + ": " + found);
        }
        return found.getAsJsonObject("result").get("value");
    }

    String text(final String expression)
    {
        final JsonElement found = ask(expression);
        return found == null || found.isJsonNull() ? null : found.getAsString();
    }

    double number(final String expression)
    {
        return ask(expression).getAsDouble();
    }

    /** {@return what the page looks like} */
    BufferedImage picture() throws IOException
    {
        return ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(
            call("Page.captureScreenshot", "{\"format\":\"png\"}").get("data").getAsString())));
    }

    /** {@return errors on the console, exceptions, and requests that failed} */
    List<String> complaints()
    {
        return complaints;
    }

    @Override
    public void close()
    {
        socket.abort();
        http.shutdownNow();
        final List<ProcessHandle> children = process.descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Await.until("the browser's processes to end", () ->
            !process.isAlive() && children.stream().noneMatch(ProcessHandle::isAlive));
        TestDirectory.remove(profile);
    }

    private final class Listener implements WebSocket.Listener
    {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(final WebSocket from, final CharSequence part, final boolean last)
        {
            text.append(part);
            if (last)
            {
                final JsonObject message = JsonParser.parseString(text.toString()).getAsJsonObject();
                text.setLength(0);
                if (message.has("id"))
                {
                    asked.remove(message.get("id").getAsInt()).complete(message);
                }
                else
                {
                    event(message.get("method").getAsString(), message.getAsJsonObject("params"));
                }
            }
            from.request(1);
            return null;
        }

        private void event(final String method, final JsonObject parameters)
        {
            final boolean wrong = switch (method)
            {
                case "Runtime.exceptionThrown" -> true;
                case "Runtime.consoleAPICalled" ->
                    List.of("error", "warning", "assert").contains(parameters.get("type").getAsString());
                case "Log.entryAdded" ->
                    "error".equals(parameters.getAsJsonObject("entry").get("level").getAsString());
                // One that a navigation has cut short is not wrong.
                case "Network.loadingFailed" ->
                    !parameters.has("canceled") || !parameters.get("canceled").getAsBoolean();
                default -> false;
            };
            if (wrong)
            {
                complaints.add(method + " " + parameters);
            }
        }
    }
}

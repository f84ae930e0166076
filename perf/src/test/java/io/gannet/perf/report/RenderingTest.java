package io.gannet.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.gannet.perf.rig.Fixtures;
import io.gannet.perf.rig.RunFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The report in a real browser, without a display: what it has drawn is asked of its layout, by a script that is in
 * this test's copy of the page alone.
 */
@Tag("tool")
class RenderingTest
{
    private static final long PATIENCE_SECONDS = 90;

    private static final String QUESTIONS = """
        <script>addEventListener('load', () => {
          const seen = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
          const count = s => [...document.querySelectorAll(s)].filter(seen).length;
          const style = getComputedStyle(document.body);
          const curve = document.querySelector('polyline.curve.gannet');
          const out = document.createElement('pre');
          out.id = 'answers';
          out.textContent = JSON.stringify({
            background: style.backgroundColor, ink: style.color,
            headings: [...document.querySelectorAll('h2')].filter(seen).map(h => h.textContent).join('|'),
            charts: count('svg'), curves: count('polyline.curve'), bars: count('svg rect'), dots: count('circle'),
            rows: count('tbody tr'), facts: count('.facts tr'), ratios: count('.fill'),
            curveWidth: curve.getBoundingClientRect().width, curveColour: getComputedStyle(curve).stroke,
            overflow: document.documentElement.scrollWidth - innerWidth});
          document.body.append(out);
        });</script>
        """;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"light,1400", "dark,1400", "light,420", "dark,420"})
    void thePageIsDrawn(final String scheme, final int width) throws Exception
    {
        final JsonObject page = ask(HtmlReport.of(Fixtures.run(), List.of(RunFile.of(Fixtures.run()))), scheme, width);

        assertThat(page.get("headings").getAsString().split("[|]")).contains("Ratios", "Processors near",
            "Processors far", "Latencies", "Timeline", "Interruptions", "Against earlier runs", "Configuration",
            "Machine");
        // Percentile curves of two peers, one histogram of both, a timeline for each benchmark.
        assertThat(page.get("charts").getAsInt()).isEqualTo(4);
        assertThat(page.get("curves").getAsInt()).isGreaterThanOrEqualTo(2);
        assertThat(page.get("curveWidth").getAsDouble()).isGreaterThan(20);
        assertThat(page.get("dots").getAsInt()).isGreaterThan(40);
        assertThat(page.get("rows").getAsInt()).isGreaterThan(6);
        assertThat(page.get("facts").getAsInt()).isEqualTo(3);
        assertThat(page.get("ratios").getAsInt()).isPositive();
        assertThat(page.get("overflow").getAsInt()).as("the page is wider than the window").isLessThanOrEqualTo(0);
        final int background = brightness(page.get("background").getAsString());
        final int ink = brightness(page.get("ink").getAsString());
        if ("dark".equals(scheme))
        {
            assertThat(background).isLessThan(60);
            assertThat(ink).isGreaterThan(180);
        }
        else
        {
            assertThat(background).isGreaterThan(200);
            assertThat(ink).isLessThan(80);
        }
        assertThat(Math.abs(brightness(page.get("curveColour").getAsString()) - background)).isGreaterThan(50);
    }

    private static int brightness(final String colour)
    {
        final Matcher rgb = Pattern.compile("rgb\\((\\d+), (\\d+), (\\d+)\\)").matcher(colour);
        assertThat(rgb.matches()).as(colour).isTrue();
        return (Integer.parseInt(rgb.group(1)) + Integer.parseInt(rgb.group(2)) + Integer.parseInt(rgb.group(3))) / 3;
    }

    private JsonObject ask(final String html, final String scheme, final int width) throws Exception
    {
        final Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), "NOT TESTED: the report in a browser, there is no chromium on the path");
        final Path page = directory.resolve("page.html");
        Files.writeString(page, html.replace("</body>", QUESTIONS + "</body>"));
        final Path output = directory.resolve("dom.html");
        final Path messages = directory.resolve("messages.txt");
        final List<String> command = new ArrayList<>(List.of(browser.get().toString(), "--headless", "--no-sandbox",
            "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--hide-scrollbars", "--user-data-dir=" + directory.resolve("profile"), "--window-size=" + width + ",900",
            "--blink-settings=preferredColorScheme=" + ("dark".equals(scheme) ? 0 : 1), "--dump-dom",
            page.toUri().toString()));
        final Process process = new ProcessBuilder(command).redirectOutput(output.toFile())
            .redirectError(messages.toFile()).start();
        try
        {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("the browser has ended").isTrue();
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        final Matcher answers = Pattern.compile("<pre id=\"answers\">(.*?)</pre>").matcher(Files.readString(output));
        assertThat(answers.find()).as("what the browser said: %s", Files.readString(messages)).isTrue();
        return JsonParser.parseString(answers.group(1)).getAsJsonObject();
    }

    private static Optional<Path> browser()
    {
        return Stream.of(System.getenv("PATH").split(":"))
            .flatMap(path -> Stream.of("chromium", "chromium-browser", "google-chrome").map(Path.of(path)::resolve))
            .filter(Files::isExecutable).findFirst();
    }
}

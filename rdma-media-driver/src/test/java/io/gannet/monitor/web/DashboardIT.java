package io.gannet.monitor.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.Gannet;
import io.gannet.cli.trace.LatencySampler;
import io.gannet.control.GannetDirectory;
import io.gannet.harness.Await;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.LiveHosts;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The exporter's page in a real browser, with a stream that goes on meanwhile: light and dark, narrow and wide.
 * {@code -Dgannet.pictures=DIR} keeps what it looks like.
 */
@Tag("tool")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DashboardIT
{
    private static final String MARKUP = "<img src=x onerror=document.title=1>";
    /** The text of what makes the stream's row, without its sparkline. */
    private static final String POSITION =
        "[...document.querySelectorAll('tr.stream')].map(r => r.innerText).find(t => t.includes('stream 77'))";

    @Test
    @SuppressWarnings("try") // the server is closed under the page
    void thePageIsLiveInBothSchemesAndAllWidths() throws Exception
    {
        final Optional<Path> program = Browser.installed();
        assumeTrue(program.isPresent(),
            "NOT TESTED: the exporter's page in a browser, there is no chromium on the path");
        final AtomicBoolean goesOn = new AtomicBoolean(true);
        try (LiveHosts hosts = new LiveHosts();
            Gannet client = Gannet.connect(new Gannet.Context().directory(hosts.directory()).name(MARKUP)
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            DriverWatch watch = new DriverWatch(new GannetDirectory(hosts.directory()), 60_000);
            LatencySampler sampler =
                new LatencySampler(new GannetDirectory(hosts.directory()), List.of(LiveHosts.STREAM));
            MonitorServer server = new MonitorServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), watch, sampler::latencies);
            Browser browser = Browser.start(program.get()))
        {
            // A name with markup in it, of a process that anybody may start.
            client.addSubscription("gannet:ipc", 5);
            client.addPublication("gannet:ipc", 5);
            final Thread feed = Thread.ofPlatform().daemon(true).start(() ->
            {
                while (goesOn.get())
                {
                    hosts.pass(10);
                }
            });
            final String page = "http://127.0.0.1:" + server.address().getPort() + "/";
            for (final boolean dark : new boolean[] {false, true})
            {
                for (final int width : new int[] {375, 768, 1400})
                {
                    look(browser, page, width, dark);
                }
            }
            filterAndSort(browser);
            goesOn.set(false);
            feed.join();
            held(browser, hosts);
            restart(browser, hosts);
            assertThat(browser.complaints()).isEmpty();
            server.close();
            Await.until("the page to say that the exporter is gone", () ->
                browser.text("document.getElementById('problem').textContent").contains("has not answered for"));
        }
        finally
        {
            goesOn.set(false);
        }
    }

    private static void look(final Browser browser, final String page, final int width, final boolean dark)
        throws IOException
    {
        browser.open(page, width, 900, dark);
        Await.until("the stream, at " + width, () -> browser.text(POSITION) != null);
        final String first = browser.text(POSITION);
        Await.until("its numbers to change", () -> !first.equals(browser.text(POSITION)) &&
            browser.text(POSITION).matches("(?s).*[1-9][0-9.]* [KM]iB/s.*"));
        final String row = browser.text("document.getElementById('streams').innerText");
        assertThat(row).contains("publisher of the test (pid ", "to 127.", "msg/s");
        assertThat(row).as("markup in a client's name is text").contains(MARKUP);
        assertThat(browser.number("document.querySelectorAll('img').length")).isZero();
        assertThat(browser.text("document.getElementById('state').textContent")).isEqualTo("running");
        assertThat(browser.number("document.querySelectorAll('.agent').length")).isPositive();
        assertThat(browser.number("document.querySelectorAll('#agents svg.hist rect.bar').length")).isPositive();
        Await.until("a histogram of latencies", () ->
            browser.number("document.querySelectorAll('#latencies svg.hist rect.bar').length") > 0);
        assertThat(browser.text("document.getElementById('latencies').innerText"))
            .contains("stream 77: publisher to subscriber publisher of the test", "samples, p50 ≤ ");
        assertThat(browser.text("document.getElementById('device').innerText")).contains("packets sent", "/s");
        Await.until("a curve", () -> browser.number(
            "Math.max(...[...document.querySelectorAll('svg.spark polyline')]" +
            ".map(p => p.getAttribute('points').split(' ').length))") >= 3);
        assertThat(browser.number("document.documentElement.scrollWidth - innerWidth"))
            .as("the page is wider than %d", width).isLessThanOrEqualTo(0);
        assertThat(browser.number("Math.max(...[...document.querySelectorAll('section, td, .agent, .facts div')]" +
            ".map(e => e.getBoundingClientRect().right)) - innerWidth")).as("something sticks out")
            .isLessThanOrEqualTo(0);
        picture(browser.picture(), width, dark);
    }

    private static void keep(final BufferedImage picture, final String name) throws IOException
    {
        final String folder = System.getProperty("gannet.pictures");
        if (folder != null)
        {
            ImageIO.write(picture, "png", Path.of(folder, name + ".png").toFile());
        }
    }

    private static void picture(final BufferedImage picture, final int width, final boolean dark) throws IOException
    {
        keep(picture, width + (dark ? "-dark" : "-light"));
        assertThat(picture.getWidth()).isEqualTo(width);
        final Set<Integer> colours = new HashSet<>();
        long brightness = 0;
        for (int y = 0; y < picture.getHeight(); y += 2)
        {
            for (int x = 0; x < width; x += 2)
            {
                final int rgb = picture.getRGB(x, y);
                colours.add(rgb);
                brightness += (rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255);
            }
        }
        final long mean = brightness / 3 / ((picture.getHeight() + 1) / 2) / ((width + 1) / 2);
        assertThat(colours).as("colours: the page is not blank").hasSizeGreaterThan(30);
        if (dark)
        {
            assertThat(mean).isLessThan(70);
        }
        else
        {
            assertThat(mean).isGreaterThan(190);
        }
    }

    private static void filterAndSort(final Browser browser)
    {
        browser.ask("(() => { const f = document.getElementById('filter'); f.value = 'nothing has this'; " +
            "f.dispatchEvent(new Event('input')); })()");
        assertThat(browser.text("document.getElementById('streams').innerText")).contains("none of this filter");
        browser.ask("(() => { const f = document.getElementById('filter'); f.value = '77'; " +
            "f.dispatchEvent(new Event('input')); })()");
        assertThat(browser.text(POSITION)).isNotNull();
        browser.ask("(() => { const f = document.getElementById('filter'); f.value = ''; " +
            "f.dispatchEvent(new Event('input')); const s = document.getElementById('sort'); s.value = 'stream'; " +
            "s.dispatchEvent(new Event('change')); })()");
        assertThat(browser.text("document.querySelector('tr.stream').innerText")).contains("stream 5");
    }

    private static void held(final Browser browser, final LiveHosts hosts) throws IOException
    {
        hosts.fill();
        Await.until("the page to name who holds", () ->
            browser.text("document.getElementById('streams').innerText").contains("holds publishers"));
        assertThat(browser.text(POSITION)).contains("held ");
        keep(browser.picture(), "held");
        hosts.pass(1);
        Await.until("nobody to hold", () ->
            !browser.text("document.getElementById('streams').innerText").contains("holds publishers"));
    }

    private static void restart(final Browser browser, final LiveHosts hosts) throws IOException
    {
        hosts.stopDriver();
        Await.until("the page to say that the driver was stopped", () ->
            browser.text("document.getElementById('problem').textContent").contains("was stopped. Start it again"));
        assertThat(browser.text("document.title")).isEqualTo("Gannet: stopped");
        keep(browser.picture(), "stopped");
        hosts.startDriver();
        Await.until("the next driver", () -> "running".equals(
            browser.text("document.getElementById('state').textContent")));
        Await.until("its stream", () -> browser.text(POSITION) != null);
        assertThat(browser.number("document.getElementById('problem').hidden ? 1 : 0")).isEqualTo(1);
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What somebody else has put among a driver's rings: each driver tells of it once, and lets it be. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForeignFilesTest
{
    private static final List<String> NAMES =
        List.of("notes.txt", "big.ring", "of.tmp", "a.journal", "last.broken", "0123.ring");

    private final Path directory = TestDirectory.create("foreign");
    private final List<String> log = new CopyOnWriteArrayList<>();

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    private MediaDriver driver()
    {
        return MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), log::add);
    }

    private void exchange()
    {
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription = client.addSubscription("gannet:ipc", 1);
            Publication publication = client.addPublication("gannet:ipc?ring=64k", 1))
        {
            Await.until("a connection", publication::isConnected);
            Await.until("room", () -> publication.offer(new UnsafeBuffer(new byte[10]), 0, 10) > 0);
            Await.until("the message", () -> subscription.poll((buffer, offset, length, header) -> { }, 1) == 1);
        }
    }

    @Test
    void eachIsToldOnceByEachDriverAndStays() throws IOException
    {
        driver().close();
        assertThat(log).isEmpty();
        final Path rings = directory.resolve("rings");
        for (final String name : NAMES)
        {
            Files.writeString(rings.resolve(name), "mine");
        }
        Files.createDirectory(rings.resolve("0000000000000001.ring"));
        Files.writeString(rings.resolve("0000000000000001.ring").resolve("inside"), "mine");
        for (int i = 0; i < 2; i++)
        {
            log.clear();
            try (MediaDriver driver = driver())
            {
                exchange();
                assertThat(driver.failure()).isNull();
            }
            assertThat(log).hasSize(NAMES.size() + 1).allMatch(line -> line.startsWith("error: " + rings + "/") &&
                line.endsWith("remove it (E232)"));
            assertThat(log).anyMatch(line -> line.contains("0000000000000001.ring"));
            for (final String name : NAMES)
            {
                assertThat(log).anyMatch(line -> line.contains(rings.resolve(name) + " "));
                assertThat(rings.resolve(name)).hasContent("mine");
            }
            assertThat(rings.resolve("0000000000000001.ring").resolve("inside")).hasContent("mine");
        }
    }
}

package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A driver in this process, in a directory of its own, that can be closed and started again; and what it and the
 * clients complained of.
 */
final class EmbeddedDriver implements AutoCloseable
{
    final List<String> log = new CopyOnWriteArrayList<>();
    final List<Throwable> clientErrors = new CopyOnWriteArrayList<>();
    private final Path directory;
    private MediaDriver driver;

    EmbeddedDriver(final String name)
    {
        directory = TestDirectory.create(name);
        start();
    }

    void start()
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), log::add);
    }

    void stop()
    {
        driver.close();
    }

    Path directory()
    {
        return directory;
    }

    Gannet.Context context()
    {
        return new Gannet.Context().directory(directory).name("test").errorHandler(clientErrors::add)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    Gannet connect()
    {
        return Gannet.connect(context());
    }

    static void awaitConnected(final Publication publication, final Subscription subscription)
    {
        Await.until("publication and subscription to be connected",
            () -> publication.isConnected() && subscription.isConnected());
    }

    /** Closes the driver; nobody may have complained. */
    @Override
    public void close()
    {
        driver.close();
        TestDirectory.remove(directory);
        assertThat(clientErrors).isEmpty();
        assertThat(log).noneMatch(line -> line.startsWith("error:"));
    }
}

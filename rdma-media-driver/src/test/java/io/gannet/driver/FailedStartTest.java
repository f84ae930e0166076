package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.DriverState;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A driver that is embedded and can't start has nothing left that would be in the way of the next one. */
class FailedStartTest
{
    private static final String WHY = "no service today";

    private final Path directory = TestDirectory.create("failed-start");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final NumberedMessages messages = new NumberedMessages();
    private final String address = LoopbackAddress.random();

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    private MediaDriver launch(final DeviceKind device, final DriverService.Factory services)
    {
        return launch(directory, device, services);
    }

    private MediaDriver launch(final Path where, final DeviceKind device, final DriverService.Factory services)
    {
        return MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, where)
            .with(DriverOptions.DEVICE, device)
            .with(DriverOptions.DEVICE_ADDRESS, device == DeviceKind.NONE ? "auto" : address),
            log::add, services);
    }

    private void assertRefused(final Path where, final DeviceKind device)
    {
        assertThatThrownBy(() -> launch(where, device, context ->
        {
            throw new IllegalStateException(WHY);
        })).hasMessage(WHY);
    }

    @ParameterizedTest
    @EnumSource(value = DeviceKind.class, names = {"NONE", "ROCE"})
    void aFirstStartThatIsRefusedLeavesNothingThatItMade(final DeviceKind device)
    {
        final Path made = directory.resolve("made");
        assertRefused(made, device);
        assertThat(made).doesNotExist();
        assertRefused(directory, device);
        assertThat(TestDirectory.list(directory)).isEmpty();
        launch(made, device, DriverService.Factory.NONE).close();
        final List<String> kept = TestDirectory.list(made);
        assertRefused(made, device);
        assertThat(TestDirectory.list(made)).as("what another driver made").isEqualTo(kept);
    }

    @Test
    void aClientThatWaitsMeanwhileFindsTheDriverThatDoesStart() throws Exception
    {
        final Path made = directory.resolve("made");
        try (ExecutorService executor = Executors.newSingleThreadExecutor())
        {
            final Future<Gannet> client = executor.submit(() -> Gannet.connect(
                new Gannet.Context().directory(made).driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)));
            for (int i = 0; i < 20; i++)
            {
                assertRefused(made, DeviceKind.NONE);
            }
            try (MediaDriver last = launch(made, DeviceKind.NONE, DriverService.Factory.NONE))
            {
                assertThat(last.failure()).isNull();
                client.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS).close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = DeviceKind.class, names = {"NONE", "ROCE"})
    void aDriverThatCanNotStartLeavesRingsDeviceAndDirectoryFree(final DeviceKind device)
    {
        final MediaDriver first = launch(device, DriverService.Factory.NONE);
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription = client.addSubscription("gannet:ipc", 1);
            Publication publication = client.addPublication("gannet:ipc?ring=64k", 1))
        {
            Await.until("a connection", publication::isConnected);
            first.close();
            log.clear();
            for (int i = 0; i < 2; i++)
            {
                assertThatThrownBy(() -> launch(device, context ->
                {
                    throw new IllegalStateException(WHY);
                })).hasMessage(WHY);
            }
            try (MediaDriver last = launch(device, DriverService.Factory.NONE))
            {
                Await.until("the client to be back", () -> client.driverState() == DriverState.RUNNING);
                client.addCounter(1000, "one").close();
                messages.pass(publication, 0, 1_000, new NumberedMessages.Checker(subscription, 0));
                assertThat(publication.isClosed()).isFalse();
                assertThat(last.failure()).isNull();
            }
            assertThat(log).noneMatch(line -> line.startsWith("error:"));
        }
    }
}

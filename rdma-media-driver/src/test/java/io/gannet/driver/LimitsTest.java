package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.ErrorCode;
import io.gannet.control.GannetDirectory;
import io.gannet.driver.RawClient.Event;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.RingLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What is one too many is refused with the limit and the count; what comes and goes leaves nothing behind.
 */
class LimitsTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int MAX_CLIENTS = 3;

    private final Path directory = TestDirectory.create("limits");
    private final List<RawClient> clients = new ArrayList<>();
    private final MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
        .with(DriverOptions.DIRECTORY, directory)
        .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
        .with(DriverOptions.MEMORY_LIMIT, 300L * 1024)
        .with(DriverOptions.MAX_COUNTERS, 128)
        .with(DriverOptions.MAX_CLIENTS, MAX_CLIENTS));

    @AfterEach
    void close()
    {
        clients.forEach(RawClient::close);
        driver.close();
        TestDirectory.remove(directory);
    }

    private RawClient client()
    {
        final RawClient client = new RawClient(directory, driver);
        clients.add(client);
        return client.connect(directory);
    }

    @Test
    void theClientBeyondTheLimitIsToldSo()
    {
        for (int i = 0; i < MAX_CLIENTS; i++)
        {
            client();
        }
        final RawClient tooMany = new RawClient(directory, driver);
        clients.add(tooMany);
        try (DriverFile driverFile = DriverFile.open(new GannetDirectory(directory), true))
        {
            tooMany.file.clearRings();
            tooMany.commands.connect(1, driverFile.epoch());
            tooMany.file.connectTo(driverFile.epoch());
            driverFile.arrive();
        }
        final Event refused = tooMany.await("onOperationFailed");
        assertThat(refused.asLong(1)).isEqualTo(ErrorCode.LIMIT_REACHED.code());
        assertThat(refused.arguments().get(2).toString()).contains("3 clients").contains("max-clients");
    }

    @Test
    void theRingBeyondTheMemoryLimitIsRefusedWithTheNumbers()
    {
        final RawClient client = client();
        for (int i = 1; i <= 2; i++)
        {
            client.commands.addPublication(i, i, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
            client.await("onPublicationReady");
        }
        client.commands.addPublication(3, 3, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final Event refused = client.await("onOperationFailed");
        assertThat(refused.asLong(1)).isEqualTo(ErrorCode.LIMIT_REACHED.code());
        assertThat(refused.arguments().get(2).toString())
            .contains("131072").contains("262144 of 307200").contains("memory-limit");
    }

    @Test
    void theSubscriberBeyondTheRingsGatesIsToldSoAndJoinsWhenOneLeaves()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        client.await("onPublicationReady");
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            client.commands.addSubscription(10 + i, 10 + i, 10, "gannet:ipc");
            client.await("onImageAvailable");
        }
        client.commands.addSubscription(500, 500, 10, "gannet:ipc");
        final Event refused = client.await("onOperationFailed");
        assertThat(refused.asLong(1)).isEqualTo(ErrorCode.LIMIT_REACHED.code());
        assertThat(refused.arguments().get(2).toString()).contains(Integer.toString(RingLayout.MAX_ENTRIES));
        client.commands.removeSubscription(501, 10);
        assertThat(client.await("onImageAvailable").asLong(0)).as("who joins the gate that is free").isEqualTo(500);
    }

    @Test
    void countersRunOutForApplicationsWithAnErrorAndForStreamsWithout()
    {
        final RawClient client = client();
        int id = 1;
        do
        {
            client.commands.addCounter(id, id, 1000, new byte[0], "mine", 0);
            client.eventsWithin(2);
            id++;
        }
        while (id < 200);
        final Event answer = client.await("onOperationFailed");
        assertThat(answer.asLong(1)).isEqualTo(ErrorCode.LIMIT_REACHED.code());
        assertThat(answer.arguments().get(2).toString()).contains("128").contains("max-counters");
        client.commands.addPublication(id, id, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        client.await("onPublicationReady");
    }

    @Test
    void comingAndGoingLeavesFilesCountersAndTheBudgetAsTheyWere()
    {
        final RawClient client = client();
        final String before = systemCounters();
        for (int i = 0; i < 300; i++)
        {
            final long id = 2L * i + 10;
            client.commands.addPublication(id, id,
                i % 2 == 0 ? PublicationKind.EXCLUSIVE : PublicationKind.CONCURRENT, 10, CHANNEL, 0);
            client.await("onPublicationReady");
            client.commands.addSubscription(id + 1, id + 1, 10, "gannet:ipc");
            client.await("onImageAvailable");
            client.commands.removeSubscription(id + 1, id + 1);
            client.await("onOperationSucceeded");
            client.commands.removePublication(id, id);
            client.await("onOperationSucceeded");
        }
        Await.until("the last ring to go", () ->
        {
            driver.doWork();
            return TestDirectory.list(directory.resolve("rings")).isEmpty();
        });
        assertThat(systemCounters()).isEqualTo(before);
    }

    /** Values of the counters that go up and down. */
    private String systemCounters()
    {
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            final CountersReader counters = control.countersReader();
            final StringBuilder text = new StringBuilder();
            counters.forEach((value, id, label) ->
            {
                if (!label.startsWith("commands") && !label.contains("duty") && !label.contains("silent"))
                {
                    text.append(value).append(' ').append(label).append('\n');
                }
            });
            return text.toString();
        }
    }
}

package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.orderflow.client.LoadPlan;
import io.gannet.samples.orderflow.client.OrderLoad;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** File systems that fill up under journal, rings and store: said in one line, and made good when there is room. */
@Tag("root")
final class OrdersShortageIT
{
    @Test
    void anEngineWhoseJournalHasNoRoomEndsAndTheNextOneHasAllThatWasAcknowledged() throws IOException
    {
        try (SmallDisk disk = SmallDisk.mount("2500k", "a full disk under the journal (OrdersShortageIT)");
            VenueProcesses venue = new VenueProcesses())
        {
            venue.journal = disk.path.resolve("journal");
            venue.startDriver();
            venue.startEngine();
            venue.startGateway();
            try (Gannet client = venue.connect())
            {
                // Two files of 1 MiB find room, some 15,000 commands.
                final OrderLoad load = venue.begin(client, 6, 4_000);
                final Child first = venue.engine;
                venue.until("the engine has no room", () -> !first.isAlive());
                first.await(60, TimeUnit.SECONDS);
                assertThat(first.ending()).contains("exit code 1").containsPattern(
                    "the journal needs 1048576 bytes for .*: No space left on device. Free space, or choose a");
                assertThat(load.statistics().answered.get()).isGreaterThan(5_000);
                load.begin(new LoadPlan(300, 20), Long.MAX_VALUE);
                venue.until("the gateway noticed", () -> venue.gateway.status().number("linked") == 0);

                final Child other = venue.newGateway(1, disk.path.resolve("store"), 1);
                venue.until("a gateway without room for its store ends", () -> !other.isAlive());
                other.await(60, TimeUnit.SECONDS);
                assertThat(other.ending()).contains("exit code 1").containsPattern(
                    "the gateway's store needs [0-9]+ bytes for .*: No space left on device. Free space, or choose a");

                disk.resize("64m");
                venue.startEngine();
                final Child second = venue.engine;
                venue.until("it has recovered", () -> second.status().number("recovered") > 5_000);
                venue.untilLinked();
                venue.untilAnswered(load, 100);
                venue.endAndCheck();
            }
        }
    }

    @Test
    void aGatewayWithoutRoomForAClientsRingGoesOnWithTheOthersAndHasTheClientWhenThereIsRoom() throws IOException
    {
        try (SmallDisk disk = SmallDisk.mount("64m", "a full tmpfs under a gateway's rings (OrdersShortageIT)");
            VenueProcesses venue = new VenueProcesses())
        {
            venue.driverDirectory = disk.path;
            venue.startDriver();
            venue.startEngine();
            venue.startGateway();
            try (Gannet client = venue.connect();
                Gannet late = venue.connect())
            {
                final OrderLoad load = venue.begin(client, 7, 300);
                venue.untilAnswered(load, 50);
                // What it opens itself is there; it is not yet polled, so that the gateway knows nothing of it.
                final OrderLoad second = venue.load(late, 1, VenueProcesses.SESSIONS + 1, 8);
                disk.fill();
                venue.until("the gateway says that there is no room", () -> venue.gateway.find(Pattern.compile(
                    "gateway: stream 2102 of a client can't be opened: .*does not fit")) != null);
                venue.untilAnswered(load, 100);
                assertThat(second.isEstablished()).isFalse();

                final Child other = venue.newGateway(1, venue.directory.resolve("other"), 1);
                venue.until("a gateway without room for its rings ends", () -> !other.isAlive());
                other.await(60, TimeUnit.SECONDS);
                assertThat(other.ending()).contains("exit code 1").contains("no space left");

                disk.free();
                venue.until("the second client is there", second::isEstablished);
                second.begin(new LoadPlan(300, 20), Long.MAX_VALUE);
                venue.untilAnswered(second, 100);
                venue.endAndCheck();
            }
        }
    }
}

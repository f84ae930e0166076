package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.harness.Await;
import io.gannet.harness.FlowPublisher;
import io.gannet.harness.FlowSubscriber;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import io.gannet.os.SocketMessages;
import io.gannet.os.UdpSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A publisher's host and two subscribers' hosts as processes, small rings, and kill -9 of any of them, in an order that
 * follows from a seed, while checked messages flow: whoever lives sees every publisher's messages whole, in order and
 * without a gap, and goes on. {@code -Dgannet.test.kills=N} and {@code -Dgannet.test.seed=S} make a soak of it.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RdmaKillIT
{
    private static final int KILLS = Integer.getInteger("gannet.test.kills", 2);
    private static final int STREAM = 10;
    private static final long SOME = 3_000;
    private static final int TRAFFIC_CLASS = 0xB8;
    private static final int ECN = 3;
    private static final int PORT = 4791;
    /** First byte of a packet: the opcodes of a reliable connection's WRITEs. */
    private static final long ALL_RETRIES = TimeUnit.SECONDS.toNanos(5);
    private static final int FIRST_WRITE = 6;
    private static final int LAST_WRITE = 11;
    private static final int PACKETS = 16;
    private static final int PACKET_LENGTH = 9_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final Path[] directories = new Path[3];
    private final String[] addresses = new String[3];
    private final TestProcess[] drivers = new TestProcess[3];
    private final TestProcess[] flows = new TestProcess[3];
    private String channel;
    private boolean exclusive;

    @BeforeEach
    void prepare()
    {
        for (int i = 0; i < directories.length; i++)
        {
            directories[i] = TestDirectory.create("kill-" + i);
            addresses[i] = LoopbackAddress.random();
        }
        // Whoever is killed is missed by its peers for a while.
        for (final String text : List.of("it is to be made again", "cannot connect to", "cannot ask", "is dead",
            "no longer goes to"))
        {
            harness.expectError(text);
        }
    }

    @AfterEach
    void remove()
    {
        harness.closeProcesses();
        for (final Path directory : directories)
        {
            TestDirectory.remove(directory);
        }
    }

    private void startDriver(final int host)
    {
        drivers[host] = harness.startDriver("--dir", directories[host].toString(), "--device", "roce",
            "--device-address", addresses[host]);
    }

    /** Host 0 is the publisher's, the others are subscribers'. */
    private void startFlow(final int host)
    {
        flows[host] = host == 0 ?
            harness.start("publisher", FlowPublisher.class.getName(), List.of(directories[0].toString(),
                Boolean.toString(exclusive), channel + "|ring=128k|image-timeout=5m")) :
            harness.start("subscriber " + host, FlowSubscriber.class.getName(),
                List.of(directories[host].toString(), channel + "|image-timeout=5m"));
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void whoeverIsKilledTheOthersGoOn(final boolean fanOut, final boolean exclusivePublication)
    {
        final int hosts = fanOut ? 3 : 2;
        channel = fanOut ? "gannet:rdma?control=" + addresses[0] + ":4640" :
            "gannet:rdma?endpoint=" + addresses[1] + ":4640";
        exclusive = exclusivePublication;
        for (int i = hosts - 1; i >= 0; i--)
        {
            startDriver(i);
            startFlow(i);
        }
        awaitProgress(hosts);
        final long seed = Long.getLong("gannet.test.seed", 570_783);
        System.out.println("RdmaKillIT: gannet.test.seed=" + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < KILLS; i++)
        {
            final int driver = random.nextInt(hosts + 1) - 1;
            final int flow = random.nextInt(3) == 0 ? random.nextInt(hosts) : -1;
            if (driver >= 0)
            {
                drivers[driver].kill();
            }
            if (flow >= 0)
            {
                flows[flow].kill();
            }
            if (driver >= 0)
            {
                startDriver(driver);
            }
            if (flow >= 0)
            {
                startFlow(flow);
            }
            awaitProgress(hosts);
        }
        // With its client goes what a driver remembers for it of publications that broke off.
        for (int i = 0; i < hosts; i++)
        {
            flows[i].kill();
        }
        for (int i = 0; i < hosts; i++)
        {
            final Path rings = directories[i].resolve("rings");
            final List<String> left = new ArrayList<>();
            try
            {
                Await.until("the rings of host " + i + " to go", () ->
                {
                    left.clear();
                    left.addAll(TestDirectory.list(rings));
                    return left.isEmpty();
                });
            }
            catch (final AssertionError stayed)
            {
                throw new AssertionError(stayed.getMessage() + ": " + left, stayed);
            }
        }
    }

    private void awaitProgress(final int hosts)
    {
        for (int i = 1; i < hosts; i++)
        {
            harness.awaitProgress(flows[i], SOME);
        }
    }

    @Test
    void packetsCarryTheChannelsTrafficClass()
    {
        channel = "gannet:rdma?endpoint=" + addresses[1] + ":4641";
        startDriver(1);
        startFlow(1);
        startDriver(0);
        try (Gannet client = Gannet.connect(
            new Gannet.Context().directory(directories[0]).driverTimeout(60, TimeUnit.SECONDS));
            Publication publication = client.addPublication(
                channel + "|ring=64k|traffic-class=" + TRAFFIC_CLASS + "|image-timeout=60s", STREAM))
        {
            // On a busy machine the peer may have given the connection up before its packets are looked at.
            Await.until("a packet of the data path with the class", () ->
            {
                Await.until("a connection", publication::isConnected);
                drivers[1].kill();
                final boolean found = isWriteSeen(publication);
                if (!found)
                {
                    startDriver(1);
                }
                return found;
            });
        }
    }

    /** Takes the place of the killed driver, as long as its peer sends again what was not acknowledged. */
    private boolean isWriteSeen(final Publication publication)
    {
        try (UdpSocket socket = UdpSocket.bind(InetAddress.ofLiteral(addresses[1]), PORT);
            Arena arena = Arena.ofConfined())
        {
            socket.reportTrafficClass();
            final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
            final MemorySegment memory = arena.allocate((long) PACKETS * PACKET_LENGTH, 64);
            final SocketMessages received = new SocketMessages(PACKETS, arena);
            final long start = System.nanoTime();
            boolean found = false;
            while (!found && System.nanoTime() - start < ALL_RETRIES)
            {
                publication.offer(message, 0, message.capacity());
                found = hasWriteWithClass(socket, received, memory);
            }
            return found;
        }
    }

    private static boolean hasWriteWithClass(
        final UdpSocket socket, final SocketMessages received, final MemorySegment memory)
    {
        for (int i = 0; i < PACKETS; i++)
        {
            received.buffer(i, memory.address() + (long) i * PACKET_LENGTH, PACKET_LENGTH);
            received.prepareReceive(i);
        }
        final int count = socket.receive(received, PACKETS);
        boolean found = false;
        for (int i = 0; i < count; i++)
        {
            final int opcode = memory.get(ValueLayout.JAVA_BYTE, (long) i * PACKET_LENGTH) & 0xFF;
            if (opcode >= FIRST_WRITE && opcode <= LAST_WRITE)
            {
                assertThat(received.receivedTrafficClass(i) & ~ECN).isEqualTo(TRAFFIC_CLASS & ~ECN);
                found = true;
            }
        }
        return found;
    }
}

package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.perf.link.Capture;
import io.gannet.perf.link.ImpairedLink;
import io.gannet.perf.link.Impairment;
import io.gannet.perf.link.Namespaces;
import io.gannet.perf.link.Tunnel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two driver processes, each in a network namespace, and real links between: every message once, whole and in order,
 * whatever the link does.
 */
@Tag("root")
final class LinkIT
{
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);
    private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Path TSHARK = Path.of("/usr/bin/tshark");

    @TempDir
    private Path directory;

    @BeforeEach
    void needsRoot()
    {
        assumeTrue(Namespaces.missing() == null,
            () -> Namespaces.missing() + ": replication between network namespaces was not tested");
    }

    private static void runUntil(final NumberedFlow flow, final String what, final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            flow.run(SLICE);
            assertThat(System.nanoTime() - deadline).as("nanoseconds over the deadline, waiting for " + what)
                .isNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1500, 9000})
    void packetsCrossAnEthernetLinkAndALinkThatGoesDownLosesNothing(final int mtu) throws Exception
    {
        final Path file = directory.resolve("link.pcap");
        try (Namespaces namespaces = Namespaces.ethernet(mtu); LinkPair pair = new LinkPair(namespaces);
            Capture capture = new Capture(namespaces.file(1), file);
            NumberedFlow flow = new NumberedFlow(pair.publish(7, "256k"), pair.subscribe(7), 1_000, 0))
        {
            runUntil(flow, "messages", () -> flow.received() > 2_000);
            assertThat(capture.roceFrames()).as("frames with UDP port 4791").isGreaterThan(100);
            assertThat(capture.sourcePorts()).as("of connection management, and of queue pairs").contains(4791)
                .anyMatch(port -> port >= 0xc000);
            // an image of 1,000 byte messages fills packets of the largest path MTU that fits the link
            assertThat(capture.longestPacket()).isBetween(mtu == 1500 ? 1_024 : 4_096, mtu);
            for (int i = 0; i < 2; i++)
            {
                final long before = flow.received();
                namespaces.link(false);
                flow.run(TimeUnit.MILLISECONDS.toNanos(i == 0 ? 300 : 2_500));
                namespaces.link(true);
                runUntil(flow, "messages after the link came back", () -> flow.received() > before + 4_000);
            }
            flow.finish(PATIENCE);
            assertThat(flow.received()).isEqualTo(flow.sent());
        }
        assertThat(Files.size(file)).isPositive();
    }

    @Test
    void packetsMayBeIpv6() throws Exception
    {
        final Tunnel[] ends = new Tunnel[2];
        try (Namespaces namespaces = Namespaces.tunnels(ends, 1500);
            ImpairedLink link = new ImpairedLink(ends, 1, null);
            LinkPair pair = new LinkPair(namespaces, Namespaces.FIRST_IPV6, Namespaces.SECOND_IPV6);
            NumberedFlow flow = new NumberedFlow(pair.publish(7, "256k"), pair.subscribe(7), 1_000, 0))
        {
            link.impair(Impairment.loss(0.01));
            runUntil(flow, "messages", () -> flow.received() > 3_000);
            link.impair(Impairment.NONE);
            flow.finish(PATIENCE);
            assertThat(pair.counter(1, "packets dropped: ICRC")).isZero();
            assertThat(link.carried()).isGreaterThan(2_000);
        }
    }

    @Test
    void lossDuplicationAndReorderingAreInvisible() throws Exception
    {
        final StringWriter table = new StringWriter();
        new LossRun(1500, 256, 2_000, 250, null).run(new PrintWriter(table));
        assertThat(table.toString()).contains("0.1 % lost", "1 % lost", "5 % lost", "1 % twice", "1 % overtaken",
            "each once, whole and in order");
        System.out.print(table);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void twoFlowsShareANarrowLinkAndDoNotFloodIt(final boolean marks) throws Exception
    {
        final Tunnel[] ends = new Tunnel[2];
        try (Namespaces namespaces = Namespaces.tunnels(ends, 1500);
            ImpairedLink link = new ImpairedLink(ends, 1, null);
            LinkPair pair = new LinkPair(namespaces);
            NumberedFlow one = new NumberedFlow(pair.publish(7, "256k"), pair.subscribe(7), 1_000, 0);
            NumberedFlow two = new NumberedFlow(pair.publish(8, "256k"), pair.subscribe(8), 1_000, 0))
        {
            link.impair(new Impairment(0, 0, 0, 1_000_000, 48_000, marks));
            shareUntil(one, two, 500, 500);                     // both are under way
            final long first = one.received();
            final long second = two.received();
            final long carried = link.carried();
            final long vanished = link.vanished();
            final long deadline = System.nanoTime() + PATIENCE;
            while (one.received() + two.received() - first - second < 10_000)
            {
                one.run(SLICE / 10);
                two.run(SLICE / 10);
                assertThat(System.nanoTime() - deadline).isNegative();
            }
            final double ratio = (one.received() - first) / (double) (two.received() - second);
            final double lost = (link.vanished() - vanished) / (double) (link.carried() - carried);
            System.out.printf("shares %.2f : 1, %.1f %% of the packets lost, %d marked%n", ratio, 100 * lost,
                link.marked());
            assertThat(ratio).as("share of one flow by that of the other").isBetween(0.5, 2.0);
            assertThat(lost).as("packets that the link lost by those it carried").isLessThan(0.2);
            if (marks)
            {
                assertThat(link.marked()).isPositive();
                assertThat(pair.counter(0, "congestion notifications received")).isPositive();
                assertThat(pair.counter(1, "congestion notifications sent")).isPositive();
            }
            link.impair(Impairment.NONE);
            one.finish(PATIENCE);
            two.finish(PATIENCE);
        }
    }

    private static void shareUntil(final NumberedFlow one, final NumberedFlow two, final int first, final int second)
    {
        final long deadline = System.nanoTime() + PATIENCE;
        while (one.received() < first || two.received() < second)
        {
            one.run(SLICE / 10);
            two.run(SLICE / 10);
            assertThat(System.nanoTime() - deadline).isNegative();
        }
    }

    @Test
    @Tag("tool")
    void tsharkFindsNothingMalformedInOurPackets() throws Exception
    {
        assumeTrue(Files.isExecutable(TSHARK), "no tshark: our packets were not looked at by a foreign dissector");
        final Path file = directory.resolve("packets.pcap");
        final Tunnel[] ends = new Tunnel[2];
        try (Namespaces namespaces = Namespaces.tunnels(ends, 1500);
            ImpairedLink link = new ImpairedLink(ends, 1, file))
        {
            try (LinkPair pair = new LinkPair(namespaces);
                NumberedFlow flow = new NumberedFlow(pair.publish(7, "256k"), pair.subscribe(7), 999, 0))
            {
                runUntil(flow, "messages", () -> flow.received() > 1_000);
                link.impair(Impairment.loss(0.02));             // NAKs and repeats are packets too
                runUntil(flow, "messages", () -> flow.received() > 3_000);
                link.impair(new Impairment(0, 0, 0, 1_000_000, 48_000, true));
                runUntil(flow, "congestion notifications", () -> link.marked() > 20);
                link.impair(Impairment.NONE);
                flow.finish(PATIENCE);
            }
        }
        assertThat(count(file, "infiniband")).isGreaterThan(1_000);
        assertThat(count(file, "_ws.malformed || _ws.unreassembled || _ws.expert.severity == error")).isZero();
        assertThat(count(file, "udp && !infiniband")).as("datagrams that are not RoCE").isZero();
        assertThat(count(file, "infiniband.bth.opcode == 100")).as("connection management").isGreaterThanOrEqualTo(3);
        assertThat(count(file, "infiniband.bth.opcode == 17")).as("acknowledges").isPositive();
        assertThat(count(file, "infiniband.bth.opcode == 129"))
            .as("congestion notifications").isPositive();
        assertChecksumsAreRight(file);
    }

    /** This version of tshark shows the ICRC but does not check it. */
    private static void assertChecksumsAreRight(final Path file) throws Exception
    {
        final ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        records.position(24);
        int checked = 0;
        while (records.remaining() >= 16)
        {
            final byte[] packet = new byte[records.getInt(records.position() + 8)];
            records.position(records.position() + 16).get(packet);
            if (packet[0] >>> 4 == 4 && packet[9] == 17)
            {
                checked++;
                assertThat(invariantChecksum(packet)).as("ICRC of packet %d", checked).isEqualTo(ByteBuffer
                    .wrap(packet, packet.length - 4, 4).order(ByteOrder.LITTLE_ENDIAN).getInt());
            }
        }
        assertThat(checked).isGreaterThan(1_000);
    }

    /** Annex A17 of the InfiniBand specification, over an IPv4 packet without options. */
    private static int invariantChecksum(final byte[] packet)
    {
        final byte[] masked = Arrays.copyOf(packet, packet.length - 4);
        for (final int at : new int[]{1, 8, 10, 11, 26, 27, 32})       // ToS, TTL, checksums, BTH's FECN and BECN
        {
            masked[at] = -1;
        }
        final CRC32 crc = new CRC32();
        crc.update(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1});
        crc.update(masked);
        return (int) crc.getValue();
    }

    private static long count(final Path file, final String filter) throws Exception
    {
        final Process process = new ProcessBuilder(TSHARK.toString(), "-r", file.toString(), "-Y", filter, "-T",
            "fields", "-e", "frame.number").redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of tshark with filter " + filter).isZero();
        return output.lines().count();
    }
}

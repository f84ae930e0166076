package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.cli.Captured;
import io.gannet.doctor.HostFacts;
import io.gannet.doctor.HostFacts.Fact;
import io.gannet.doctor.PeerChecks;
import io.gannet.doctor.Result;
import io.gannet.doctor.Severity;
import io.gannet.driver.stream.PeerQuestion.Failure;
import io.gannet.driver.stream.PeerQuestion.UnansweredException;
import io.gannet.harness.Await;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two drivers whose hosts are made up: each difference gives exactly its own finding.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PeerDoctorTest
{
    private static final int PORT = PeerFacts.DEFAULT_PORT;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    /** As another host's doctor sends it first: magic, version, offset. */
    private static final byte[] REQUEST = {0x47, 0x4E, 0x46, 0x31, 1, 0, 0, 0, 0, 0, 0, 0};
    private static final Path ROOT = Path.of("/");
    private static final HostFacts HOST = new HostFacts(Map.ofEntries(
        Map.entry(Fact.GANNET, "1.2.3"),
        Map.entry(Fact.PROTOCOL, "1"),
        Map.entry(Fact.DEVICE, "verbs:mlx5_0"),
        Map.entry(Fact.LINK_LAYER, "Ethernet"),
        Map.entry(Fact.RATE, "100 Gb/sec (4X EDR)"),
        Map.entry(Fact.ACTIVE_MTU, "4096"),
        Map.entry(Fact.NETDEV_MTU, "4200"),
        Map.entry(Fact.GID_TYPE, "RoCE v2"),
        Map.entry(Fact.GID_INDEX, "3"),
        Map.entry(Fact.PFC, "on priorities {3}"),
        Map.entry(Fact.TRUST, "dscp"),
        Map.entry(Fact.ECN, "on for priority 3"),
        Map.entry(Fact.NIC_DRIVER, "mlx5_core of Linux 6.1.0-18-amd64"),
        Map.entry(Fact.CLOCK_SOURCE, "tsc")));

    /** What the second host has other than the first, and what is found; null for nothing. */
    record Case(String name, UnaryOperator<HostFacts> change, String check, Severity severity, List<String> words)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    private static Case differing(
        final Fact fact, final String value, final String check, final Severity severity, final String... words)
    {
        return new Case(fact + " " + value, facts -> facts.with(fact, value), check, severity, List.of(words));
    }

    static Stream<Case> hosts()
    {
        return Stream.of(
            new Case("alike", facts -> facts, null, null, List.of()),
            differing(Fact.DEVICE, "verbs:mlx5_1", null, null),
            differing(Fact.GANNET, "1.3.0", "peer-version", Severity.NOTE, "1.2.3 here", "1.3.0 at"),
            differing(Fact.PROTOCOL, "2", null, null),
            differing(Fact.PROTOCOL, "3", "peer-version", Severity.ERROR, "protocol 1 here", "3 at"),
            differing(Fact.LINK_LAYER, "InfiniBand", "peer-link-layer", Severity.ERROR, "InfiniBand at"),
            differing(Fact.RATE, "25 Gb/sec (1X EDR)", "peer-rate", Severity.WARNING, "100 Gb/sec", "25 Gb/sec"),
            differing(Fact.ACTIVE_MTU, "1024", "peer-mtu", Severity.WARNING, "4096 here", "1024 at"),
            differing(Fact.NETDEV_MTU, "9000", "peer-path-mtu", Severity.NOTE, "4200 here", "9000 at"),
            differing(Fact.NETDEV_MTU, "1500", "peer-path-mtu", Severity.ERROR, "1500 at", "take 4176"),
            new Case("interface and active MTU", facts -> facts.with(Fact.NETDEV_MTU, "1500")
                .with(Fact.ACTIVE_MTU, "1024"), "peer-mtu", Severity.WARNING, List.of("1024 at")),
            differing(Fact.GID_TYPE, "IB/RoCE v1", "peer-gid", Severity.ERROR, "RoCE v2 here", "v1 at"),
            differing(Fact.GID_INDEX, "5", "peer-gid", Severity.NOTE, "3 here", "5 at"),
            differing(Fact.PFC, "on no priority", "peer-pfc", Severity.WARNING, "on no priority at"),
            differing(Fact.TRUST, "pcp", "peer-pfc", Severity.WARNING, "trust dscp here, pcp at"),
            differing(Fact.ECN, "off for priority 3", "peer-ecn", Severity.WARNING, "off for priority 3 at"),
            differing(Fact.NIC_DRIVER, "mlx5_core 24.10-1", "peer-nic-driver", Severity.NOTE, "24.10-1 at"),
            differing(Fact.CLOCK_SOURCE, "hpet", "peer-clock-source", Severity.WARNING, "tsc here, hpet at"),
            new Case("no rate known", facts -> without(facts, Fact.RATE), null, null, List.of()),
            new Case("no flow control known", facts -> without(without(facts, Fact.PFC), Fact.TRUST), null, null,
                List.of()));
    }

    private static HostFacts without(final HostFacts facts, final Fact fact)
    {
        final Map<Fact, String> values = new EnumMap<>(facts.values());
        values.remove(fact);
        return new HostFacts(values);
    }

    private static RdmaHost host(
        final String name, final HostFacts facts, final UnaryOperator<DriverConfiguration> more)
    {
        return new RdmaHost(name, options -> more.apply(options.with(DriverOptions.DOCTOR_PORT, PORT)),
            HostNames.SYSTEM, new HostAnswers((device, address) -> facts));
    }

    private static InetSocketAddress at(final RdmaHost host, final int port)
    {
        return new InetSocketAddress(InetAddress.ofLiteral(host.address()), port);
    }

    private static HostFacts ask(final RdmaHost host, final int port) throws UnansweredException
    {
        return PeerFacts.ask(ROOT, null, at(host, port), PATIENCE).peers();
    }

    private static List<Result> findings(final List<Result> results)
    {
        return results.stream().filter(Result::isFinding).toList();
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void eachDifferenceIsFoundAndNothingElse(final Case difference) throws UnansweredException
    {
        try (RdmaHost one = host("peer-one", HOST, UnaryOperator.identity());
            RdmaHost two = host("peer-two", difference.change.apply(HOST), UnaryOperator.identity()))
        {
            final List<Result> results = PeerChecks.compare(ask(one, PORT), ask(two, PORT), two.address());
            if (difference.check == null)
            {
                assertThat(findings(results)).isEmpty();
                return;
            }
            assertThat(findings(results)).singleElement().satisfies(finding ->
            {
                assertThat(finding.check()).isEqualTo(difference.check);
                assertThat(finding.severity()).isEqualTo(difference.severity);
                assertThat(finding.found()).contains(difference.words).contains(two.address());
                assertThat(List.of(finding.expected(), finding.why(), finding.mend()))
                    .allMatch(text -> !text.isBlank());
            });
        }
    }

    /** What is not made up: this very host, whose two ends are alike. */
    @Test
    void theCommandAsksAndCompares()
    {
        try (RdmaHost host = new RdmaHost("peer-real", options -> options.with(DriverOptions.DOCTOR_PORT, PORT)))
        {
            final Captured run = Captured.run("doctor", "--local", "--watch", "0", "--dir", host.directory().toString(),
                "--peer", host.address() + ":" + PORT, "--timeout", "60");
            assertThat(run.out()).contains("ok       peer", host.address() + " answers: ", host.driver().device())
                .containsPattern("ok +peer-version +both: version of Gannet ").doesNotContain("error    peer")
                .containsPattern("ok +peer-mtu +both: active MTU \\d+").doesNotContain("warning  peer");
            assertThat(Captured.run("doctor", "--local", "--json", "--watch", "0", "--peer", host.address()).out())
                .contains("{\"check\":\"peer\",\"severity\":\"ok\",\"found\":\"" + host.address());
            assertThat(host.log()).noneMatch(line -> line.startsWith("error"));
        }
    }

    @Test
    void thePortsOfChannelsAnswerToo() throws UnansweredException
    {
        try (RdmaHost host = new RdmaHost("peer-channels", UnaryOperator.identity(), HostNames.SYSTEM,
                new HostAnswers((device, address) -> HOST));
            Gannet client = host.connect();
            Subscription endpoint = client.addSubscription(host.channel(40_001), 1);
            Publication control = client.addPublication(host.control(40_002) + "|ring=64k", 1))
        {
            assertThat(endpoint.isClosed() || control.isClosed()).isFalse();
            assertThat(ask(host, 40_001)).isEqualTo(HOST);
            assertThat(ask(host, 40_002)).isEqualTo(HOST);
            assertThatThrownBy(() -> ask(host, PORT)).isInstanceOfSatisfying(UnansweredException.class,
                silence -> assertThat(silence.failure()).isEqualTo(Failure.NOBODY_LISTENS));
        }
    }

    @Test
    void whoIsNotAllowedGetsNoAnswer()
    {
        try (RdmaHost host = host("peer-shut", HOST, options -> options.with(DriverOptions.ALLOW, "10.9.0.0/16")))
        {
            final Captured run = Captured.run("doctor", "--local", "--watch", "0", "--dir", host.directory().toString(),
                "--peer", host.address(), "--timeout", "1");
            assertThat(run.exitCode()).isEqualTo(4);
            assertThat(run.out()).contains(
                "error    peer", host.address() + ":" + PORT + ": ", "allow=", "doctor-port");
        }
    }

    @Test
    void nobodyListensIsToldWithTheOption()
    {
        try (RdmaHost host = new RdmaHost("peer-deaf"))
        {
            final Captured run = Captured.run("doctor", "--local", "--watch", "0", "--dir", host.directory().toString(),
                "--peer", host.address() + ":7", "--timeout", "60");
            assertThat(run.exitCode()).isEqualTo(4);
            assertThat(run.out()).contains(host.address() + ":7: nobody listens there", "doctor-port = 7");
        }
    }

    @Test
    void mistakesOnTheCommandLineAreToldInOneLine()
    {
        final String[][] wrong = {{"--peer", "a:b:c"}, {"--peer", "127.0.0.1:70000"}, {"--peer", "127.0.0.1:0"},
            {"--peer", ""}, {"--peer", "no-such-host.invalid"}, {"--from", "127.0.0.1"},
            {"--peer", "127.0.0.1", "--timeout", "0"}, {"--peer", "127.0.0.1", "--from", "no-such-host.invalid"}};
        for (final String[] options : wrong)
        {
            final String[] line = Stream.concat(Stream.of("doctor", "--local", "--watch", "0"), Arrays.stream(options))
                .toArray(String[]::new);
            final Captured run = Captured.run(line);
            assertThat(run.exitCode()).as(String.join(" ", options)).isEqualTo(2);
            assertThat(run.err()).hasLineCount(1).endsWith("(E101)\n");
        }
    }

    /** Requests with changed bytes, at the doctor's port and at a channel's: each is answered, and the next one too. */
    @Test
    void garbageIsRefusedAndHarmsNobody() throws UnansweredException
    {
        final SplittableRandom random = new SplittableRandom(11);
        try (RdmaHost host = host("peer-garbage", HOST, UnaryOperator.identity());
            Gannet client = host.connect();
            Subscription channel = client.addSubscription(host.channel(40_001), 1);
            RawAsker asker = new RawAsker())
        {
            for (int i = 0; i < 200; i++)
            {
                final byte[] request = REQUEST.clone();
                for (int changes = random.nextInt(5); changes >= 0; changes--)
                {
                    request[random.nextInt(request.length)] = (byte) random.nextInt();
                }
                final DirectBuffer answer = asker.ask(at(host, random.nextBoolean() ? PORT : 40_001),
                    new UnsafeBuffer(request, 0, random.nextInt(8) == 0 ? random.nextInt(12) : request.length));
                assertThat(answer.capacity()).isLessThanOrEqualTo(ConnectionManager.MAX_REJECT_PRIVATE_DATA);
            }
            assertThat(host.driver().failure()).isNull();
            assertThat(channel.isClosed()).isFalse();
            assertThat(ask(host, PORT)).isEqualTo(HOST);
            assertThat(ask(host, 40_001)).isEqualTo(HOST);
            assertThat(host.log()).allMatch(line -> line.contains("request from ") || !line.startsWith("error"));
        }
    }

    /** Asks whatever a test lets it. */
    private static final class RawAsker implements AutoCloseable
    {
        private final RdmaDevice device = RoceDevice.open(RoceOptions.LOOPBACK);
        private final ProtectionDomain domain = device.allocateProtectionDomain();
        private final CompletionQueue queue = device.createCompletionQueue(2, null);
        private final Queue<CmEvent> events = new ArrayDeque<>();

        DirectBuffer ask(final InetSocketAddress peer, final DirectBuffer request)
        {
            final CmId id = device.connectionManager().createId();
            id.resolve(peer, 10_000);
            next(CmEventType.ROUTE_RESOLVED);
            id.createQueuePair(domain, new QpAttributes(queue, queue, 1, 1, 0, 1));
            id.connect(ConnectParameters.DEFAULT, request);
            final DirectBuffer answer = next(CmEventType.REJECTED).privateData();
            id.queuePair().close();
            id.close();
            return answer;
        }

        private CmEvent next(final CmEventType type)
        {
            Await.until(type.text(), () ->
            {
                device.doWork();
                device.connectionManager().pollEvents(events::add);
                return !events.isEmpty();
            });
            assertThat(events.peek().type()).isEqualTo(type);
            return events.poll();
        }

        @Override
        public void close()
        {
            queue.close();
            domain.close();
            device.close();
        }
    }
}

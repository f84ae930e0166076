package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.Value;
import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.QueuePair;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each event of librdmacm does in each state of a connection, as a table: the event that is raised, the state that
 * follows, and whether the queue pair is ended.
 */
class VerbsStatesTest
{
    /**
     * <pre>
     *  .        nothing is raised and nothing changes
     *  NAME     that event is raised, nothing changes
     *  NAME!    that event is raised, the connection has ended, its queue pair is in the error state
     *  NAME>S   that event is raised, the state is S; without a name, nothing is raised
     * </pre>
     * An event in the column of itself is written as {@code same}. ROUTE_RESOLVED is librdmacm's second step, which
     * comes within our connect; our ROUTE_RESOLVED is its ADDR_RESOLVED.
     */
    private static final String TABLE = """
        event            IDLE  RESOLVING               RESOLVED ROUTING        CONNECTING       ESTABLISHED ENDED
        ADDR_RESOLVED    .     ROUTE_RESOLVED>RESOLVED .        .              .                .           .
        ADDR_ERROR       same! same!                   same!    same!          same!            same!       same!
        ROUTE_RESOLVED   .     .                       .        >CONNECTING    .                .           .
        ROUTE_ERROR      same! same!                   same!    CONNECT_ERROR! same!            same!       same!
        CONNECT_REQUEST  .     .                       .        .              .                .           .
        CONNECT_RESPONSE .     .                       .        .              .                .           .
        CONNECT_ERROR    same! same!                   same!    same!          same!            same!       same!
        UNREACHABLE      same! same!                   same!    same!          same!            same!       same!
        REJECTED         same! same!                   same!    same!          same!            same!       same!
        ESTABLISHED      same  same                    same     same           same>ESTABLISHED same        same
        DISCONNECTED     same  same                    same     same           same             same        same
        DEVICE_REMOVAL   same  same                    same     same           same             same        same
        MULTICAST_JOIN   .     .                       .        .              .                .           .
        MULTICAST_ERROR  .     .                       .        .              .                .           .
        ADDR_CHANGE      same  same                    same     same           same             same        same
        TIMEWAIT_EXIT    same  same                    same     same           same             same        same
        UNKNOWN          .     .                       .        .              .                .           .
        """;
    /** As above, of the side that is asked. */
    private static final String ASKED = """
        event            REQUESTED ACCEPTED
        ADDR_RESOLVED    .         .
        ADDR_ERROR       same!     same!
        ROUTE_RESOLVED   .         .
        ROUTE_ERROR      same!     same!
        CONNECT_REQUEST  .         .
        CONNECT_RESPONSE .         .
        CONNECT_ERROR    same!     same!
        UNREACHABLE      same!     same!
        REJECTED         same!     same!
        ESTABLISHED      same      same>ESTABLISHED
        DISCONNECTED     same      same
        DEVICE_REMOVAL   same      same
        MULTICAST_JOIN   .         .
        MULTICAST_ERROR  .         .
        ADDR_CHANGE      same      same
        TIMEWAIT_EXIT    same      same
        UNKNOWN          .         .
        """;
    /** Of librdmacm, in the order of their numbers. */
    private static final List<String> EVENTS = List.of("ADDR_RESOLVED", "ADDR_ERROR", "ROUTE_RESOLVED", "ROUTE_ERROR",
        "CONNECT_REQUEST", "CONNECT_RESPONSE", "CONNECT_ERROR", "UNREACHABLE", "REJECTED", "ESTABLISHED",
        "DISCONNECTED", "DEVICE_REMOVAL", "MULTICAST_JOIN", "MULTICAST_ERROR", "ADDR_CHANGE", "TIMEWAIT_EXIT",
        "UNKNOWN");
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final FakeRdma rdma = new FakeRdma();
    private final FakeConnection connection = new FakeConnection(rdma);
    private CmListener listener;
    private CmId asked;
    private QueuePair askedQueuePair;
    private long askedHandle;

    @AfterEach
    void nothingLeaks()
    {
        if (asked != null)
        {
            if (askedQueuePair != null)
            {
                askedQueuePair.close();
            }
            asked.close();
            listener.close();
        }
        connection.close();
        assertThat(rdma.leaks()).isEmpty();
        rdma.close();
    }

    static Stream<Arguments> cells()
    {
        return Stream.of(TABLE, ASKED).flatMap(VerbsStatesTest::cells);
    }

    private static Stream<Arguments> cells(final String table)
    {
        final List<String[]> rows = table.lines().map(line -> line.split(" +")).toList();
        assertThat(rows.stream().skip(1).map(row -> row[0]).toList()).isEqualTo(EVENTS);
        final List<Arguments> all = new ArrayList<>();
        for (final String[] row : rows.subList(1, rows.size()))
        {
            assertThat(row).hasSameSizeAs(rows.getFirst());
            for (int i = 1; i < row.length; i++)
            {
                all.add(Arguments.of(rows.getFirst()[i], row[0], row[i].replace("same", row[0])));
            }
        }
        return all.stream();
    }

    @Test
    void tableHasEveryState()
    {
        final String[] states = (TABLE.lines().findFirst().orElseThrow() + " " +
            ASKED.lines().findFirst().orElseThrow()).replace("event", "").strip().split(" +");
        assertThat(Arrays.asList(states)).containsExactlyInAnyOrderElementsOf(
            Arrays.stream(VerbsCmId.Phase.values()).map(Enum::name).toList());
    }

    @ParameterizedTest
    @MethodSource("cells")
    void event(final String state, final String event, final String expected)
    {
        final boolean connects = TABLE.lines().findFirst().orElseThrow().contains(state);
        bringTo(state);
        final CmId id = connects ? connection.id : asked;
        final QueuePair queuePair = connects ? connection.queuePair : askedQueuePair;
        assertThat(id).asString().endsWith("in state " + state);
        final QpState before = queuePair == null ? null : queuePair.state();
        connection.seen.clear();
        rdma.calls.clear();

        rdma.raise(EVENTS.indexOf(event), connects ? connection.handle : askedHandle, 0, 7);
        connection.poll();

        final boolean ends = expected.endsWith("!");
        final String[] parts = expected.replace("!", ">ENDED").split(">", 2);
        if (parts[0].isEmpty() || ".".equals(parts[0]))
        {
            assertThat(connection.seen).isEmpty();
        }
        else
        {
            assertThat(connection.seen).singleElement().satisfies(seen ->
            {
                assertThat(seen.type()).isEqualTo(CmEventType.valueOf(parts[0]));
                assertThat(seen.id()).isSameAs(id);
            });
        }
        assertThat(id).asString().endsWith("in state " + (parts.length == 1 ? state : parts[1]));
        if (queuePair != null)
        {
            assertThat(queuePair.state()).isEqualTo(ends ? QpState.ERR : before);
        }
        assertThat(rdma.calls.contains("rdma_connect")).isEqualTo(">CONNECTING".equals(expected));
        assertThat(rdma.calls).doesNotContain("rdma_destroy_id", "rdma_destroy_qp");
        // Whatever came, the owner can end it.
        id.disconnect();
        assertThat(id).asString().endsWith("in state " + (id.toString().endsWith("IDLE") ? "IDLE" : "ENDED"));
    }

    private void bringTo(final String state)
    {
        switch (state)
        {
            case "IDLE" ->
            {
            }
            case "RESOLVING" ->
            {
                connection.id.resolve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1);
                UnsafeApi.putLong(connection.handle + RdmaCmId.VERBS, rdma.context);
            }
            case "RESOLVED" -> connection.resolve().makeQueuePair();
            case "ROUTING" -> connection.resolve().makeQueuePair().connect();
            case "CONNECTING" ->
            {
                connection.resolve().makeQueuePair().connect();
                connection.raise(Value.RDMA_CM_EVENT_ROUTE_RESOLVED);
            }
            case "ESTABLISHED" -> connection.establish();
            case "ENDED" ->
            {
                connection.establish();
                connection.id.disconnect();
            }
            case "REQUESTED" -> ask();
            case "ACCEPTED" ->
            {
                ask();
                rdma.queuePairState = Value.QPS_RTS;
                asked.accept(ConnectParameters.DEFAULT, NOTHING);
            }
            default -> throw new IllegalArgumentException(state);
        }
    }

    private void ask()
    {
        listener = connection.device.connectionManager().listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4040), this);
        rdma.functions.get("rdma_create_id").call(0, rdma.allocate(8), 0, 0, 0);
        askedHandle = rdma.lastId;
        UnsafeApi.putLong(askedHandle + RdmaCmId.VERBS, rdma.context);
        SocketAddresses.write(askedHandle + RdmaCmId.ROUTE_ADDR_DST_ADDR, InetAddress.getLoopbackAddress(), 5050);
        rdma.raise(Value.RDMA_CM_EVENT_CONNECT_REQUEST, askedHandle, ((VerbsCmListener) listener).handle(), 0);
        connection.poll();
        asked = connection.seen.getLast().id();
        askedQueuePair = asked.createQueuePair(connection.domain,
            new QpAttributes(connection.queue, connection.queue, 16, 16, 0, 12));
    }
}

package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.Value;
import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Errno;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import java.net.InetAddress;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An unknown device is tried for writes with immediate when it is opened, and nothing is left of the trial.
 */
class ImmediateProbeTest
{
    private final FakeRdma rdma = new FakeRdma();
    private long listener;
    private long connector;
    private long acceptor;

    @AfterEach
    void nothingLeaks()
    {
        assertThat(rdma.leaks()).isEmpty();
        rdma.close();
    }

    /** The connection manager of one host that connects to itself. */
    private void connectToItself()
    {
        rdma.functions.put("rdma_listen", (id, backlog, c, d, e) ->
        {
            listener = id;
            return 0;
        });
        rdma.functions.put("rdma_resolve_addr", (id, from, to, timeout, e) ->
        {
            connector = id;
            UnsafeApi.putLong(id + RdmaCmId.VERBS, rdma.context);
            rdma.raise(Value.RDMA_CM_EVENT_ADDR_RESOLVED, id, 0, 0);
            return 0;
        });
        rdma.functions.put("rdma_resolve_route", (id, timeout, c, d, e) ->
        {
            rdma.raise(Value.RDMA_CM_EVENT_ROUTE_RESOLVED, id, 0, 0);
            return 0;
        });
        rdma.functions.put("rdma_connect", (id, at, c, d, e) ->
        {
            final long to = rdma.allocate(8);
            rdma.functions.get("rdma_create_id").call(0, to, 0, 0, 0);
            acceptor = UnsafeApi.getLong(to);
            UnsafeApi.putLong(acceptor + RdmaCmId.VERBS, rdma.context);
            SocketAddresses.write(acceptor + RdmaCmId.ROUTE_ADDR_DST_ADDR, InetAddress.getLoopbackAddress(), 5050);
            rdma.raise(Value.RDMA_CM_EVENT_CONNECT_REQUEST, acceptor, listener, 0);
            return 0;
        });
        rdma.functions.put("rdma_accept", (id, at, c, d, e) ->
        {
            rdma.raise(Value.RDMA_CM_EVENT_ESTABLISHED, id, 0, 0);
            rdma.raise(Value.RDMA_CM_EVENT_ESTABLISHED, connector, 0, 0);
            return 0;
        });
    }

    private boolean writesWithImm()
    {
        final VerbsDevice device = VerbsDevice.open(rdma.library(), FakeRdma.OPTIONS.withProbe(true));
        final boolean result = device.limits().writeWithImm();
        assertThat(device.resources().toString()).isEqualTo("none");
        device.close();
        return result;
    }

    @ParameterizedTest
    @CsvSource({"0, 0, true", "0, 9, false", "22, 0, false", "-22, 0, false"})
    void deviceIsBelievedByWhatItDoes(final int post, final int status, final boolean works)
    {
        connectToItself();
        rdma.onSend = (chain, bad) ->
        {
            UnsafeApi.putLong(bad, chain.getFirst().at());
            rdma.completions.add(new FakeRdma.Wc(1, status, WcOpcode.RDMA_WRITE, 1, 0));
            rdma.completions.add(
                new FakeRdma.Wc(0, status, WcOpcode.RECV_RDMA_WITH_IMM, 1, chain.getFirst().imm()));
            return post;
        };
        assertThat(writesWithImm()).isEqualTo(works);
        assertThat(rdma.sends).hasSize(1);
        assertThat(rdma.sends.getFirst().opcode()).isEqualTo(Value.WR_RDMA_WRITE_WITH_IMM);
        rdma.completions.clear();
    }

    @Test
    void receiveWithoutTheImmediateIsANo()
    {
        connectToItself();
        rdma.onSend = (chain, bad) ->
        {
            rdma.completions.add(new FakeRdma.Wc(0, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, 1, 0));
            return Errno.OK;
        };
        assertThat(writesWithImm()).isFalse();
    }

    @Test
    void connectionThatFailsIsANo()
    {
        connectToItself();
        rdma.functions.put("rdma_connect", (id, at, c, d, e) -> FakeRdma.fail(Errno.EINVAL, -1));
        assertThat(writesWithImm()).isFalse();
    }

    @Test
    void listenerThatFailsIsANo()
    {
        rdma.functions.put("rdma_listen", (id, backlog, c, d, e) -> FakeRdma.fail(Errno.EADDRINUSE, -1));
        assertThat(writesWithImm()).isFalse();
    }
}

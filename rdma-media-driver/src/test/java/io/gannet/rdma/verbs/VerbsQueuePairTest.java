package io.gannet.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.Errno;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The data path against a provider that does what real ones do rarely.
 */
class VerbsQueuePairTest
{
    private final FakeRdma rdma = new FakeRdma();
    private final FakeConnection connection = new FakeConnection(rdma);
    private final WorkCompletions completions = new WorkCompletions(8);

    @AfterEach
    void nothingLeaks()
    {
        connection.close();
        assertThat(rdma.leaks()).isEmpty();
        rdma.close();
    }

    private int poll()
    {
        return connection.queue.poll(completions);
    }

    @Test
    void batchIsOneChainOfRequestsAsTheProviderReadsThem()
    {
        connection.establish();
        connection.queuePair.addWriteWithImm(
            7, SendFlags.SIGNALED, 0x1000, 100, 3, 0x1234_5678_9abcL, 0xcafe, 0x1234_5678);
        connection.queuePair.addWrite(8, SendFlags.NONE, 0x2000, 0, 4, 0, 0);
        connection.queuePair.addSend(9, SendFlags.INLINE, 0x3000, 44, 0);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        assertThat(connection.queuePair.accepted()).isEqualTo(3);
        assertThat(rdma.sends).extracting(FakeRdma.Wr::id).containsExactly(7L, 8L, 9L);
        assertThat(rdma.sends).extracting(FakeRdma.Wr::opcode).containsExactly(1, 0, 2);
        assertThat(rdma.sends).extracting(FakeRdma.Wr::flags).containsExactly(2, 0, 8);
        assertThat(rdma.sends).extracting(FakeRdma.Wr::local).containsExactly(0x1000L, 0L, 0x3000L);
        assertThat(rdma.sends).extracting(FakeRdma.Wr::length).containsExactly(100, 0, 44);
        final FakeRdma.Wr first = rdma.sends.getFirst();
        assertThat(first.imm()).isEqualTo(0x7856_3412);
        assertThat(first.remote()).isEqualTo(0x1234_5678_9abcL);
        assertThat(first.rkey()).isEqualTo(0xcafe);
        assertThat(first.lkey()).isEqualTo(3);

        rdma.sends.clear();
        for (int i = 0; i < 5; i++)
        {
            connection.write(i, SendFlags.NONE, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        assertThat(rdma.sends).as("the chain is whole again").hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, -Errno.ENOMEM})
    void providerThatIsFullTakesTheStartOfTheChain(final int result)
    {
        connection.establish();
        rdma.onSend = (chain, bad) ->
        {
            UnsafeApi.putLong(bad, chain.get(2).at());
            return result;
        };
        for (int i = 0; i < 4; i++)
        {
            connection.write(i, SendFlags.SIGNALED, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.ENOMEM);
        assertThat(connection.queuePair.accepted()).isEqualTo(2);

        rdma.onSend = (chain, bad) -> 0;
        for (int i = 0; i < FakeConnection.DEPTH - 2; i++)
        {
            connection.write(10 + i, SendFlags.SIGNALED, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).as("what was refused takes no slots").isEqualTo(Errno.OK);
        connection.complete(0, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE);
        connection.complete(1, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE);
        assertThat(poll()).isEqualTo(2);
        for (int i = 0; i < 3; i++)
        {
            connection.write(30 + i, SendFlags.SIGNALED, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.ENOMEM);
        assertThat(connection.queuePair.accepted()).isEqualTo(2);
    }

    @Test
    void providerThatRefusesWithoutSayingWhichIsNotBelieved()
    {
        connection.establish();
        rdma.onSend = (chain, bad) -> Errno.ENOMEM;
        connection.write(1, SendFlags.NONE, 8);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.EIO);
        assertThat(connection.queuePair.accepted()).isZero();
        rdma.onSend = (chain, bad) ->
        {
            UnsafeApi.putLong(bad, chain.get(0).at() + 8);
            return Errno.EINVAL;
        };
        connection.write(1, SendFlags.NONE, 8);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.EIO);
    }

    @Test
    void depthIsKeptByAccountsNotByTheProvider()
    {
        connection.establish();
        for (int i = 0; i < FakeConnection.DEPTH; i++)
        {
            connection.write(i, i == 7 ? SendFlags.SIGNALED : SendFlags.NONE, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        connection.write(99, SendFlags.SIGNALED, 8);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.ENOMEM);
        assertThat(rdma.sends).hasSize(FakeConnection.DEPTH);

        connection.complete(7, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE);
        assertThat(poll()).isEqualTo(1);
        for (int i = 0; i < 9; i++)
        {
            connection.write(100 + i, SendFlags.SIGNALED, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.ENOMEM);
        assertThat(connection.queuePair.accepted()).as("the signaled one confirmed those before it").isEqualTo(8);
    }

    @Test
    void completionsThatComeLateAndInBulkFreeAllSlots()
    {
        connection.establish();
        for (int round = 0; round < 1_000; round++)
        {
            for (int i = 0; i < FakeConnection.DEPTH; i++)
            {
                connection.write(i, i % 4 == 3 ? SendFlags.SIGNALED : SendFlags.NONE, 8);
                if (i % 4 == 3)
                {
                    connection.complete(i, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE);
                }
            }
            assertThat(connection.queuePair.ringDoorbell()).as("round %d", round).isEqualTo(Errno.OK);
            connection.write(99, SendFlags.NONE, 8);
            assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.ENOMEM);
            assertThat(poll()).isEqualTo(4);
        }
        assertThat(rdma.sends).hasSize(1_000 * FakeConnection.DEPTH);
    }

    @Test
    void flushIsTakenByItsStatusAndWhatFollowsIsPosted()
    {
        connection.establish();
        for (int i = 0; i < FakeConnection.DEPTH; i++)
        {
            connection.write(i, SendFlags.NONE, 8);
        }
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        connection.complete(0, WcStatus.RETRY_EXC_ERR, WcOpcode.SEND);
        connection.complete(1, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND);
        assertThat(poll()).isEqualTo(2);
        assertThat(completions.status(0)).isEqualTo(WcStatus.RETRY_EXC_ERR);
        connection.write(50, SendFlags.NONE, 8);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        assertThat(rdma.sends).hasSize(FakeConnection.DEPTH + 1);
    }

    @Test
    void receivesAreCountedToo()
    {
        connection.resolve().makeQueuePair();
        for (int i = 0; i < FakeConnection.DEPTH + 1; i++)
        {
            connection.queuePair.addReceive(i, i == 3 ? 0x4000 : 0, i == 3 ? 64 : 0, 5);
        }
        assertThat(connection.queuePair.postReceives()).isEqualTo(Errno.ENOMEM);
        assertThat(connection.queuePair.acceptedReceives()).isEqualTo(FakeConnection.DEPTH);
        assertThat(rdma.receives).hasSize(FakeConnection.DEPTH);
        assertThat(rdma.receives.get(3)).isEqualTo(
            new FakeRdma.Wr(rdma.receives.get(3).at(), 3, 0, 0, 0, 0, 0, 0x4000, 64, 5));
        connection.complete(0, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(poll()).isEqualTo(1);
        connection.queuePair.addReceive(100, 0, 0, 0);
        connection.queuePair.addReceive(101, 0, 0, 0);
        assertThat(connection.queuePair.postReceives()).isEqualTo(Errno.ENOMEM);
        assertThat(connection.queuePair.acceptedReceives()).isEqualTo(1);
    }

    @Test
    void nothingIsPostedBeforeTheConnectionStands()
    {
        connection.resolve().makeQueuePair();
        connection.write(1, SendFlags.NONE, 8);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.EINVAL);
        connection.queuePair.close();
        connection.write(1, SendFlags.NONE, 8);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.EINVAL);
        connection.queuePair.addReceive(1, 0, 0, 0);
        assertThat(connection.queuePair.postReceives()).isEqualTo(Errno.EINVAL);
        assertThat(rdma.sends).isEmpty();
        assertThat(rdma.receives).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"-1", "8388609"})
    void lengthsOutOfRangeNeverReachTheProvider(final int length)
    {
        connection.establish();
        connection.write(1, SendFlags.NONE, length);
        assertThat(connection.queuePair.ringDoorbell()).isEqualTo(Errno.EINVAL);
        connection.queuePair.addReceive(1, 0, -1, 0);
        assertThat(connection.queuePair.postReceives()).isEqualTo(Errno.EINVAL);
        assertThat(rdma.sends).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -2, -12, 9, 1000})
    void pollThatFailsOrOverfillsBreaksTheQueue(final int result)
    {
        connection.establish();
        UnsafeApi.putLong(
            rdma.context + Abi.IbvContext.OPS_POLL_CQ, rdma.stub((queue, count, to, d, e) -> result));
        connection.close();
        try (FakeConnection other = new FakeConnection(rdma))
        {
            assertThat(other.queue.poll(completions)).isEqualTo(-Errno.EIO);
        }
    }

    @Test
    void overrunEndsAllQueuePairsOfTheQueue()
    {
        connection.establish();
        assertThat(connection.queuePair.state()).isEqualTo(QpState.RTS);
        rdma.asyncEvents.add(new long[]{
            Abi.Value.EVENT_CQ_ERR, ((VerbsCompletionQueue) connection.queue).handle()});
        rdma.asyncEvents.add(new long[]{Abi.Value.EVENT_CQ_ERR, 0x1234});
        rdma.asyncEvents.add(new long[]{Abi.Value.EVENT_PORT_ERR, 1});
        rdma.asyncEvents.add(new long[]{14, 0});
        final List<String> seen = new ArrayList<>();
        while (seen.size() < 2)
        {
            connection.device.pollAsyncEvents((type, number, queue) -> seen.add(
                type + " " + number + " " + connection.queue.equals(queue)));
        }
        assertThat(seen).containsExactly(AsyncEventType.CQ_ERR + " 0 true", AsyncEventType.PORT_ERR + " 1 false");
        assertThat(connection.queuePair.state()).isEqualTo(QpState.ERR);
        assertThat(poll()).isEqualTo(-Errno.EIO);
    }

    @Test
    void eachEventOfAChannelIsAcknowledged()
    {
        final CompletionChannel channel = connection.device.createCompletionChannel();
        final CompletionQueue queue = connection.device.createCompletionQueue(8, channel);
        rdma.cqEvents = 3;
        assertThat(queue.arm()).isEqualTo(Errno.OK);
        assertThat(channel.drain()).isEqualTo(3);
        assertThat(rdma.eventsAcknowledged).isEqualTo(3);
        assertThat(channel.drain()).isZero();
        queue.close();
        channel.close();
    }

    @ParameterizedTest
    @CsvSource({"220,512,220", "220,101,101", "220,100,96", "64,0,0", "512,16,16", "0,512,0"})
    void inlineIsTriedDownwardUntilGranted(final int asked, final int device, final int granted)
    {
        rdma.mostInline = device;
        connection.resolve();
        connection.queuePair = connection.id.createQueuePair(
            connection.domain, new QpAttributes(connection.queue, connection.queue, 16, 16, asked, 12));
        assertThat(connection.queuePair.maxInline()).isEqualTo(granted);
    }

    @Test
    void rnrTimerAndAccessAreSetOnceConnected()
    {
        final List<Integer> set = new ArrayList<>();
        rdma.functions.put("ibv_modify_qp", (qp, at, mask, d, e) ->
        {
            set.add((int) mask);
            set.add((int) UnsafeApi.getByte(at + Abi.IbvQpAttr.MIN_RNR_TIMER));
            set.add(UnsafeApi.getInt(at + Abi.IbvQpAttr.QP_ACCESS_FLAGS));
            return 0;
        });
        connection.establish();
        assertThat(set).containsExactly(32768 | 8, 12, 2);
        rdma.functions.put("ibv_modify_qp", (qp, at, mask, d, e) -> 0);
    }
}

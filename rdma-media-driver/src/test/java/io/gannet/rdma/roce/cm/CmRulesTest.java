package io.gannet.rdma.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.QpSettings;
import io.gannet.rdma.roce.wire.CmDreq;
import io.gannet.rdma.roce.wire.CmRej;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two agents under virtual time.
 */
class CmRulesTest
{
    private static final Gid HERE = Gid.ofIpv4(0x7f000001);
    private static final Gid THERE = Gid.ofIpv4(0x7f000002);
    private static final Gid ELSEWHERE = Gid.ofIpv4(0x7f000003);
    private static final UnsafeBuffer NO_DATA = new UnsafeBuffer(new byte[0]);
    private static final CmOffer ASKED = new CmOffer(0x21, 100, 5, 6, 14, 0x68);
    private static final CmOffer ANSWERED = new CmOffer(0x22, 200, 1, 4, 20, 0);
    private static final int PORT = 4711;
    private static final long STEP = 50_000_000L;

    private final AgentHarness a = new AgentHarness(HERE, 5);
    private final AgentHarness b = new AgentHarness(THERE, 5);
    private long now = 1_000_000_000L;

    CmRulesTest()
    {
        b.caGuid = 8;
        b.agent.listen(PORT, this);
    }

    static LongStream seeds()
    {
        return LongStream.range(0, 200);
    }

    @Test
    void bothSidesLearnWhatTheirQueuePairsNeed()
    {
        connect();
        assertThat(a.connection.settings()).isEqualTo(new QpSettings(4096, 0x22, 200, 100, 14, 5, 4));
        assertThat(b.connection.settings()).isEqualTo(new QpSettings(4096, 0x21, 100, 200, 14, 5, 6));
        assertThat(b.connection.trafficClass()).isEqualTo(0x68);
        assertThat(b.connection.flowLabel()).isEqualTo(a.connection.flowLabel());
        assertThat(b.connection.peerPort()).isEqualTo(50_000);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void connectionsAreMadeAndEndedOverALossyNetwork(final long seed)
    {
        final Random random = new Random(seed);
        request();
        for (int i = 0; i < 2_000 && !(a.events.contains("established") && b.events.contains("established")); i++)
        {
            step(random, 0.4);
            if (b.connection != null && b.connection.state() == CmState.REQ_RECEIVED && random.nextInt(5) == 0)
            {
                b.agent.accept(b.connection, ANSWERED, NO_DATA, now);
            }
        }
        assertThat(a.events).as("seed %d", seed).containsExactly("reply", "established");
        assertThat(b.events).as("seed %d", seed).containsExactly("request", "established");
        a.agent.disconnect(a.connection, now);
        if (random.nextBoolean())
        {
            b.agent.disconnect(b.connection, now);
        }
        for (int i = 0; i < 2_000 && a.agent.size() + b.agent.size() > 0; i++)
        {
            step(random, 0.2);
        }
        assertThat(a.agent.size() + b.agent.size()).as("seed %d", seed).isZero();
        assertThat(a.events.getLast()).startsWith("disconnected");
        assertThat(b.events.getLast()).startsWith("disconnected");
    }

    @Test
    void aPeerThatNeverAnswersIsUnreachable()
    {
        request();
        a.sent.clear();
        int repeats = 0;
        for (int i = 0; i < 3_000 && a.events.isEmpty(); i++)
        {
            now += STEP;
            a.agent.onTime(now);
            repeats += a.sent.size();
            a.sent.clear();
        }
        assertThat(repeats).isEqualTo(15);
        assertThat(a.events).containsExactly("unreachable");
        assertThat(a.agent.size()).isZero();
    }

    @Test
    void dataStandsForALostRtu()
    {
        request();
        deliver(a, b);
        b.agent.accept(b.connection, ANSWERED, NO_DATA, now);
        b.sent.clear();
        b.heard = true;
        now += STEP;
        b.agent.onTime(now);
        assertThat(b.events).containsExactly("request", "established");
        assertThat(b.sent).isEmpty();
    }

    @Test
    void aRequestThatIsThoughtOverIsNotRepeatedAfterAnMra()
    {
        request();
        final AgentHarness.Sent req = a.sent.peek();
        deliver(a, b);
        b.agent.onMad(HERE, new UnsafeBuffer(req.mad()), 0, now);
        assertThat(b.sent.peek().attribute()).isEqualTo(Mad.MRA);
        deliver(b, a);
        for (int i = 0; i < 1_000; i++)
        {
            now += STEP;
            a.agent.onTime(now);
        }
        assertThat(a.sent).isEmpty();
        b.agent.accept(b.connection, ANSWERED, NO_DATA, now);
        exchange();
        assertThat(a.events).containsExactly("reply", "established");
    }

    @Test
    void anApplicationThatCannotUseTheReplyRefusesIt()
    {
        a.agrees = false;
        request();
        deliver(a, b);
        b.agent.accept(b.connection, ANSWERED, NO_DATA, now);
        exchange();
        assertThat(b.events).containsExactly("request", "rejected " + CmRej.CONSUMER);
        assertThat(a.agent.size() + b.agent.size()).isZero();
    }

    @Test
    void messagesFromAnotherAddressThanThePeersChangeNothing()
    {
        connect();
        final UnsafeBuffer mad = new UnsafeBuffer(new byte[Mad.SIZE]);
        CmMessages.dreq(mad, a.connection, 5);
        b.agent.onMad(ELSEWHERE, mad, 0, now);
        CmMessages.rej(mad, 5, a.connection.localId, b.connection.localId, 2, CmRej.CONSUMER, 0);
        b.agent.onMad(ELSEWHERE, mad, 0, now);
        assertThat(b.connection.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(b.counters.get(Counter.DROP_CM)).isEqualTo(2);

        request();
        final UnsafeBuffer req = new UnsafeBuffer(a.sent.poll().mad());
        final int before = b.agent.size();
        b.agent.onMad(ELSEWHERE, req, 0, now);
        assertThat(b.agent.size()).isEqualTo(before);
    }

    @Test
    void aDisconnectForAnotherQueuePairIsIgnored()
    {
        connect();
        final UnsafeBuffer mad = new UnsafeBuffer(new byte[Mad.SIZE]);
        CmMessages.dreq(mad, a.connection, 5);
        CmDreq.write(mad, Mad.BODY, 0x23);
        b.agent.onMad(HERE, mad, 0, now);
        assertThat(b.connection.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(b.sent).isEmpty();
    }

    @Test
    void aDisconnectOfNothingIsAnsweredWithoutMakingState()
    {
        connect();
        final UnsafeBuffer mad = new UnsafeBuffer(new byte[Mad.SIZE]);
        CmMessages.dreq(mad, a.connection, 5);
        b.agent.onMad(HERE, mad, 0, now);
        b.sent.clear();
        b.agent.onMad(HERE, mad, 0, now);
        assertThat(b.sent.poll().attribute()).isEqualTo(Mad.DREP);
        assertThat(b.agent.size()).isZero();
        assertThat(b.events).containsExactly("request", "established", "disconnected");
    }

    @Test
    void aRestartedPeerEndsItsOldConnection()
    {
        connect();
        final CmConnection old = b.connection;
        final AgentHarness again = new AgentHarness(HERE, 5);
        again.commIds.add(999_999);
        again.connection = again.agent.request(THERE, PORT, 50_001, ASKED, NO_DATA, now);
        deliver(again, b);
        assertThat(old.state()).isEqualTo(CmState.CLOSED);
        assertThat(b.events).containsExactly("request", "established", "disconnected");
        deliver(b, again);
        assertThat(again.events).containsExactly("rejected " + CmRej.STALE_CONNECTION);
    }

    @Test
    void aFloodOfRequestsMakesBoundedState()
    {
        flood(HERE, 10_000);
        assertThat(b.agent.size()).isEqualTo(CmAgent.MAX_HALF_OPEN_OF_PEER);
        assertThat(b.counters.get(Counter.DROP_CM_FLOOD)).isEqualTo(10_000 - CmAgent.MAX_HALF_OPEN_OF_PEER);
        flood(ELSEWHERE, 1_000);
        assertThat(b.agent.size()).as("others have what one leaves").isEqualTo(CmAgent.MAX_HALF_OPEN);
        assertThat(b.counters.get(Counter.DROP_CM_FLOOD)).isEqualTo(11_000 - CmAgent.MAX_HALF_OPEN);
    }

    private void flood(final Gid from, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final AgentHarness one = new AgentHarness(from, 5);
            one.caGuid = i + 100L;
            one.agent.request(THERE, PORT, 50_000, ASKED, NO_DATA, now);
            while (!one.sent.isEmpty())
            {
                b.agent.onMad(from, new UnsafeBuffer(one.sent.poll().mad()), 0, now);
            }
        }
    }

    @Test
    void whatIsAbandonedIsOverForThePeerToo()
    {
        request();
        deliver(a, b);
        a.agent.abandon(a.connection, now);
        exchange();
        assertThat(b.events).containsExactly("request", "rejected " + CmRej.TIMEOUT);

        final CmRulesTest second = new CmRulesTest();
        second.request();
        second.deliver(second.a, second.b);
        second.b.agent.abandon(second.b.connection, now);
        second.exchange();
        assertThat(second.a.events).containsExactly("rejected " + CmRej.CONSUMER);

        final CmRulesTest third = new CmRulesTest();
        third.connect();
        third.a.agent.abandon(third.a.connection, now);
        third.exchange();
        assertThat(third.b.events).containsExactly("request", "established", "disconnected");
        assertThat(third.a.events).containsExactly("reply", "established");
        assertThat(third.a.agent.size() + third.b.agent.size()).isZero();
    }

    private void request()
    {
        a.connection = a.agent.request(THERE, PORT, 50_000, ASKED, NO_DATA, now);
    }

    private void connect()
    {
        request();
        deliver(a, b);
        b.agent.accept(b.connection, ANSWERED, NO_DATA, now);
        exchange();
        assertThat(a.events).containsExactly("reply", "established");
        assertThat(b.events).containsExactly("request", "established");
    }

    private void exchange()
    {
        while (!a.sent.isEmpty() || !b.sent.isEmpty())
        {
            deliver(a, b);
            deliver(b, a);
        }
    }

    private void step(final Random random, final double loss)
    {
        now += STEP;
        a.agent.onTime(now);
        b.agent.onTime(now);
        lose(a, random, loss);
        lose(b, random, loss);
        deliver(a, b);
        deliver(b, a);
    }

    private static void lose(final AgentHarness side, final Random random, final double loss)
    {
        side.sent.removeIf(each -> random.nextDouble() < loss);
        side.sent.addAll(side.sent.stream().filter(each -> random.nextInt(10) == 0).toList());
    }

    private void deliver(final AgentHarness from, final AgentHarness to)
    {
        final Gid source = to == b ? HERE : THERE;
        while (!from.sent.isEmpty())
        {
            to.agent.onMad(source, new UnsafeBuffer(from.sent.poll().mad()), 0, now);
        }
    }
}

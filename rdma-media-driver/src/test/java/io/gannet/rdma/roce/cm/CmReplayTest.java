package io.gannet.rdma.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.roce.capture.Capture;
import io.gannet.rdma.roce.capture.Frame;
import io.gannet.rdma.roce.wire.CmIds;
import io.gannet.rdma.roce.wire.CmRej;
import io.gannet.rdma.roce.wire.CmRep;
import io.gannet.rdma.roce.wire.CmReq;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.RdmaCmHeader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Feeds the agent with one side's messages of each capture and expects the other side's, byte for byte.
 */
class CmReplayTest
{
    private static final int MTU_4096 = 5;
    private static final int PORT = 7471;
    private static final int RESPONDER_RESOURCES = Mad.BODY + 35;
    private static final int INITIATOR_DEPTH = Mad.BODY + 39;
    private static final int REP_RESOURCES = Mad.BODY + 24;

    private static final Map<String, Set<Integer>> LOST = Map.of(
        "cm-lost-req", Set.of(1), "cm-lost-rep", Set.of(2), "cm-lost-rtu", Set.of(3));
    /** Messages that the network copied. */
    private static final Map<String, Set<Integer>> COPIES = Map.of("cm-duplicate", Set.of(2, 5, 7, 12, 14));

    @ParameterizedTest
    @ValueSource(strings = {
        "cm-connect", "cm-connect-ipv6", "cm-reject", "cm-no-listener", "cm-duplicate", "cm-lost-req", "cm-lost-rep",
        "cm-lost-rtu" })
    void acceptsAsTheKernelDid(final String capture)
    {
        final List<Frame> frames = messages(capture);
        final Frame req = frames.getFirst();
        final AgentHarness side = new AgentHarness(req.target(), MTU_4096);
        if (!capture.equals("cm-no-listener"))
        {
            side.agent.listen(PORT, this);
        }
        for (final Frame frame : frames)
        {
            if (frame.source().equals(req.source()))
            {
                script(side, frames, req);
                deliver(capture, side, frame);
            }
            else if (!isCopy(capture, frame) || attribute(frame) == Mad.DREP)
            {
                // each DREQ gets its DREP from us; the kernel was silent to the copy, but the network made two of one
                answer(side, frame);
                expect(capture, side, frame);
            }
        }
        assertThat(side.sent).isEmpty();
        assertThat(side.events).containsExactlyElementsOf(switch (capture)
        {
            case "cm-no-listener" -> List.of();
            case "cm-reject" -> List.of("request");
            case "cm-lost-rtu" -> List.of("request", "disconnected");
            default -> List.of("request", "established", "disconnected");
        });
        assertThat(side.agent.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "cm-connect", "cm-connect-ipv6", "cm-reject", "cm-no-listener", "cm-duplicate", "cm-lost-req", "cm-lost-rep",
        "cm-lost-rtu" })
    void connectsAsTheKernelDid(final String capture)
    {
        final List<Frame> frames = messages(capture);
        final Frame req = frames.getFirst();
        final AgentHarness side = new AgentHarness(req.source(), MTU_4096);
        for (final Frame frame : frames)
        {
            if (!frame.source().equals(req.source()))
            {
                deliver(capture, side, frame);
            }
            else if (!isCopy(capture, frame))
            {
                ask(side, frame);
                expect(capture, side, frame);
            }
        }
        assertThat(side.sent).isEmpty();
        assertThat(side.events).containsExactlyElementsOf(switch (capture)
        {
            case "cm-no-listener" -> List.of("rejected 8");
            case "cm-reject" -> List.of("rejected 28");
            default -> List.of("reply", "established", "disconnected");
        });
        assertThat(side.agent.size()).isZero();
    }

    @Test
    void privateDataArrivesBothWays()
    {
        final List<Frame> frames = messages("cm-connect");
        final AgentHarness acceptor = new AgentHarness(frames.getFirst().target(), MTU_4096);
        acceptor.agent.listen(PORT, this);
        deliver("", acceptor, frames.getFirst());
        assertThat(new String(acceptor.privateData, StandardCharsets.US_ASCII))
            .contains("client-private-data").hasSize(RdmaCmHeader.USER_DATA_SIZE);
        final AgentHarness connector = new AgentHarness(frames.getFirst().source(), MTU_4096);
        ask(connector, frames.getFirst());
        deliver("", connector, frames.get(1));
        assertThat(new String(connector.privateData, StandardCharsets.US_ASCII))
            .contains("server-private-data").hasSize(CmRep.PRIVATE_DATA_SIZE);
    }

    @Test
    void judgesRequestsAsTheKernelDid()
    {
        final List<Frame> frames = messages("cm-variants");
        final AgentHarness side = new AgentHarness(frames.getFirst().target(), MTU_4096);
        side.agent.listen(PORT, this);
        // dropped below the agent: ICRC, P_Key, Q_Key, TVer
        final Set<Long> below = Set.of(0xa001L, 0xa003L, 0xa004L, 0xa008L);
        // judged more strictly than by the kernel, which accepts path MTU 0 and another's address, or says 28 to MTU 7
        final Map<Long, String> stricter = Map.of(
            0xa010L, "REJ 26", 0xa012L, "REJ 26", 0xa01dL, "REJ 28");
        int answers = 0;
        for (int i = 0; i < frames.size(); i++)
        {
            final Frame frame = frames.get(i);
            if (!frame.source().equals(frames.getFirst().source()))
            {
                continue;
            }
            final long id = Mad.transactionId(mad(frame), 0) & 0xffff;
            if (below.contains(id) || (stricter.containsKey(id) && attribute(frame) != Mad.REQ))
            {
                continue;
            }
            final int before = side.events.size();
            deliver("", side, frame);
            if (side.events.size() > before && side.events.getLast().equals("request"))
            {
                side.agent.accept(
                    side.connection, new CmOffer(3, 4, 7, 7, 14, 0), new UnsafeBuffer(new byte[0]), frame.nanos());
            }
            final String expected = stricter.containsKey(id) ? stricter.get(id) : answerOf(frames, i);
            final String actual = side.sent.isEmpty() ? "none" : describe(side.sent.poll().mad());
            assertThat(actual).as("frame %d, tid %x", frame.number(), id).isEqualTo(expected);
            answers += expected.equals("none") ? 0 : 1;
        }
        assertThat(side.sent).isEmpty();
        assertThat(answers).isGreaterThan(30);
    }

    private static String answerOf(final List<Frame> frames, final int index)
    {
        if (attribute(frames.get(index)) != Mad.REQ || index + 1 == frames.size())
        {
            return "none";
        }
        final Frame next = frames.get(index + 1);
        final boolean isAnswer = !next.source().equals(frames.get(index).source());
        return isAnswer ? describe(mad(next).byteArray()) : "none";
    }

    private static String describe(final byte[] bytes)
    {
        final UnsafeBuffer mad = new UnsafeBuffer(Arrays.copyOfRange(bytes, 0, bytes.length));
        return switch (Mad.attribute(mad, 0))
        {
            case Mad.REP -> "REP";
            case Mad.REJ -> "REJ " + CmRej.reason(mad, Mad.BODY);
            default -> "attribute " + Mad.attribute(mad, 0);
        };
    }

    private static void script(final AgentHarness side, final List<Frame> frames, final Frame req)
    {
        final UnsafeBuffer answer = frames.stream()
            .filter(f -> !f.source().equals(req.source()) && attribute(f) != Mad.DREP)
            .map(CmReplayTest::mad).findFirst().orElseThrow();
        if (side.connection == null && CmIds.local(answer, Mad.BODY) != 0)
        {
            side.commIds.clear();
            side.commIds.add(CmIds.local(answer, Mad.BODY));
        }
    }

    private static void answer(final AgentHarness side, final Frame frame)
    {
        if (!side.sent.isEmpty())
        {
            return;
        }
        final UnsafeBuffer mad = mad(frame);
        final int body = Mad.BODY;
        final boolean undecided = side.connection != null && side.connection.state() == CmState.REQ_RECEIVED;
        if (attribute(frame) == Mad.REP && undecided)
        {
            side.caGuid = CmRep.caGuid(mad, body);
            final CmOffer offer = new CmOffer(
                CmRep.qpn(mad, body), CmRep.startingPsn(mad, body), 0, CmRep.rnrRetryCount(mad, body), 0, 0);
            side.agent.accept(
                side.connection, offer,
                new UnsafeBuffer(mad, body + CmRep.PRIVATE_DATA, CmRep.PRIVATE_DATA_SIZE), frame.nanos());
        }
        else if (attribute(frame) == Mad.REJ && undecided)
        {
            side.agent.reject(
                side.connection, new UnsafeBuffer(mad, body + CmRej.PRIVATE_DATA, CmRej.PRIVATE_DATA_SIZE));
        }
        else
        {
            side.agent.onTime(frame.nanos());
        }
    }

    private static void ask(final AgentHarness side, final Frame frame)
    {
        final UnsafeBuffer mad = mad(frame);
        final int body = Mad.BODY;
        side.transactionId = Mad.transactionId(mad, 0);
        if (attribute(frame) == Mad.REQ && side.connection == null)
        {
            final int header = body + CmReq.PRIVATE_DATA;
            side.caGuid = CmReq.caGuid(mad, body);
            side.commIds.add(CmIds.local(mad, body));
            final CmOffer offer = new CmOffer(
                CmReq.qpn(mad, body), CmReq.startingPsn(mad, body), CmReq.retryCount(mad, body),
                CmReq.rnrRetryCount(mad, body), CmReq.ackTimeout(mad, body), CmReq.trafficClass(mad, body));
            side.connection = side.agent.request(
                frame.target(), (int) CmReq.serviceId(mad, body) & 0xffff, RdmaCmHeader.sourcePort(mad, header),
                offer, new UnsafeBuffer(mad, header + RdmaCmHeader.SIZE, RdmaCmHeader.USER_DATA_SIZE),
                frame.nanos());
        }
        else if (attribute(frame) == Mad.DREQ)
        {
            side.agent.disconnect(side.connection, frame.nanos());
        }
        else if (side.sent.isEmpty())
        {
            side.agent.onTime(frame.nanos());
        }
    }

    private static void deliver(final String capture, final AgentHarness side, final Frame frame)
    {
        if (!LOST.getOrDefault(capture, Set.of()).contains(frame.number()))
        {
            side.agent.onMad(frame.source(), frame.buffer(), Mad.PACKET_OFFSET, frame.nanos());
        }
    }

    private static void expect(final String capture, final AgentHarness side, final Frame frame)
    {
        final AgentHarness.Sent sent = side.sent.poll();
        assertThat(sent).as("%s #%d", capture, frame.number()).isNotNull();
        assertThat(sent.to()).isEqualTo(frame.target());
        final byte[] expected = new byte[Mad.SIZE];
        mad(frame).getBytes(0, expected);
        // the captured programs allowed READs; we never do
        if (attribute(frame) == Mad.REQ)
        {
            expected[RESPONDER_RESOURCES] = 0;
            expected[INITIATOR_DEPTH] = 0;
        }
        if (attribute(frame) == Mad.REP)
        {
            expected[REP_RESOURCES] = 0;
            expected[REP_RESOURCES + 1] = 0;
        }
        assertThat(sent.mad()).as("%s #%d", capture, frame.number()).isEqualTo(expected);
    }

    private static boolean isCopy(final String capture, final Frame frame)
    {
        return COPIES.getOrDefault(capture, Set.of()).contains(frame.number());
    }

    private static List<Frame> messages(final String capture)
    {
        return Capture.read(capture).stream().filter(f -> f.opcode() == Opcode.UD_SEND_ONLY).toList();
    }

    private static UnsafeBuffer mad(final Frame frame)
    {
        return new UnsafeBuffer(
            Arrays.copyOfRange(frame.bytes(), Mad.PACKET_OFFSET, Mad.PACKET_OFFSET + Mad.SIZE));
    }

    private static int attribute(final Frame frame)
    {
        return Mad.attribute(mad(frame), 0);
    }
}

package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Mad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An agent with scripted identifiers, a sink that keeps messages and a handler that keeps events.
 */
final class AgentHarness implements CmSink, CmHandler, CmIdentifiers
{
    final Counters counters = new Counters();
    final Deque<Sent> sent = new ArrayDeque<>();
    final List<String> events = new ArrayList<>();
    final Deque<Integer> commIds = new ArrayDeque<>();
    final CmAgent agent;
    CmConnection connection;
    byte[] privateData;
    long caGuid = 7;
    long transactionId = 11;
    boolean agrees = true;
    boolean heard;

    AgentHarness(final Gid local, final int mtuCode)
    {
        agent = new CmAgent(local, mtuCode, this, this, this, counters);
    }

    /** A datagram. */
    record Sent(Gid to, @SuppressWarnings("ArrayRecordComponent") byte[] mad)
    {
        int attribute()
        {
            return Mad.attribute(new UnsafeBuffer(mad), 0);
        }
    }

    @Override
    public void send(final Gid to, final UnsafeBuffer mad)
    {
        final byte[] copy = new byte[Mad.SIZE];
        mad.getBytes(0, copy);
        sent.add(new Sent(to, copy));
    }

    @Override
    public void onRequest(final CmConnection asked, final Object context, final UnsafeBuffer data)
    {
        connection = asked;
        privateData = bytes(data);
        events.add("request");
    }

    @Override
    public boolean onReply(final CmConnection of)
    {
        events.add("reply");
        return agrees;
    }

    @Override
    public void onEstablished(final CmConnection of, final UnsafeBuffer data)
    {
        privateData = bytes(data);
        events.add("established");
    }

    @Override
    public void onRejected(final CmConnection of, final int reason, final UnsafeBuffer data)
    {
        privateData = bytes(data);
        events.add("rejected " + reason);
    }

    @Override
    public void onUnreachable(final CmConnection of)
    {
        events.add("unreachable");
    }

    @Override
    public void onDisconnected(final CmConnection of, final boolean timedOut)
    {
        events.add(timedOut ? "disconnected by time-out" : "disconnected");
    }

    @Override
    public boolean hasHeard(final CmConnection of)
    {
        return heard;
    }

    @Override
    public long caGuid()
    {
        return caGuid;
    }

    @Override
    public int commId()
    {
        return commIds.isEmpty() ? 1 + agent.size() * 7919 + sent.size() : commIds.poll();
    }

    @Override
    public long transactionId()
    {
        return transactionId;
    }

    private static byte[] bytes(final UnsafeBuffer data)
    {
        final byte[] copy = new byte[data.capacity()];
        data.getBytes(0, copy);
        return copy;
    }
}

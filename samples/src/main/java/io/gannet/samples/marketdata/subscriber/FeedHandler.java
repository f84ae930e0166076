package io.gannet.samples.marketdata.subscriber;

import io.gannet.marketdata.HeartbeatDecoder;
import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.SnapshotFullRefreshDecoder;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Follows a feed: the protocol of sequence numbers, gaps and snapshots, without transport.
 * <pre>
 *             first message is number 1, or a restart
 *   JOINING ------------------------------------------> IN_SYNC
 *      |                                                |     ^
 *      | any other                a number is missing   |     | a whole snapshot cycle, then the kept messages;
 *      v                                                v     | or a restart
 *   RECOVERING <----------------------------------------+     |
 *      +------------------------------------------------------+
 * </pre>
 * While recovering, messages are kept; the owner listens to the snapshot stream. Bad messages are counted and passed
 * over. Not thread-safe; doesn't allocate while in sync, but for a new instrument or a growing book.
 */
public final class FeedHandler
{
    /** Where the handler is in its protocol. */
    public enum State
    {
        JOINING, RECOVERING, IN_SYNC
    }

    /** Told about each message that was applied while in sync. */
    public interface Listener
    {
        /**
         * A message was applied.
         *
         * @param sendingTime intended time of publication, nanoseconds since the epoch.
         * @param live        whether it is a market event: not a part of the opening book, a definition or a reset.
         */
        void onApplied(long sendingTime, boolean live);
    }

    private static final int KEPT_LIMIT = 64 * 1024 * 1024;
    /** A number so far ahead is damage, not a gap. */
    private static final long MAX_JUMP = 1L << 32;
    private static final int SEQUENCE = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int SENDING_TIME = MessageHeaderDecoder.ENCODED_LENGTH + 16;
    private static final int INDICATOR = MessageHeaderDecoder.ENCODED_LENGTH + 24;
    private static final int RECOVERY_BIT = 1 << 2;
    private static final int FIRST_MARKET_TEMPLATE = 3;
    private static final int LAST_MARKET_TEMPLATE = 5;

    private final SubscriberCounters counters = new SubscriberCounters();
    private final Instruments instruments = new Instruments();
    private final MessageApplier applier = new MessageApplier(instruments, counters);
    private final SnapshotAssembler assembler = new SnapshotAssembler(instruments, counters);
    private final KeptMessages kept;
    private final Listener listener;
    private State state = State.JOINING;
    private long expected;

    /**
     * @param listener told about applied messages.
     */
    public FeedHandler(final Listener listener)
    {
        this(listener, KEPT_LIMIT);
    }

    FeedHandler(final Listener listener, final int keptLimit)
    {
        this.listener = listener;
        this.kept = new KeptMessages(keptLimit);
    }

    /** Where it is. */
    public State state()
    {
        return state;
    }

    /** What was seen. */
    public SubscriberCounters counters()
    {
        return counters;
    }

    /** The instruments, in the order of their definition. */
    public List<InstrumentView> instruments()
    {
        return Collections.unmodifiableList(instruments.all());
    }

    /** Last sequence number seen. */
    public long lastSequence()
    {
        return expected - 1;
    }

    /** Whether the publisher said that nothing follows, and all before was applied. */
    public boolean isComplete()
    {
        return state == State.IN_SYNC && applier.hasEnded();
    }

    /** Another publisher begins: what is known is void. */
    public void onNewPublisher()
    {
        state = State.JOINING;
        kept.clear();
        applier.restart();
    }

    /** A message of the incremental stream. */
    public void onIncremental(final DirectBuffer buffer, final int offset, final int length)
    {
        counters.bytes += length;
        if (MessageCheck.check(buffer, offset, length) != MessageCheck.Result.OK)
        {
            counters.malformed++;
            return;
        }
        final int template = buffer.getShort(offset + 2, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        final long sequence = buffer.getLong(offset + SEQUENCE, ByteOrder.LITTLE_ENDIAN);
        if (template == SnapshotFullRefreshDecoder.TEMPLATE_ID || sequence < 0 ||
            (state != State.JOINING && sequence - expected > MAX_JUMP))
        {
            counters.malformed++;
        }
        else if (template == HeartbeatDecoder.TEMPLATE_ID)
        {
            onHeartbeat(sequence);
        }
        else
        {
            counters.messages++;
            onSequenced(buffer, offset, length, template, sequence);
        }
    }

    /** A message of the snapshot stream; passed over while in sync. */
    public void onSnapshot(final DirectBuffer buffer, final int offset, final int length)
    {
        if (state != State.RECOVERING)
        {
            return;
        }
        if (MessageCheck.check(buffer, offset, length) != MessageCheck.Result.OK)
        {
            counters.malformed++;
            return;
        }
        final int template = buffer.getShort(offset + 2, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (assembler.onMessage(buffer, offset, template, kept.isEmpty() ? expected : kept.first()))
        {
            kept.forEach(this::applyKept);
            kept.clear();
            counters.recoveries++;
            state = State.IN_SYNC;
        }
    }

    private void onHeartbeat(final long last)
    {
        counters.heartbeats++;
        switch (state)
        {
            case JOINING ->
            {
                expected = last + 1;
                if (last == 0)
                {
                    state = State.IN_SYNC;
                }
                else
                {
                    counters.lateJoin = true;
                    recover();
                }
            }
            case RECOVERING, IN_SYNC ->
            {
                if (last >= expected)
                {
                    gap(last + 1);
                    expected = last + 1;
                }
            }
        }
    }

    private void onSequenced(
        final DirectBuffer buffer, final int offset, final int length, final int template, final long sequence)
    {
        if (state == State.JOINING)
        {
            expected = sequence;
            if (sequence == 1)
            {
                state = State.IN_SYNC;
            }
            else
            {
                counters.lateJoin = true;
                recover();
            }
        }
        if (sequence < expected)
        {
            counters.duplicates += applier.isEnd(buffer, offset, template) ? 0 : 1;
            return;
        }
        if (sequence > expected)
        {
            gap(sequence);
        }
        expected = sequence + 1;
        if (state == State.RECOVERING && applier.isRestart(buffer, offset, template))
        {
            // All books begin anew: nothing before matters.
            kept.clear();
            state = State.IN_SYNC;
        }
        if (state == State.IN_SYNC)
        {
            applier.apply(buffer, offset, template);
            listener.onApplied(buffer.getLong(offset + SENDING_TIME, ByteOrder.LITTLE_ENDIAN),
                template >= FIRST_MARKET_TEMPLATE && template <= LAST_MARKET_TEMPLATE &&
                    (buffer.getByte(offset + INDICATOR) & RECOVERY_BIT) == 0);
        }
        else if (!kept.add(sequence, buffer, offset, length))
        {
            counters.overflows++;
            recover();
            kept.add(sequence, buffer, offset, length);
        }
    }

    private void gap(final long next)
    {
        counters.gaps++;
        counters.missed += next - expected;
        recover();
    }

    private void recover()
    {
        state = State.RECOVERING;
        kept.clear();
        assembler.restart();
    }

    private void applyKept(final DirectBuffer buffer, final int offset, final int length)
    {
        applier.apply(buffer, offset, buffer.getShort(offset + 2, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }
}

package io.gannet.recording;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * How far each stream of a recording is, as its blocks say one after the other. A stream that its publisher ended is
 * forgotten with the segment in which it did. Not thread-safe.
 */
final class StreamTable
{
    private static final int SESSION = 0;
    private static final int STREAM = 4;
    private static final int END = 8;
    private static final int ENDED = 16;
    private static final int LOST = 20;

    /** Of one stream. */
    static final class State
    {
        final int session;
        final int stream;
        long end;
        boolean ended;
        boolean lost;

        State(final int session, final int stream, final long end)
        {
            this.session = session;
            this.stream = stream;
            this.end = end;
        }
    }

    private final Map<Integer, State> bySession = new HashMap<>();
    private int nextStream = 1;

    /** The newest stream of a session, or null. */
    State ofSession(final int session)
    {
        return bySession.get(session);
    }

    Iterable<State> all()
    {
        return bySession.values();
    }

    /** The number of a stream that begins. */
    int nextStream()
    {
        return nextStream;
    }

    /** Takes an intact block, in the order of the recording. */
    void apply(final DirectBuffer buffer, final int at)
    {
        if (Block.type(buffer, at) == Block.STATE)
        {
            load(buffer, at);
            return;
        }
        final int session = Block.session(buffer, at);
        final int stream = Block.stream(buffer, at);
        State state = bySession.get(session);
        if (state == null || state.stream != stream)
        {
            state = new State(session, stream, 0);
            bySession.put(session, state);
            nextStream = Math.max(nextStream, stream + 1);
        }
        state.end = Block.end(buffer, at);
        final boolean end = Block.type(buffer, at) == Block.END;
        state.ended = end && (Block.flags(buffer, at) & Block.FLAG_END_OF_STREAM) != 0;
        state.lost = end && !state.ended;
    }

    private void load(final DirectBuffer buffer, final int at)
    {
        bySession.clear();
        nextStream = Math.max(nextStream, Block.stream(buffer, at));
        if (Block.length(buffer, at) % Block.STATE_ENTRY != 0)
        {
            return;
        }
        final int end = at + Block.HEADER_LENGTH + Block.length(buffer, at);
        for (int i = at + Block.HEADER_LENGTH; i < end; i += Block.STATE_ENTRY)
        {
            final int session = buffer.getInt(i + SESSION, ByteOrder.LITTLE_ENDIAN);
            final State state = new State(session, buffer.getInt(i + STREAM, ByteOrder.LITTLE_ENDIAN),
                buffer.getLong(i + END, ByteOrder.LITTLE_ENDIAN));
            state.ended = buffer.getInt(i + ENDED, ByteOrder.LITTLE_ENDIAN) != 0;
            state.lost = buffer.getInt(i + LOST, ByteOrder.LITTLE_ENDIAN) != 0;
            bySession.put(session, state);
        }
    }

    /** Bytes of the STATE block. */
    int stateLength()
    {
        return Block.HEADER_LENGTH + bySession.size() * Block.STATE_ENTRY;
    }

    /** Forgets what ended, for a new segment. */
    void forgetEnded()
    {
        for (final Iterator<State> each = bySession.values().iterator(); each.hasNext();)
        {
            if (each.next().ended)
            {
                each.remove();
            }
        }
    }

    /** Writes the STATE block, but for its sequence and checksums. */
    void save(final MutableDirectBuffer buffer, final long time)
    {
        Block.write(buffer, 0, Block.STATE, 0, stateLength() - Block.HEADER_LENGTH, 0, nextStream, 0, 0, time);
        int at = Block.HEADER_LENGTH;
        for (final State state : bySession.values())
        {
            buffer.setMemory(at, Block.STATE_ENTRY, (byte) 0);
            buffer.putInt(at + SESSION, state.session, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + STREAM, state.stream, ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(at + END, state.end, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + ENDED, state.ended ? 1 : 0, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(at + LOST, state.lost ? 1 : 0, ByteOrder.LITTLE_ENDIAN);
            at += Block.STATE_ENTRY;
        }
    }
}

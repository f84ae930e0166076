package io.gannet.recording;

import io.gannet.ring.FrameHeader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A recording that a test writes block by block, as a recorder would that is at work in its directory. Messages are of
 * 8 bytes, so that the message at position p is number p / {@link #STEP} of its stream.
 */
final class ScriptedRecording implements AutoCloseable
{
    /** From a message to the next. */
    static final int STEP = 32;

    private static final long MIB = 1 << 20;

    private final SegmentWriter writer;
    private final Chunk chunk = new Chunk(1 << 20);
    private long time;
    private boolean closed;

    ScriptedRecording(final Path directory)
    {
        writer = new SegmentWriter(new RecorderSettings(directory, "gannet:ipc", 9, MIB, Long.MAX_VALUE, (int) MIB,
            SyncPolicy.NEVER, TimeUnit.SECONDS.toNanos(1), FullPolicy.STOP, new SystemEpochNanoClock()),
            new RecorderListener() { }, () -> false);
    }

    /** What a message says: the publisher's number and its own. */
    static String text(final int publisher, final long number)
    {
        return publisher + ":" + number;
    }

    static String text(final long payload)
    {
        return text((int) (payload >> 32), payload & 0xFFFF_FFFFL);
    }

    static UnsafeBuffer frame(final int publisher, final long number)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[STEP]);
        frame.putInt(FrameHeader.LENGTH_OFFSET, FrameHeader.HEADER_LENGTH + Long.BYTES);
        frame.putInt(FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);
        frame.putLong(FrameHeader.HEADER_LENGTH, (long) publisher << 32 | number);
        return frame;
    }

    ScriptedRecording start(final int session, final int stream, final long number)
    {
        return append(Block.START, 0, session, stream, number, number);
    }

    /** Messages [from, to) of a stream. */
    ScriptedRecording messages(final int session, final int stream, final int publisher, final int from, final int to)
    {
        chunk.clear();
        chunk.begin(Block.FRAMES, 0, session, stream, (long) from * STEP, (long) from * STEP, ++time);
        for (int i = from; i < to; i++)
        {
            chunk.add(frame(publisher, i), 0, STEP);
        }
        writer.append(chunk);
        return this;
    }

    ScriptedRecording gap(final int session, final int stream, final long from, final long to)
    {
        return append(Block.GAP, 0, session, stream, from, to);
    }

    ScriptedRecording end(final int session, final int stream, final long number)
    {
        return append(Block.END, Block.FLAG_END_OF_STREAM, session, stream, number, number);
    }

    private ScriptedRecording append(
        final int type, final int flags, final int session, final int stream, final long from, final long to)
    {
        chunk.clear();
        chunk.begin(type, flags, session, stream, from * STEP, to * STEP, ++time);
        writer.append(chunk);
        return this;
    }

    /** Its recorder ends. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            writer.close();
        }
    }
}

package io.gannet.recording;

import io.gannet.FragmentHandler;
import io.gannet.os.OsException;
import io.gannet.os.SharedFile;
import io.gannet.ring.FrameHeader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the messages of a recording in the order in which they were recorded, each exactly once, also while it is being
 * recorded. Every block's checksum is verified before anything of it is handed on; what is damaged is told and left
 * out. Not thread-safe.
 */
public final class RecordingReader implements AutoCloseable
{
    /** A block's messages may be so much younger than its time says. */
    static final long TIME_SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path directory;
    private final RecordingListener listener;
    private final BlockCursor cursor;
    private final RecordedHeader header;
    private final SegmentHeader first;
    private final Map<Integer, Long> ends = new HashMap<>();
    private final Map<Integer, Integer> openStreams = new HashMap<>();
    private final Set<Integer> live = new HashSet<>();

    private Integer onlySession;
    private int onlyStream;
    private long fromPosition;
    private long toPosition = Long.MAX_VALUE;
    private long fromTime = Long.MIN_VALUE;
    private long toTime = Long.MAX_VALUE;
    private long lastSegment = Long.MAX_VALUE;
    private long lastSegmentEnd;
    private boolean passedEnd;

    private UnsafeBuffer block;
    private int frame;
    private int blockEnd;
    private long framePosition;
    private int session;
    private long time;

    /** Opens a recording without a listener, see {@link #RecordingReader(Path, RecordingListener)}. */
    public RecordingReader(final Path directory)
    {
        this(directory, new RecordingListener() { });
    }

    /**
     * Opens a recording; the first message polled is its first.
     *
     * @throws RecordingException if there is none, or it can't be read.
     */
    public RecordingReader(final Path directory, final RecordingListener listener)
    {
        this.directory = directory;
        this.listener = listener;
        cursor = new BlockCursor(directory, true,
            (file, offset, length, tail) -> listener.onDamage(file, offset, length));
        first = Recording.firstHeader(directory);
        header = new RecordedHeader(first.streamId());
    }

    /** The channel that was recorded. */
    public String channel()
    {
        return first.channel();
    }

    /** The stream that was recorded. */
    public int streamId()
    {
        return first.streamId();
    }

    /** The sessions of which something is recorded now, in the order of their beginning; reads the files' indexes. */
    public List<Integer> sessions()
    {
        return List.copyOf(Recording.sessions(directory));
    }

    /** Whether a recorder, of this or another process, is at work on it. */
    public boolean isBeingRecorded()
    {
        return isBeingRecorded(directory);
    }

    static boolean isBeingRecorded(final Path directory)
    {
        final Path lock = SegmentFiles.lock(directory);
        if (!Files.exists(lock))
        {
            return false;
        }
        try (SharedFile file = SharedFile.openToRead(lock))
        {
            return file.isLockedByOther();
        }
        catch (final OsException unreadable)
        {
            return false;
        }
    }

    /**
     * Takes messages only of one session, of what it published last if it began more than once, and only those that
     * start in [from, to); the next one polled is the first of them. Takes about as long as one read of a file.
     *
     * @param from a position of the session's stream; the messages begin with the one that starts there, or the first
     *             one behind it that is recorded.
     * @param to   excluded.
     * @return false if the recording has nothing of that session; nothing will be polled then.
     */
    public boolean seekToPosition(final int sessionId, final long from, final long to)
    {
        onlySession = sessionId;
        fromPosition = from;
        toPosition = to;
        fromTime = Long.MIN_VALUE;
        toTime = Long.MAX_VALUE;
        restart();
        final Recording.Place place = Recording.find(directory, sessionId, from);
        if (place == null)
        {
            passedEnd = true;
            return false;
        }
        onlyStream = place.stream();
        ends.put(onlyStream, from);
        cursor.seek(place.segment(), place.offset());
        return true;
    }

    /**
     * Takes the messages of all sessions that were recorded in [from, to), and perhaps some that were in the
     * millisecond before.
     *
     * @param from ns since 1970.
     * @param to   excluded; {@link Long#MAX_VALUE} for no end.
     */
    public void seekToTime(final long from, final long to)
    {
        onlySession = null;
        fromPosition = 0;
        toPosition = Long.MAX_VALUE;
        fromTime = from;
        toTime = to;
        restart();
        final Recording.Place place = Recording.find(directory, from);
        if (place != null)
        {
            cursor.seek(place.segment(), place.offset());
        }
    }

    /**
     * Takes no messages that are recorded from now on, also behind a seek: so that reading ends while a recorder is at
     * work.
     */
    public void endWithPresent()
    {
        final List<Long> numbers = SegmentFiles.numbers(directory);
        if (!numbers.isEmpty())
        {
            final Path file = SegmentFiles.segment(directory, numbers.getLast());
            try
            {
                lastSegmentEnd = Files.size(file);
                lastSegment = numbers.getLast();
            }
            catch (final IOException e)
            {
                throw RecordingException.of("cannot read " + file, e);
            }
        }
    }

    private boolean isPresent()
    {
        final long number = cursor.segment().number();
        return number < lastSegment || (number == lastSegment && cursor.offset() < lastSegmentEnd);
    }

    /**
     * Looks at what stands behind the last whole block of the last file, and tells the listener of damage if that is
     * not the beginning of one. For when {@link #poll} has returned 0 and nobody records, who may just be writing it.
     *
     * @return bytes of a block that was not finished, as a recorder leaves it that is killed, and the next one cuts
     *         off; 0 if there are none.
     */
    public long checkEnd()
    {
        final long tail = passedEnd || frame < blockEnd ? 0 : cursor.tail();
        if (tail > 0 && !cursor.isCutShort())
        {
            listener.onDamage(cursor.file(), cursor.end(), tail);
            return 0;
        }
        return tail;
    }

    private void restart()
    {
        passedEnd = false;
        ends.clear();
        openStreams.clear();
        live.clear();
        frame = 0;
        blockEnd = 0;
        cursor.seek(first.number(), SegmentHeader.LENGTH);
    }

    /**
     * Hands on messages without blocking, but for reads of files.
     *
     * @param handler called for each message, with a {@link RecordedHeader}. Its exception reaches the caller; the next
     *                poll goes on behind the message that threw.
     * @param limit   most messages.
     * @return how many; 0 if there are no more, or not yet.
     * @throws RecordingException if a file can't be read.
     */
    public int poll(final FragmentHandler handler, final int limit)
    {
        int messages = 0;
        while (messages < limit)
        {
            if (frame >= blockEnd)
            {
                if (!advance())
                {
                    break;
                }
                continue;
            }
            final int length = block.getInt(frame, ByteOrder.LITTLE_ENDIAN);
            if (length < FrameHeader.HEADER_LENGTH || length > blockEnd - frame)
            {
                listener.onDamage(SegmentFiles.segment(directory, cursor.segment().number()),
                    cursor.offset() + (frame - cursor.at()), blockEnd - frame);
                frame = blockEnd;
                continue;
            }
            final int at = frame;
            final long start = framePosition;
            frame += FrameHeader.align(length);
            framePosition += FrameHeader.align(length);
            if (FrameHeader.type(block, at) == FrameHeader.TYPE_DATA && start >= fromPosition && start < toPosition)
            {
                messages++;
                header.moveTo(block, at, framePosition, session, time);
                handler.onFragment(
                    block, at + FrameHeader.HEADER_LENGTH, length - FrameHeader.HEADER_LENGTH, header);
            }
        }
        return messages;
    }

    /** Goes to the next block that is asked for, and tells of those that have no messages. */
    boolean advance()
    {
        while (!passedEnd && cursor.next())
        {
            final UnsafeBuffer buffer = cursor.buffer();
            final int at = cursor.at();
            if (!isPresent())
            {
                passedEnd = true;
                return false;
            }
            if (Block.type(buffer, at) == Block.STATE || !isWanted(buffer, at))
            {
                continue;
            }
            if (Block.time(buffer, at) >= toTime || (onlySession != null && Block.from(buffer, at) >= toPosition))
            {
                passedEnd = true;
                return false;
            }
            tell(buffer, at);
            if (Block.type(buffer, at) == Block.FRAMES && Block.length(buffer, at) > 0)
            {
                block = buffer;
                frame = at + Block.HEADER_LENGTH;
                blockEnd = frame + Block.length(buffer, at);
                framePosition = Block.position(buffer, at);
                session = Block.session(buffer, at);
                time = Block.time(buffer, at);
                return true;
            }
        }
        return false;
    }

    private boolean isWanted(final UnsafeBuffer buffer, final int at)
    {
        return onlySession == null ? Block.time(buffer, at) + TIME_SLACK_NANOS >= fromTime :
            Block.stream(buffer, at) == onlyStream && Block.session(buffer, at) == onlySession &&
                Block.end(buffer, at) > fromPosition;
    }

    private void tell(final UnsafeBuffer buffer, final int at)
    {
        final int type = Block.type(buffer, at);
        final int ofSession = Block.session(buffer, at);
        final long from = Block.from(buffer, at);
        final long position = Block.position(buffer, at);
        final Long end = ends.put(Block.stream(buffer, at), Block.end(buffer, at));
        if (end != null && from > end)
        {
            listener.onGap(ofSession, end, from, type == Block.START ?
                RecordingListener.Reason.AWAY : RecordingListener.Reason.DAMAGED);
        }
        openStreams.put(ofSession, Block.stream(buffer, at));
        live.add(ofSession);
        final int flags = Block.flags(buffer, at);
        if (type == Block.END)
        {
            live.remove(ofSession);
            if ((flags & Block.FLAG_END_OF_STREAM) != 0)
            {
                openStreams.remove(ofSession);
            }
        }
        switch (type)
        {
            case Block.START -> listener.onStart(ofSession, position, Block.time(buffer, at));
            case Block.GAP -> listener.onGap(ofSession, end == null ? from : Math.max(from, end), position,
                (flags & Block.FLAG_AWAY) != 0 ?
                    RecordingListener.Reason.AWAY : RecordingListener.Reason.DROPPED);
            case Block.END -> listener.onEnd(ofSession, position, (flags & Block.FLAG_END_OF_STREAM) != 0);
            default ->
            {
                // Frames are polled.
            }
        }
    }

    /** Sessions whose publisher had not ended, as far as was read. */
    Iterable<Integer> openSessions()
    {
        return openStreams.keySet();
    }

    /** Those of them of which the recorder had an image. */
    Iterable<Integer> liveSessions()
    {
        return live;
    }

    /**
     * How far the open stream of a session is read, between two blocks.
     *
     * @return -1 if it has none.
     */
    long reached(final int ofSession)
    {
        final Integer stream = openStreams.get(ofSession);
        return stream == null ? -1 : ends.get(stream);
    }

    /** All messages of the open stream of a session below it were handed on; -1 if it has none. */
    long delivered(final int ofSession)
    {
        return frame < blockEnd && session == ofSession ? framePosition : reached(ofSession);
    }

    boolean isBetweenBlocks()
    {
        return frame >= blockEnd;
    }

    /** Whether there is nothing more, up to the end of what was asked for. */
    boolean isPassedEnd()
    {
        return passedEnd;
    }

    /** How far the stream that was sought is read: all below was handed on or told to be missing. */
    long reached()
    {
        final long end = ends.getOrDefault(onlyStream, 0L);
        return frame < blockEnd ? framePosition : end;
    }

    /** Closes the files. */
    @Override
    public void close()
    {
        cursor.close();
    }
}

package io.gannet.recording;

import io.gannet.FragmentHandler;
import io.gannet.Header;
import io.gannet.Image;
import java.nio.file.Path;
import org.agrona.DirectBuffer;

/**
 * One session of a {@link ReplaySubscription}: its image, and what has to be read from the recording before the image
 * may be polled. For the polling thread.
 */
final class SessionFeed implements RecordingListener
{
    private static final long CHECK_NANOS = 50_000_000;
    private static final long NONE = -1;
    private static final FragmentHandler SKIP = (buffer, offset, length, header) -> { };

    private final int session;
    private final Path directory;
    private final RecordingListener listener;
    private final long patienceNanos;
    private final FragmentHandler recorded = this::onRecorded;

    private Image image;
    /** All below was handed on, or told to be missing. */
    private long next;
    /** What is below is to be read from the recording. */
    private long fillTo;
    private RecordingReader reader;
    private long lastProgress;
    private long lastCheck;
    private long lastSeek;
    private long replayed = NONE;
    private long lostUpTo;
    private long oldEnd = NONE;
    private FragmentHandler target;
    private boolean moved;
    private boolean joined;
    private boolean ended;

    SessionFeed(final int session, final Path directory, final RecordingListener listener, final long patienceNanos)
    {
        this.session = session;
        this.directory = directory;
        this.listener = listener;
        this.patienceNanos = patienceNanos;
    }

    /** Whether the replay has come up to it. */
    boolean isJoined()
    {
        return joined;
    }

    void join()
    {
        joined = true;
    }

    int session()
    {
        return session;
    }

    Image image()
    {
        return image;
    }

    void image(final Image newImage)
    {
        image = newImage;
        lostUpTo = 0;
        ended = false;
    }

    /** How far it had been replayed when it was first known to be live; -1 if not at all. */
    long replayed()
    {
        return replayed;
    }

    void replayed(final long position)
    {
        replayed = position;
    }

    /** All below is done with. */
    void startAt(final long position)
    {
        next = position;
        fillTo = 0;
        closeReader();
    }

    /** A new image of a session to which the replay had come up. */
    void join(final Image newImage)
    {
        final long begin = newImage.joinPosition();
        if (ended || begin < next)
        {
            // Another publisher of that session: what was missing of the one before is not looked for any more.
            if (isFilling())
            {
                giveUp(Reason.AWAY);
            }
            startAt(begin);
        }
        else
        {
            missing(begin);
        }
        image(newImage);
    }

    /** The image will end without what is below. */
    void imageLacks(final long to)
    {
        lostUpTo = Math.max(lostUpTo, to);
    }

    /** Whether its publisher ended, and no other has come. */
    boolean isEnded()
    {
        return ended;
    }

    void ended()
    {
        ended = true;
    }

    /** The recording has to come to the end of an image before the next one is joined. */
    void awaitEnd(final long position)
    {
        oldEnd = position;
    }

    boolean awaitsEnd()
    {
        return oldEnd != NONE;
    }

    /** Nobody will record what is missing up to there. */
    void giveUpOldEnd(final long reached)
    {
        if (reached < oldEnd)
        {
            listener.onGap(session, Math.max(0, reached), oldEnd, Reason.AWAY);
        }
        oldEnd = NONE;
    }

    /** The recording has come to where a publisher ended. */
    void reachedEnd(final long position)
    {
        if (position == oldEnd)
        {
            oldEnd = NONE;
            replayed = NONE;
        }
    }

    /** Missing up to there. */
    void missing(final long to)
    {
        if (to > Math.max(next, fillTo))
        {
            fillTo = to;
            lastProgress = System.nanoTime();
            lastCheck = lastProgress;
            lastSeek = lastProgress - CHECK_NANOS;
            closeReader();
        }
    }

    /** The image ended; its messages were all polled, unless what is before it is still being read. */
    void imageGone()
    {
        if (!isFilling())
        {
            next = Math.max(next, image.position());
        }
        image = null;
        if (joined)
        {
            missing(lostUpTo);
        }
    }

    long next()
    {
        return image == null || isFilling() ? next : Math.max(next, image.position());
    }

    boolean isFilling()
    {
        return next < fillTo;
    }

    int poll(final FragmentHandler handler, final int limit)
    {
        if (isFilling())
        {
            return fill(handler, limit);
        }
        if (image == null)
        {
            return 0;
        }
        if (image.position() >= next)
        {
            return image.poll(handler, limit);
        }
        // The recording is ahead of where the image joined: what starts below was handed on.
        image.boundedPoll(SKIP, next, limit);
        return 0;
    }

    private int fill(final FragmentHandler handler, final int limit)
    {
        if (reader == null && !openReader())
        {
            return 0;
        }
        target = handler;
        moved = false;
        final int messages = reader.poll(recorded, limit);
        if (messages == 0)
        {
            reach(Math.min(fillTo, reader.reached()));
        }
        if (messages > 0 || moved)
        {
            lastProgress = System.nanoTime();
        }
        else if (isFilling() && (reader.isPassedEnd() || isHopeless()))
        {
            giveUp(reader.isPassedEnd() ? Reason.DAMAGED : Reason.AWAY);
        }
        if (!isFilling())
        {
            closeReader();
        }
        return messages;
    }

    private boolean openReader()
    {
        final long now = System.nanoTime();
        if (now - lastSeek < CHECK_NANOS)
        {
            return false;
        }
        lastSeek = now;
        reader = new RecordingReader(directory, this);
        if (reader.seekToPosition(session, next, fillTo))
        {
            return true;
        }
        closeReader();
        if (isHopeless())
        {
            giveUp(Reason.AWAY);
        }
        return false;
    }

    /** Whether nobody will record what is missing. */
    private boolean isHopeless()
    {
        final long now = System.nanoTime();
        if (now - lastCheck < CHECK_NANOS)
        {
            return false;
        }
        lastCheck = now;
        return now - lastProgress > (RecordingReader.isBeingRecorded(directory) ? patienceNanos : 2 * CHECK_NANOS);
    }

    private void giveUp(final Reason reason)
    {
        final long from = next;
        next = fillTo;
        listener.onGap(session, from, fillTo, reason);
    }

    private void reach(final long position)
    {
        if (position > next)
        {
            next = position;
            moved = true;
        }
    }

    private void onRecorded(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (header.position() > next && header.position() <= fillTo)
        {
            reach(header.position());
            target.onFragment(buffer, offset, length, header);
        }
    }

    @Override
    public void onGap(final int ofSession, final long from, final long to, final Reason reason)
    {
        final long start = Math.max(from, next);
        final long end = Math.min(to, fillTo);
        if (start < end)
        {
            reach(end);
            listener.onGap(session, start, end, reason);
        }
    }

    @Override
    public void onDamage(final Path file, final long offset, final long length)
    {
        listener.onDamage(file, offset, length);
    }

    private void closeReader()
    {
        if (reader != null)
        {
            reader.close();
            reader = null;
        }
    }

    void close()
    {
        closeReader();
    }
}

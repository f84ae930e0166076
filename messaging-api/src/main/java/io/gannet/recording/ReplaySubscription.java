package io.gannet.recording;

import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Header;
import io.gannet.Image;
import io.gannet.Subscription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * Messages of a stream from its recording and then live, each once and those of a session in order: it reads the
 * recording up to its end, subscribes, reads on to where each live image begins, and goes over to the image. When the
 * subscription misses something later, as it was too slow for a channel with {@code slow=drop} or its host was away,
 * that is read from the recording too, before anything behind it is handed on.
 * <p>
 * It subscribes only near the recording's end, so publishers don't wait for the replay but for the last part of it. The
 * recorder must be at work for that part: what the recording does not bring within the patience, or at once if nobody
 * records, is told as a gap. What a session both began and ended within the quarter of a second around the subscription
 * may be missed.
 * <p>
 * Not thread-safe: for one thread, whose listener and handler are called in polls.
 */
public final class ReplaySubscription implements AutoCloseable
{
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long JOIN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Gannet client;
    private final Path directory;
    private final ReplayFrom from;
    private final RecordingListener listener;
    private final long patienceNanos;
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final Map<Integer, SessionFeed> feeds = new HashMap<>();
    private final List<SessionFeed> order = new ArrayList<>();
    /** Where, as the recording says, sessions ended since it was read up to its end. */
    private final Map<Integer, Long> ends = new HashMap<>();
    private final String channel;
    private final int streamId;

    private Subscription subscription;
    /** Of the replay; null when it is over. */
    private RecordingReader reader;
    private FragmentHandler target;
    private final FragmentHandler replayed = this::onReplayed;
    private long lastProgress;
    /** Messages of the recording in this poll that were not left out. */
    private int handedOn;
    private long lastCheck;
    private int nextFeed;

    /**
     * Begins.
     *
     * @param client    to subscribe with; stays the caller's.
     * @param recording directory of the stream's recording: its channel and stream are subscribed to.
     * @param from      where to begin.
     * @param listener  told of gaps and the like, of the recorded part; and of what is missing for good.
     * @param patience  how long it waits for a recorder to bring what it misses.
     * @throws RecordingException if there is no recording.
     */
    public ReplaySubscription(
        final Gannet client,
        final Path recording,
        final ReplayFrom from,
        final RecordingListener listener,
        final long patience,
        final TimeUnit unit)
    {
        this(client, null, recording, from, listener, patience, unit);
    }

    /**
     * As above, but subscribes to another channel than the one that was recorded: such as the one by which another host
     * reaches the same publications.
     */
    public ReplaySubscription(
        final Gannet client,
        final String channel,
        final Path recording,
        final ReplayFrom from,
        final RecordingListener listener,
        final long patience,
        final TimeUnit unit)
    {
        this.client = client;
        directory = recording;
        this.from = from;
        this.listener = listener;
        patienceNanos = unit.toNanos(patience);
        reader = new RecordingReader(recording, new Told());
        this.channel = channel == null ? reader.channel() : channel;
        streamId = reader.streamId();
        if (from.isLive())
        {
            endReplay();
            subscribe();
        }
        else
        {
            from.seek(reader);
        }
    }

    /** What the recording says besides messages; of a session that is polled live by now it says nothing new. */
    private final class Told implements RecordingListener
    {
        private boolean isOver(final int session)
        {
            final SessionFeed feed = feeds.get(session);
            return feed != null && feed.isJoined();
        }

        @Override
        public void onStart(final int session, final long position, final long time)
        {
            if (!isOver(session))
            {
                listener.onStart(session, position, time);
            }
        }

        @Override
        public void onGap(final int session, final long from, final long to, final Reason reason)
        {
            final SessionFeed feed = feeds.get(session);
            // What is behind the beginning of an image comes from there.
            final long end = feed == null || feed.image() == null || feed.awaitsEnd() ? to :
                Math.min(to, feed.image().joinPosition());
            if (!isOver(session) && from < end)
            {
                listener.onGap(session, from, end, reason);
            }
        }

        @Override
        public void onEnd(final int session, final long position, final boolean complete)
        {
            if (complete)
            {
                ends.put(session, position);
            }
            if (!isOver(session))
            {
                if (complete && feeds.containsKey(session))
                {
                    feeds.get(session).reachedEnd(position);
                }
                listener.onEnd(session, position, complete);
            }
        }

        @Override
        public void onDamage(final Path file, final long offset, final long length)
        {
            listener.onDamage(file, offset, length);
        }
    }

    private void subscribe()
    {
        subscription = client.addSubscription(channel, streamId,
            image -> events.add(() -> onAvailable(image)),
            image -> events.add(() -> onUnavailable(image)),
            (of, session, from, to) -> events.add(() -> onGap(session, to)));
        ends.clear();
        lastProgress = System.nanoTime();
        lastCheck = lastProgress;
    }

    /**
     * Takes messages without blocking, but for reads of files, and once for a subscription to be added.
     *
     * @param handler called for each message; the header of one that is read from the recording is a
     *                {@link RecordedHeader}, without an image. Its exception reaches the caller; the next poll goes on
     *                behind the message that threw.
     * @param limit   most messages.
     * @return how many; 0 doesn't mean that there are no more.
     */
    public int poll(final FragmentHandler handler, final int limit)
    {
        for (Runnable event = events.poll(); event != null; event = events.poll())
        {
            event.run();
        }
        int messages = reader == null ? 0 : replay(handler, limit);
        final int count = order.size();
        for (int i = 0; i < count && messages < limit; i++)
        {
            nextFeed = nextFeed + 1 >= count ? 0 : nextFeed + 1;
            final SessionFeed feed = order.get(nextFeed);
            if (feed.isJoined())
            {
                messages += feed.poll(handler, limit - messages);
            }
        }
        return messages;
    }

    private int replay(final FragmentHandler handler, final int limit)
    {
        target = handler;
        handedOn = 0;
        final int messages = reader.poll(replayed, limit);
        if (handedOn > 0)
        {
            lastProgress = System.nanoTime();
        }
        else if (messages == 0 && subscription == null)
        {
            subscribe();
        }
        if (subscription != null && reader.isBetweenBlocks())
        {
            // What comes from images by now does not count: recording goes on for as long as publishers do.
            join(System.nanoTime() - lastProgress > JOIN_NANOS);
        }
        return handedOn;
    }

    private void onReplayed(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final SessionFeed feed = feeds.get(header.sessionId());
        if (feed == null || (!feed.isJoined() && (feed.image() == null || feed.awaitsEnd() ||
            header.position() <= feed.image().joinPosition())))
        {
            handedOn++;
            target.onFragment(buffer, offset, length, header);
        }
    }

    /**
     * Goes over to images that begin no later than the recording is read.
     *
     * @param settled whether the recording has brought nothing for a while that images do not.
     */
    private void join(final boolean settled)
    {
        final boolean hopeless = settled && isHopeless();
        boolean open = !settled;
        for (final SessionFeed feed : order)
        {
            if (feed.awaitsEnd())
            {
                open |= !giveUpOldEnd(feed, hopeless);
            }
            else if (!feed.isJoined() && feed.image() != null)
            {
                open |= !joinImage(feed, settled, hopeless);
            }
        }
        if (settled && !hopeless)
        {
            for (final int session : reader.liveSessions())
            {
                // Its image comes soon, or the recording says that it ended.
                open |= !feeds.containsKey(session);
            }
            if (reader.isPassedEnd())
            {
                // The session that was asked for was not there yet.
                from.seek(reader);
            }
        }
        if (!open)
        {
            endReplay();
        }
    }

    private boolean isHopeless()
    {
        final long now = System.nanoTime();
        if (now - lastCheck < CHECK_NANOS)
        {
            return false;
        }
        lastCheck = now;
        return now - lastProgress > patienceNanos || !RecordingReader.isBeingRecorded(directory);
    }

    private boolean joinImage(final SessionFeed feed, final boolean settled, final boolean hopeless)
    {
        final long begin = feed.image().joinPosition();
        final long reached = Math.max(reader.reached(feed.session()), from.positionOf(feed.session()));
        if (reached >= begin)
        {
            // What stood behind the beginning of the image was left out, once the image was there.
            feed.startAt(Math.max(begin, feed.replayed()));
        }
        else if (reached < 0 && (begin == 0 || settled))
        {
            // Not recorded, or not that far back.
            feed.startAt(begin);
        }
        else if (hopeless)
        {
            listener.onGap(feed.session(), reached, begin, RecordingListener.Reason.AWAY);
            feed.startAt(begin);
        }
        else
        {
            return false;
        }
        feed.join();
        return true;
    }

    private boolean giveUpOldEnd(final SessionFeed feed, final boolean hopeless)
    {
        if (!hopeless)
        {
            return false;
        }
        feed.giveUpOldEnd(reader.reached(feed.session()));
        if (feed.image() != null)
        {
            feed.startAt(feed.image().joinPosition());
            feed.join();
        }
        return true;
    }

    private void endReplay()
    {
        for (final int session : reader.openSessions())
        {
            final SessionFeed feed = feed(session);
            if (!feed.isJoined())
            {
                feed.startAt(reader.reached(session));
            }
        }
        order.forEach(SessionFeed::join);
        // They were kept so that the recording did not bring again what their images had brought.
        List.copyOf(order).stream().filter(SessionFeed::isEnded).forEach(this::remove);
        reader.close();
        reader = null;
    }

    private void remove(final SessionFeed feed)
    {
        feeds.remove(feed.session());
        order.remove(feed);
        feed.close();
    }

    private SessionFeed feed(final int session)
    {
        return feeds.computeIfAbsent(session, key ->
        {
            final SessionFeed feed = new SessionFeed(session, directory, listener, patienceNanos);
            order.add(feed);
            return feed;
        });
    }

    private void onAvailable(final Image image)
    {
        final SessionFeed feed = feed(image.sessionId());
        if (feed.isJoined())
        {
            feed.join(image);
            return;
        }
        feed.image(image);
        if (reader == null)
        {
            feed.startAt(image.joinPosition());
            feed.join();
        }
        else
        {
            feed.replayed(reader.delivered(image.sessionId()));
        }
    }

    private void onUnavailable(final Image image)
    {
        final SessionFeed feed = feeds.get(image.sessionId());
        if (feed == null || !image.equals(feed.image()))
        {
            return;
        }
        feed.imageGone();
        if (!image.isEndOfStream())
        {
            return;
        }
        feed.ended();
        if (reader == null)
        {
            remove(feed);
        }
        else if (!feed.isJoined() && reader.reached(feed.session()) >= 0 &&
            !Long.valueOf(image.endOfStreamPosition()).equals(ends.get(feed.session())))
        {
            feed.awaitEnd(image.endOfStreamPosition());
        }
    }

    private void onGap(final int session, final long to)
    {
        final SessionFeed feed = feeds.get(session);
        if (feed != null && feed.image() != null)
        {
            feed.imageLacks(to);
        }
        else if (feed != null && feed.isJoined())
        {
            feed.missing(to);
        }
    }

    /** Whether all that is recorded was handed on, and every image is polled itself. */
    public boolean isLive()
    {
        return reader == null && order.stream().noneMatch(SessionFeed::isFilling);
    }

    /** Whether there is an image. */
    public boolean isConnected()
    {
        return subscription != null && subscription.isConnected();
    }

    /**
     * Sleeps until a poll may find something, as {@link Subscription#awaitMessage}; while it reads the recording a
     * millisecond at most.
     *
     * @return false if nothing is known to be there.
     */
    public boolean awaitMessage(final long timeout, final TimeUnit unit)
    {
        if (isLive())
        {
            return !events.isEmpty() || subscription.awaitMessage(timeout, unit);
        }
        LockSupport.parkNanos(Math.min(unit.toNanos(timeout), TimeUnit.MILLISECONDS.toNanos(1)));
        return true;
    }

    /** Ends the subscription and closes the files. */
    @Override
    public void close()
    {
        if (reader != null)
        {
            reader.close();
        }
        order.forEach(SessionFeed::close);
        if (subscription != null)
        {
            subscription.close();
        }
    }
}

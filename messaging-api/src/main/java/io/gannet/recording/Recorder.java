package io.gannet.recording;

import io.gannet.Gannet;
import io.gannet.Image;
import io.gannet.Subscription;
import io.gannet.os.LateFault;
import io.gannet.ring.CorruptRingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Records a stream into files, by two threads of its own: one polls and copies, one writes. Publishers wait for it as
 * for any subscriber; when the disk is slower than the stream and the buffer is full, they wait for the disk.
 * <p>
 * A recorder that is started again in the same directory goes on with the recording. What was published meanwhile is
 * recorded as a gap, unless the subscription joins exactly where the recording ended. Nothing below a
 * {@link RecordedStream#recordedPosition()} is ever lost by the death of the process; with {@link SyncPolicy#INTERVAL}
 * or {@link SyncPolicy#EACH} neither by that of the machine. Thread-safe.
 */
public final class Recorder implements AutoCloseable
{
    private static final long WRITER_WAIT_MILLIS = 20;
    private static final long IDLE_MICROS = 1_000;
    private static final int LEAST_ROOM = 64 << 10;
    private static final int IDLE_SPINS = 100;
    private static final long MOST_UNFORCED = 16 << 20;
    /** Streams of an earlier run that have no image by then are not expected any more. */
    private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final RecorderSettings settings;
    private final RecorderListener listener;
    private final SegmentWriter writer;
    private final ChunkSource chunks;
    private final Subscription subscription;
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final Map<Integer, RecordedStream> byNumber = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(2);
    private final Thread writingThread;
    private final Thread pollingThread;

    /** Of the polling thread. */
    private final Map<Integer, RecordedStream> bySession = new HashMap<>();
    private final Map<Integer, Long> pendingGaps = new HashMap<>();
    private final List<ImageRecorder> images = new ArrayList<>();
    private int nextStream;
    private volatile boolean polled;

    private volatile boolean stopping;
    private volatile Throwable failure;
    private volatile long bytesWritten;
    private volatile long waits;

    private Recorder(final Gannet client, final RecorderSettings settings, final RecorderListener listener)
    {
        this.settings = settings;
        this.listener = listener;
        writer = new SegmentWriter(settings, listener, () -> stopping);
        chunks = new ChunkSource(settings.bufferBytes(), settings.clock(), writer.lastTime());
        for (final StreamTable.State state : writer.streams().all())
        {
            final RecordedStream stream = new RecordedStream(
                state.session, state.stream, state.end, state.ended, state.lost, true);
            bySession.put(state.session, stream);
            byNumber.put(state.stream, stream);
        }
        nextStream = writer.streams().nextStream();
        try
        {
            subscription = client.addSubscription(settings.channel(), settings.streamId(),
                image -> events.add(() -> onAvailable(image)),
                image -> events.add(() -> onUnavailable(image)),
                (of, session, from, to) -> events.add(() -> pendingGaps.merge(session, to, Math::max)));
        }
        catch (final RuntimeException e)
        {
            writer.close();
            throw e;
        }
        writingThread = new Thread(this::write, "gannet-recorder-write");
        pollingThread = new Thread(this::poll, "gannet-recorder-poll");
    }

    /**
     * Starts to record.
     *
     * @param client to subscribe with; stays the caller's, who closes it after the recorder.
     * @throws RecordingException       if the directory can't be used, or another recorder is at work in it.
     * @throws IllegalArgumentException if the channel is malformed. Other errors as for
     *                                  {@link Gannet#addSubscription(String, int)}.
     */
    public static Recorder start(
        final Gannet client, final RecorderSettings settings, final RecorderListener listener)
    {
        final Recorder recorder = new Recorder(client, settings, listener);
        recorder.writingThread.start();
        recorder.pollingThread.start();
        return recorder;
    }

    /** All streams that were met, in this or an earlier run, the newest of each session; a snapshot. */
    public Collection<RecordedStream> streams()
    {
        return List.copyOf(byNumber.values());
    }

    /** Bytes that this recorder has written, headers of blocks included. */
    public long bytesWritten()
    {
        return bytesWritten;
    }

    /** How often polling had to wait for the disk, as the buffer was full. */
    public long waits()
    {
        return waits;
    }

    /** Whether there is at least one image. */
    public boolean isConnected()
    {
        return subscription.isConnected();
    }

    /**
     * Whether this recorder has had images, and all of them have ended. Streams that only an earlier run has recorded
     * don't count.
     */
    public boolean hasImagesThatAllEnded()
    {
        return !isConnected() && byNumber.values().stream().noneMatch(RecordedStream::isLive) &&
            byNumber.values().stream().anyMatch(RecordedStream::hasStarted);
    }

    /** Whether it records; false when it was closed, or failed. */
    public boolean isRunning()
    {
        return ended.getCount() == 2;
    }

    /** Why it ended by itself; null if it didn't. */
    public Throwable failure()
    {
        return failure;
    }

    private void poll()
    {
        try
        {
            int idle = 0;
            final long start = System.nanoTime();
            boolean complete = false;
            while (!stopping && !subscription.isClosed())
            {
                final int work = pollOnce();
                if (!complete && System.nanoTime() - start > RETURN_NANOS)
                {
                    complete = true;
                    endLost();
                }
                chunks.handOverIfDue();
                waits = chunks.waits();
                idle = work > 0 ? 0 : idle + 1;
                if (idle > 0 && subscription.awaitMessage(IDLE_MICROS, TimeUnit.MICROSECONDS) && idle > IDLE_SPINS)
                {
                    // Something that is ready and brings nothing: an image that ends just now.
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(IDLE_MICROS));
                }
            }
            lastRound();
        }
        catch (final Throwable e)
        {
            fail(e);
        }
        finally
        {
            polled = true;
            ended.countDown();
        }
    }

    private int pollOnce()
    {
        int work = 0;
        for (Runnable event = events.poll(); event != null; event = events.poll())
        {
            event.run();
            work++;
        }
        for (int i = images.size() - 1; i >= 0; i--)
        {
            if (chunks.current().room() < LEAST_ROOM)
            {
                chunks.handOver();
            }
            work += poll(images.get(i));
        }
        return work;
    }

    private int poll(final ImageRecorder image)
    {
        try
        {
            return image.poll();
        }
        catch (final CorruptRingException | InternalError broken)
        {
            // A ring that was written into or truncated: that stream ends, the others go on.
            LateFault.discard();
            images.remove(image);
            end(image, false);
            return 1;
        }
    }

    /** What is there now is still taken, but not what goes on to come. */
    private void lastRound()
    {
        pollOnce();
        for (final Map.Entry<Integer, Long> gap : pendingGaps.entrySet())
        {
            final RecordedStream stream = bySession.get(gap.getKey());
            if (stream != null && !stream.isLive() && gap.getValue() > stream.end())
            {
                gap(stream, gap.getValue(), 0);
            }
        }
        if (chunks.current().length() > 0)
        {
            chunks.handOver();
        }
    }

    private void endLost()
    {
        for (final RecordedStream stream : bySession.values())
        {
            if (stream.wasAway() && !stream.isEnded() && !stream.isLost())
            {
                chunks.block(Block.END, 0, stream, stream.end(), stream.end());
                listener.onEnd(stream.sessionId(), stream.end(), false);
            }
        }
    }

    private void onAvailable(final Image image)
    {
        final int session = image.sessionId();
        final long join = image.joinPosition();
        RecordedStream stream = bySession.get(session);
        if (stream == null || stream.isEnded() || join < stream.end())
        {
            stream = new RecordedStream(session, nextStream++, join, false, false, false);
            bySession.put(session, stream);
            byNumber.put(stream.number(), stream);
        }
        else if (join > stream.end())
        {
            gap(stream, join, stream.wasAway() ? Block.FLAG_AWAY : 0);
        }
        pendingGaps.remove(session);
        stream.start();
        chunks.block(Block.START, 0, stream, join, join);
        listener.onStart(session, join, chunks.time());
        images.add(new ImageRecorder(image, stream, chunks));
    }

    private void gap(final RecordedStream stream, final long to, final int flags)
    {
        chunks.block(Block.GAP, flags, stream, stream.end(), to);
        listener.onGap(stream.sessionId(), stream.end(), to,
            flags == 0 ? RecordingListener.Reason.DROPPED : RecordingListener.Reason.AWAY);
        stream.end(to);
    }

    private void onUnavailable(final Image image)
    {
        for (final ImageRecorder each : images)
        {
            if (image.equals(each.image()))
            {
                images.remove(each);
                end(each, image.isEndOfStream());
                return;
            }
        }
    }

    private void end(final ImageRecorder image, final boolean complete)
    {
        final RecordedStream stream = image.stream();
        final long position = Math.max(stream.end(), image.image().position());
        chunks.block(Block.END, complete ? Block.FLAG_END_OF_STREAM : 0, stream, stream.end(), position);
        stream.end(position);
        stream.ended(complete);
        listener.onEnd(stream.sessionId(), position, complete);
    }

    private void write()
    {
        final RecordingAcknowledger acknowledger = new RecordingAcknowledger(byNumber);
        try
        {
            long synced = System.nanoTime();
            long acknowledged = 0;
            long written = 0;
            while (true)
            {
                final boolean last = polled;
                final Chunk chunk = chunks.take(WRITER_WAIT_MILLIS);
                if (chunk != null)
                {
                    writer.append(chunk);
                    acknowledger.written(chunk);
                    written += chunk.length();
                    bytesWritten = written;
                    chunks.giveBack(chunk);
                }
                final boolean end = chunk == null && last;
                if ((end || isSyncDue(chunk != null, written - acknowledged, synced)) && acknowledger.isPending())
                {
                    if (settings.sync() != SyncPolicy.NEVER)
                    {
                        writer.force();
                    }
                    acknowledger.acknowledge();
                    acknowledged = written;
                    synced = System.nanoTime();
                }
                if (end)
                {
                    return;
                }
            }
        }
        catch (final Throwable e)
        {
            fail(e);
        }
        finally
        {
            chunks.breakOff();
            writer.close();
            ended.countDown();
        }
    }

    private boolean isSyncDue(final boolean wrote, final long bytes, final long synced)
    {
        return switch (settings.sync())
        {
            case NEVER -> wrote;
            case INTERVAL -> System.nanoTime() - synced >= settings.syncIntervalNanos();
            // What came while the disk was busy is forced at once: the disk's time for that hardly depends on how much.
            case EACH -> bytes > 0 && (chunks.full().isEmpty() || bytes >= MOST_UNFORCED);
        };
    }

    private void fail(final Throwable problem)
    {
        synchronized (this)
        {
            if (failure == null)
            {
                failure = problem;
            }
        }
        stopping = true;
    }

    /**
     * Writes what was polled, and ends. Returns when all files are closed. Idempotent.
     */
    @Override
    public void close()
    {
        stopping = true;
        boolean interrupted = false;
        while (true)
        {
            try
            {
                ended.await();
                break;
            }
            catch (final InterruptedException e)
            {
                interrupted = true;
            }
        }
        subscription.close();
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}

package io.gannet.recording;

import io.gannet.Channel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * Settings of one recorder.
 *
 * @param directory         of the recording; made if it isn't there.
 * @param channel           to record.
 * @param streamId          to record.
 * @param segmentBytes      after which a new file is begun, from 1 MiB to 1 TiB.
 * @param keepBytes         of the recording; when it has more, its oldest files are deleted. {@link Long#MAX_VALUE} for
 *                          all; at least two segments.
 * @param bufferBytes       between the polling and the writing thread, from 1 MiB to 1 GiB.
 * @param sync              what a recorded position survives.
 * @param syncIntervalNanos of {@link SyncPolicy#INTERVAL}.
 * @param full              what happens when the disk is full.
 * @param clock             ns since 1970.
 */
public record RecorderSettings(
    Path directory,
    String channel,
    int streamId,
    long segmentBytes,
    long keepBytes,
    int bufferBytes,
    SyncPolicy sync,
    long syncIntervalNanos,
    FullPolicy full,
    EpochNanoClock clock)
{
    private static final long MIB = 1L << 20;

    /**
     * Checks everything.
     *
     * @throws IllegalArgumentException naming the value and what is possible.
     */
    public RecorderSettings
    {
        Channel.parse(channel);
        if (channel.getBytes(StandardCharsets.UTF_8).length > SegmentHeader.MAX_CHANNEL)
        {
            throw new IllegalArgumentException("a channel of " + channel.length() + " characters can't be recorded: " +
                SegmentHeader.MAX_CHANNEL + " bytes are possible");
        }
        check("segment", segmentBytes, MIB, MIB << 20);
        check("buffer", bufferBytes, MIB, MIB << 10);
        if (keepBytes < 2 * segmentBytes)
        {
            throw new IllegalArgumentException("keep " + keepBytes + ": must be at least two segments, " +
                2 * segmentBytes + " bytes");
        }
        check("sync interval in ns", syncIntervalNanos, TimeUnit.MICROSECONDS.toNanos(1), TimeUnit.HOURS.toNanos(1));
    }

    /** With defaults for the rest: files of 256 MiB, all kept, a buffer of 64 MiB, no sync, and stop when full. */
    public RecorderSettings(final Path directory, final String channel, final int streamId)
    {
        this(directory, channel, streamId, MIB << 8, Long.MAX_VALUE, (int) (MIB << 6), SyncPolicy.NEVER,
            TimeUnit.MILLISECONDS.toNanos(100), FullPolicy.STOP, new SystemEpochNanoClock());
    }

    private static void check(final String name, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(name + " " + value + ": must be from " + least + " to " + most);
        }
    }
}

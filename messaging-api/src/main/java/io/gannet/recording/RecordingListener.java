package io.gannet.recording;

import java.nio.file.Path;

/**
 * Told by a {@link RecordingReader}, in the order of the recording, what is in it besides messages. Called on the
 * thread that polls.
 */
public interface RecordingListener
{
    /** Why a part of a stream is missing. */
    enum Reason
    {
        /** The recorder was dropped as too slow, or its host was away too long. */
        DROPPED,
        /** No recorder ran. */
        AWAY,
        /** It was recorded and can't be read: bytes of a file were changed, or a file is missing. */
        DAMAGED
    }

    /**
     * A stream begins, or goes on after a pause of the recorder.
     *
     * @param position of the first message that can follow.
     */
    default void onStart(final int sessionId, final long position, final long time)
    {
    }

    /** Positions [from, to) of a stream are not in the recording. */
    default void onGap(final int sessionId, final long from, final long to, final Reason reason)
    {
    }

    /**
     * A stream ended at {@code position}.
     *
     * @param complete whether its publisher ended it; else the recorder lost it.
     */
    default void onEnd(final int sessionId, final long position, final boolean complete)
    {
    }

    /** Bytes [offset, offset + length) of a file can't be used; what that means for streams is told as gaps. */
    default void onDamage(final Path file, final long offset, final long length)
    {
    }
}

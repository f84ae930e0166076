package io.gannet.recording;

/**
 * Told what a {@link Recorder} meets, as {@link RecordingListener} is told of a recording; called by its threads, which
 * must not be held up.
 */
public interface RecorderListener extends RecordingListener
{
    /**
     * The disk is full, and the recorder tries again and again. Told once until there is room again.
     *
     * @param problem what the file system says.
     */
    default void onDiskFull(final String problem)
    {
    }

    /** There is room again; nothing is missing. */
    default void onDiskFree()
    {
    }
}

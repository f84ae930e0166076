package io.gannet.cli.recording;

import io.gannet.recording.RecorderListener;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Prints what is met in a recording, a line each. Thread-safe.
 */
final class Report implements RecorderListener
{
    @Override
    public void onStart(final int sessionId, final long position, final long time)
    {
        line("session %d starts at %d, %s", sessionId, position, Quantity.instant(time));
    }

    @Override
    public void onGap(final int sessionId, final long from, final long to, final Reason reason)
    {
        line("session %d has a gap [%d, %d): %,d bytes, %s", sessionId, from, to, to - from, switch (reason)
        {
            case DROPPED -> "the recorder was dropped or its host was away";
            case AWAY -> "no recorder ran";
            case DAMAGED -> "damaged, or in a file that is missing";
        });
    }

    @Override
    public void onEnd(final int sessionId, final long position, final boolean complete)
    {
        line(complete ? "session %d ended at %d" : "session %d broke off at %d", sessionId, position);
    }

    @Override
    public void onDamage(final Path file, final long offset, final long length)
    {
        line("%s: %,d bytes from %,d on are not intact", file, length, offset);
    }

    @Override
    public void onDiskFull(final String problem)
    {
        line("the disk is full (%s): waiting for room, and publishers with it", problem);
    }

    @Override
    public void onDiskFree()
    {
        line("there is room again: nothing is missing");
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    static void line(final String format, final Object... values)
    {
        // One write for each, so that lines of threads don't mix.
        System.out.print(String.format(Locale.ROOT, format, values) + System.lineSeparator());
        System.out.flush();
    }
}

package io.gannet.recording;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Keeps what a listener is told, as text.
 */
public final class Events implements RecorderListener
{
    /** What was told, in order. */
    public final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void onStart(final int sessionId, final long position, final long time)
    {
        all.add("start " + position);
    }

    @Override
    public void onGap(final int sessionId, final long from, final long to, final Reason reason)
    {
        all.add("gap " + from + " " + to + " " + reason);
    }

    @Override
    public void onEnd(final int sessionId, final long position, final boolean complete)
    {
        all.add((complete ? "end " : "break ") + position);
    }

    @Override
    public void onDamage(final Path file, final long offset, final long length)
    {
        all.add("damage " + file.getFileName() + " " + offset + " " + length);
    }

    @Override
    public void onDiskFull(final String problem)
    {
        all.add("full");
    }

    @Override
    public void onDiskFree()
    {
        all.add("free");
    }

    /** What begins with a word. */
    public List<String> of(final String word)
    {
        return all.stream().filter(event -> event.startsWith(word + " ") || event.equals(word)).toList();
    }
}

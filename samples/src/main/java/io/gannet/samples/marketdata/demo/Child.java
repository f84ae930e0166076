package io.gannet.samples.marketdata.demo;

import io.gannet.samples.marketdata.cli.StatusLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process of the demo. It ends when its standard input is closed, which happens also if this process dies.
 */
public final class Child implements AutoCloseable
{
    private static final int KEPT_LINES = 8;
    private static final int KEPT_STATUSES = 16;

    private final String name;
    private final Process process;
    private final Thread reader;
    private final Deque<String> lines = new ArrayDeque<>();
    private volatile StatusLine status = new StatusLine();
    private volatile long statusTime;
    /** The latest ones, the last one first. */
    private volatile List<StatusLine> recent = List.of(status);

    private Child(final String name, final Process process)
    {
        this.name = name;
        this.process = process;
        reader = new Thread(this::read, name + " output");
        reader.setDaemon(true);
        reader.start();
    }

    public static Child start(final String name, final List<String> command) throws IOException
    {
        return new Child(name, new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void read()
    {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8))
        {
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                final StatusLine parsed = StatusLine.parse(line);
                if (parsed != null)
                {
                    status = parsed;
                    statusTime = System.nanoTime();
                    recent = Stream.concat(Stream.of(parsed), recent.stream()).limit(KEPT_STATUSES).toList();
                }
                else
                {
                    keep(line);
                }
            }
        }
        catch (final IOException ended)
        {
            keep(ended.toString());
        }
    }

    private void keep(final String line)
    {
        synchronized (lines)
        {
            lines.addLast(line);
            if (lines.size() > KEPT_LINES)
            {
                lines.removeFirst();
            }
        }
    }

    /** The latest of its lines that fits, among those kept, or null. */
    public Matcher find(final Pattern pattern)
    {
        synchronized (lines)
        {
            Matcher found = null;
            for (final String line : lines)
            {
                final Matcher matcher = pattern.matcher(line);
                found = matcher.find() ? matcher : found;
            }
            return found;
        }
    }

    public String name()
    {
        return name;
    }

    public long pid()
    {
        return process.pid();
    }

    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** What it said last; empty at first. */
    public StatusLine status()
    {
        return status;
    }

    /**
     * The latest of what it said that was so by then; empty if it had said nothing, or that is long ago.
     *
     * @param at of {@link StatusLine#now}, of this process or another of the host.
     */
    public StatusLine statusBy(final long at)
    {
        for (final StatusLine one : recent)
        {
            if (one.number(StatusLine.AT) - at <= 0)
            {
                return one;
            }
        }
        return new StatusLine();
    }

    /** When it said that, by System.nanoTime. */
    public long statusTime()
    {
        return statusTime;
    }

    public boolean isFinal()
    {
        return status.has("final");
    }

    /** Asks it to end. */
    public void stop()
    {
        try
        {
            process.getOutputStream().close();
        }
        catch (final IOException gone)
        {
            // It has ended already.
        }
    }

    /** Waits for its end; false if it runs on. */
    public boolean await(final long timeout, final TimeUnit unit)
    {
        try
        {
            if (!process.waitFor(timeout, unit))
            {
                return false;
            }
            reader.join(TimeUnit.SECONDS.toMillis(2));
            return true;
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Why it ended, in one line. */
    public String ending()
    {
        final StringBuilder text = new StringBuilder(name + " (pid " + pid() + ") ended");
        if (!process.isAlive())
        {
            text.append(" with exit code ").append(process.exitValue());
        }
        synchronized (lines)
        {
            lines.forEach(line -> text.append("\n  ").append(line));
        }
        return text.toString();
    }

    /** Ends it, by force if need be. */
    @Override
    public void close()
    {
        stop();
        if (!await(3, TimeUnit.SECONDS))
        {
            process.destroy();
            if (!await(2, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                await(5, TimeUnit.SECONDS);
            }
        }
    }
}

package io.gannet.perf.rig;

import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.ClassPath;
import io.gannet.perf.worker.WorkerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A Java process of the rig. It ends when its standard input does, when the rig's process dies, and at the latest when
 * {@link #close()} kills it.
 */
public final class ChildProcess implements AutoCloseable
{
    private static final int TAIL_LINES = 40;
    private static final long CLOSE_MS = 10_000;
    private static final String END = "";

    private final String name;
    private final Process process;
    private final Writer input;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Deque<String> tail = new ArrayDeque<>();
    private boolean paused;

    public ChildProcess(final String name, final Class<?> main, final List<String> flags) throws IOException
    {
        this(name, List.of(), main, flags);
    }

    /** Starts a process by way of another command. */
    public ChildProcess(final String name, final List<String> prefix, final Class<?> main, final List<String> flags)
        throws IOException
    {
        this.name = name;
        final List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", ClassPath.argument(), main.getName()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        final Thread reader = new Thread(this::read, name + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** The kernel's number of it. */
    public long pid()
    {
        return process.pid();
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    public void send(final String line) throws IOException
    {
        input.write(line);
        input.write('\n');
        input.flush();
    }

    /** The next answer; throws with the child's last output when it failed, ended or took longer than the limit. */
    public String answer(final long limitMs) throws InterruptedException
    {
        final String answer = answers.poll(limitMs, TimeUnit.MILLISECONDS);
        if (answer == null || answer.equals(END) || answer.startsWith("failed"))
        {
            final String what = answer == null ? "gave no answer within " + limitMs + " ms" :
                answer.equals(END) ? "ended unexpectedly" : answer;
            throw new RigException(name + " (pid " + process.pid() + ") " + what + ". Its last output:\n" + tail());
        }
        return answer;
    }

    /** Stops the process where it is, so that it takes no processor from what is being measured. */
    public void pause()
    {
        if (!paused)
        {
            paused = Posix.signal(process.pid(), Posix.SIGSTOP);
        }
    }

    /** Lets a paused process go on. */
    public void resume()
    {
        if (paused)
        {
            Posix.signal(process.pid(), Posix.SIGCONT);
            paused = false;
        }
    }

    @Override
    public void close()
    {
        resume();
        try
        {
            input.close();
            if (process.waitFor(CLOSE_MS, TimeUnit.MILLISECONDS))
            {
                return;
            }
        }
        catch (final IOException e)
        {
            tail.add("input was closed before: " + e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        kill();
    }

    /** Ends the process at once. */
    void kill()
    {
        process.destroyForcibly();
    }

    private void read()
    {
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                if (line.startsWith(WorkerMain.ANSWER))
                {
                    answers.add(line.substring(WorkerMain.ANSWER.length()));
                }
                else
                {
                    remember(line);
                }
            }
        }
        catch (final IOException e)
        {
            remember(e.toString());
        }
        answers.add(END);
    }

    private void remember(final String line)
    {
        synchronized (tail)
        {
            tail.add(line);
            if (tail.size() > TAIL_LINES)
            {
                tail.remove();
            }
        }
    }

    private String tail()
    {
        synchronized (tail)
        {
            return String.join("\n", tail);
        }
    }
}

package io.gannet.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM started by a test, with everything it prints.
 */
public final class TestProcess implements AutoCloseable
{
    private static final List<String> FLAGS = List.of(
        "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
        "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xms32m", "-Xmn8m", "-Xmx256m",
        "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final String name;
    private final Process process;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Thread reader;

    private TestProcess(final String name, final Process process)
    {
        this.name = name;
        this.process = process;
        reader = Thread.ofPlatform().daemon(true).name("output of " + name).start(this::read);
    }

    /**
     * Starts {@code main} with this test's class path.
     *
     * @param name        for messages.
     * @param environment variables to add.
     * @param main        class with the main method.
     * @param arguments   of it.
     * @return the running process.
     */
    public static TestProcess start(
        final String name, final Map<String, String> environment, final String main, final List<String> arguments)
    {
        return start(name, List.of(), ownClassPath(), environment, main, arguments);
    }

    /**
     * As above, by another command.
     *
     * @param launcher  command that starts the command which follows it, such as {@code unshare}.
     * @param classPath of the process.
     */
    public static TestProcess start(
        final String name,
        final List<String> launcher,
        final String classPath,
        final Map<String, String> environment,
        final String main,
        final List<String> arguments)
    {
        final List<String> command = new ArrayList<>(launcher);
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(FLAGS);
        command.add("-cp");
        command.add(classPath);
        command.add(main);
        command.addAll(arguments);
        try
        {
            final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().keySet().removeIf(key -> key.startsWith("GANNET_"));
            builder.environment().putAll(environment);
            return new TestProcess(name, builder.start());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path of this test. */
    public static String ownClassPath()
    {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Name for messages. */
    public String name()
    {
        return name;
    }

    /** Process id. */
    public long pid()
    {
        return process.pid();
    }

    /** Whether it still runs, or not all that it printed is there yet. */
    public boolean isAlive()
    {
        return process.isAlive() || reader.isAlive();
    }

    /** Exit code; only after it ended. */
    public int exitCode()
    {
        return process.exitValue();
    }

    /** Everything printed so far. */
    public List<String> lines()
    {
        synchronized (lines)
        {
            return List.copyOf(lines);
        }
    }

    /** The last line printed that starts with {@code prefix}, without it; null when there is none. */
    public String lastAfter(final String prefix)
    {
        final List<String> all = lines();
        for (int i = all.size() - 1; i >= 0; i--)
        {
            if (all.get(i).startsWith(prefix))
            {
                return all.get(i).substring(prefix.length());
            }
        }
        return null;
    }

    /** SIGKILL, and waits until the kernel has taken everything back and all that it printed is there. */
    public void kill()
    {
        signal("KILL");
        awaitEnd();
        awaitOutput();
    }

    /** SIGTERM; does not wait. */
    public void terminate()
    {
        // Not Process.destroy(), which would lose what the process prints at its end.
        signal("TERM");
    }

    /** SIGSTOP. */
    public void pause()
    {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume()
    {
        signal("CONT");
    }

    /** Makes the JVM print its threads, and gives it a while to do so. */
    public void printThreads()
    {
        if (isAlive())
        {
            final int before = lines.size();
            signal("QUIT");
            for (int i = 0; i < 50 && lines.size() < before + 20; i++)
            {
                java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    /** Has it collect its garbage, so that what is only kept by garbage is given back. */
    public void collectGarbage()
    {
        run(System.getProperty("java.home") + File.separator + "bin" + File.separator + "jcmd", Long.toString(pid()),
            "GC.run");
    }

    /** Kills it if it still runs. */
    @Override
    public void close()
    {
        if (process.isAlive())
        {
            kill();
        }
        awaitOutput();
    }

    /** Not for ever: what it has started itself, and what outlives it, may still have its output open. */
    private void awaitOutput()
    {
        try
        {
            reader.join(TimeUnit.SECONDS.toMillis(10));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd()
    {
        try
        {
            if (!process.waitFor(30, TimeUnit.SECONDS))
            {
                throw new AssertionError(name + " (pid " + pid() + ") survived SIGKILL for 30 s");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void signal(final String signal)
    {
        run("kill", "-" + signal, Long.toString(pid()));
    }

    private static void run(final String... command)
    {
        try
        {
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Of counts in a row the last is kept: a long run has very many. */
    private void add(final String line)
    {
        synchronized (lines)
        {
            if (!lines.isEmpty() && line.startsWith(FlowPublisher.COUNT) &&
                lines.getLast().startsWith(FlowPublisher.COUNT))
            {
                lines.set(lines.size() - 1, line);
            }
            else
            {
                lines.add(line);
            }
        }
    }

    private void read()
    {
        try (BufferedReader output =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = output.readLine(); line != null; line = output.readLine())
            {
                add(line);
            }
        }
        catch (final IOException e)
        {
            lines.add("(output lost: " + e + ")");
        }
    }
}

package io.gannet.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A mount and pid name space of its own in which a directory is the root of commands, with its own /proc and /dev/shm.
 * What is mounted there ends with it. Needs root.
 */
final class Jail implements AutoCloseable
{
    private static final int DEADLINE_SECONDS = 300;

    private final Process keeper;
    private final long pid;
    private final Path root;

    /**
     * What a command printed, both streams, and its exit code.
     */
    record Result(int exitCode, String out)
    {
    }

    private Jail(final Path root, final String mounts)
    {
        this.root = root;
        try
        {
            final Path ready = Files.createTempFile("jail", ".ready");
            Files.delete(ready);
            final String script = "set -e; " + mounts + "; mkdir -p " + root + "/proc " + root + "/dev; " +
                "mount -t proc proc " + root + "/proc; mount -t tmpfs -o mode=755 dev " + root + "/dev; " +
                "mkdir -m 1777 " + root + "/dev/shm; mount -t tmpfs -o size=512m shm " + root + "/dev/shm; " +
                "for d in null zero random urandom; do touch " + root + "/dev/$d; " +
                "mount --bind /dev/$d " + root + "/dev/$d; done; ln -s /proc/self/fd " + root + "/dev/fd; " +
                "touch " + ready + "; exec sleep 100000";
            keeper = new ProcessBuilder("unshare", "--mount", "--propagation", "private", "--pid", "--fork",
                "--kill-child=KILL", "sh", "-c", script).inheritIO().start();
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            while (!Files.exists(ready))
            {
                if (!keeper.isAlive() || System.nanoTime() - deadline > 0)
                {
                    throw new AssertionError("the jail in " + root + " could not be made");
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
            Files.delete(ready);
            pid = keeper.children().findFirst().orElseThrow().pid();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    /** With a copy of this host's file system, which is only read, as its root. */
    static Jail ofHost(final Path scratch)
    {
        return new Jail(scratch.resolve("root"), "mount -t tmpfs tmpfs " + scratch + "; mkdir " + scratch + "/root " +
            scratch + "/changed " + scratch + "/work; mount -t overlay overlay -o lowerdir=/,upperdir=" + scratch +
            "/changed,workdir=" + scratch + "/work " + scratch + "/root");
    }

    /** With some directory as its root. */
    static Jail of(final Path directory)
    {
        return new Jail(directory, "mount --bind " + directory + " " + directory);
    }

    private List<String> entering(final String user, final String... command)
    {
        final List<String> line = new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid), "--mount", "--pid",
            "chroot"));
        if (user != null)
        {
            line.add("--userspec=" + user);
        }
        line.add(root.toString());
        line.addAll(List.of(command));
        return line;
    }

    /** Starts a command; it prints into {@code log}, a file of this host. */
    Process start(final String user, final Path log, final String... command)
    {
        try
        {
            final ProcessBuilder builder = new ProcessBuilder(entering(user, command)).redirectErrorStream(true)
                .redirectOutput(log.toFile());
            builder.environment().keySet().removeIf(key -> key.startsWith("GANNET_"));
            builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
            return builder.start();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command. */
    Result run(final String... command)
    {
        return runAs(null, command);
    }

    Result runAs(final String user, final String... command)
    {
        try
        {
            final Path log = Files.createTempFile("jail", ".log");
            final Process process = start(user, log, command);
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " did not end; it printed " +
                    Files.readString(log));
            }
            final String out = Files.readString(log, StandardCharsets.UTF_8);
            Files.delete(log);
            return new Result(process.exitValue(), out);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    /** Runs a command that has to end with exit code 0, and returns what it printed. */
    String get(final String... command)
    {
        final Result result = run(command);
        if (result.exitCode != 0)
        {
            throw new AssertionError(
                String.join(" ", command) + " ended with " + result.exitCode + ": " + result.out);
        }
        return result.out;
    }

    @Override
    public void close()
    {
        keeper.descendants().forEach(ProcessHandle::destroyForcibly);
        keeper.destroyForcibly();
        try
        {
            keeper.waitFor();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}

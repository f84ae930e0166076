package io.gannet.doctor;

import io.gannet.os.FileSystem;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The file system of the driver's directory, by the mounts of the process; containers get 64 MiB by default. */
final class SharedMemoryCheck extends Check
{
    /** Below it the driver makes rings of 4 MiB in place of 16 MiB. */
    private static final long WANTED = 1L << 30;
    /** Control file and one ring of 4 MiB. */
    private static final long NEEDED = 16L << 20;
    private static final Pattern SIZE = Pattern.compile("(?:^|,)size=(\\d{1,15})([kmg%]?)(?:,|$)");

    SharedMemoryCheck()
    {
        super("shm", false, "tmpfs of 1 GiB or more",
            "all rings live there; below 1 GiB they are 4 MiB each, and when it is full no stream can be added");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final String[] mount = mount(host);
        final String where = host.directory() + " on " + mount[1] + " (" + mount[2] + ")";
        final String mend = "mount -o remount,size=2g " + mount[1] + "; docker and podman: --shm-size=2g; " +
            "Kubernetes: an emptyDir with medium: Memory and a sizeLimit";
        if (!"tmpfs".equals(mount[2]) && !"ramfs".equals(mount[2]))
        {
            notes.error(where, "a directory below /dev/shm: --dir, or GANNET_DIR for driver and clients");
            return;
        }
        final long size = size(host, mount[3]);
        final OptionalLong available = available(host, mount[1]);
        final String found = where + ": " + (size == 0 ? "no limit" : Units.bytes(size)) +
            (available.isPresent() ? ", " + Units.bytes(available.getAsLong()) + " free" : "");
        if ((available.isPresent() && available.getAsLong() < NEEDED) || (size > 0 && size < NEEDED))
        {
            notes.error(found, mend);
        }
        else if (size > 0 && size < WANTED)
        {
            notes.warning(found, mend);
        }
        else
        {
            notes.ok(found);
        }
    }

    /** Fields of the line of the longest mount point above the directory, of the last one if there are several. */
    private static String[] mount(final Host host)
    {
        String[] best = null;
        for (final String line : host.tree().lines(host.ofProcess("mounts")))
        {
            final String[] fields = line.split(" ", -1);
            if (fields.length >= 4 && isAbove(fields[1], host.directory()) &&
                (best == null || fields[1].length() >= best[1].length()))
            {
                best = fields;
            }
        }
        if (best == null)
        {
            throw new UnreadableException(host.ofProcess("mounts") + " names no file system of " + host.directory());
        }
        return best;
    }

    private static boolean isAbove(final String mount, final String directory)
    {
        return "/".equals(mount) || directory.equals(mount) || directory.startsWith(mount + "/");
    }

    /** Of the mount's options; tmpfs without one takes half of memory. */
    private static long size(final Host host, final String options)
    {
        final Matcher matcher = SIZE.matcher(options);
        final long memory = host.memory("MemTotal");
        if (!matcher.find())
        {
            return memory / 2;
        }
        final long value = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2))
        {
            case "k" -> value << 10;
            case "m" -> value << 20;
            case "g" -> value << 30;
            case "%" -> memory * value / 100;
            default -> value;
        };
    }

    private static OptionalLong available(final Host host, final String mount)
    {
        return host.tree().isThisHost() && host.tree().exists(mount) ?
            OptionalLong.of(FileSystem.of(host.tree().path(mount)).availableBytes()) : OptionalLong.empty();
    }
}

package io.gannet.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The files of a host below a root directory. Paths are given as on the host, such as {@code /proc/meminfo}. A file
 * that can't be read is as good as none: much of /sys is there on some hosts only.
 *
 * @param root {@code /} for this host.
 */
record Tree(Path root)
{
    /** Longest file that is looked at; those of /sys and /proc that matter are far shorter. */
    private static final int MAX_BYTES = 1 << 20;

    boolean isThisHost()
    {
        return root.getNameCount() == 0;
    }

    Path path(final String path)
    {
        return root.resolve(path.substring(1));
    }

    boolean exists(final String path)
    {
        return Files.exists(path(path));
    }

    /** Content without white space at its ends; empty if there is none. */
    String text(final String path)
    {
        try (var in = Files.newInputStream(path(path)))
        {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
        }
        catch (final IOException missing)
        {
            return "";
        }
    }

    List<String> lines(final String path)
    {
        return text(path).lines().toList();
    }

    /** The number at the start of a file. */
    OptionalLong number(final String path)
    {
        return parse(text(path));
    }

    static OptionalLong parse(final String text)
    {
        final String first = text.strip().split("[\\s.]", 2)[0];
        try
        {
            return first.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(first));
        }
        catch (final NumberFormatException notOne)
        {
            return OptionalLong.empty();
        }
    }

    /** Names in a directory, sorted, numbers by value; empty if there is none. */
    List<String> names(final String directory)
    {
        try (Stream<Path> entries = Files.list(path(directory)))
        {
            return entries.map(entry -> entry.getFileName().toString())
                .sorted((a, b) -> a.length() != b.length() && isNumber(a) && isNumber(b) ?
                    Integer.compare(a.length(), b.length()) : a.compareTo(b)).toList();
        }
        catch (final IOException missing)
        {
            return List.of();
        }
    }

    /** Target of a symbolic link as it is written; empty if it isn't one. */
    String link(final String path)
    {
        try
        {
            return Files.readSymbolicLink(path(path)).toString();
        }
        catch (final IOException | UnsupportedOperationException notOne)
        {
            return "";
        }
    }

    /** The text after a colon in the line of a file that starts with {@code key:}; empty if there is none. */
    String field(final String path, final String key)
    {
        for (final String line : lines(path))
        {
            if (line.startsWith(key + ":"))
            {
                return line.substring(key.length() + 1).strip();
            }
        }
        return "";
    }

    private static boolean isNumber(final String text)
    {
        return text.chars().allMatch(Character::isDigit);
    }
}

package io.gannet.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The system calls that a unit leaves to its process, by their numbers. */
final class SystemCalls
{
    /** Names and numbers; of Debian's package linux-libc-dev. */
    static final Path HEADER = Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h");

    private static final Pattern NUMBER = Pattern.compile("#define __NR_(\\w+)\\s+(\\d+)");
    private static final String KEY = "SystemCallFilter=";

    private SystemCalls()
    {
    }

    /**
     * As systemd reads them: what is named, less what is named after {@code ~}, in order.
     *
     * @param unit lines of the unit.
     */
    static List<Integer> of(final List<String> unit) throws IOException
    {
        final Set<String> names = new HashSet<>(expand("@default"));
        for (final String line : unit)
        {
            if (line.startsWith(KEY))
            {
                final boolean without = line.startsWith(KEY + "~");
                for (final String name : line.substring(KEY.length() + (without ? 1 : 0)).split(" ", -1))
                {
                    if (without)
                    {
                        names.removeAll(expand(name));
                    }
                    else
                    {
                        names.addAll(expand(name));
                    }
                }
            }
        }
        final Map<String, Integer> numbers = new HashMap<>();
        for (final String line : Files.readAllLines(HEADER))
        {
            final Matcher number = NUMBER.matcher(line);
            if (number.matches())
            {
                numbers.put(number.group(1), Integer.parseInt(number.group(2)));
            }
        }
        return names.stream().filter(numbers::containsKey).map(numbers::get).sorted().toList();
    }

    private static Set<String> expand(final String name)
    {
        if (!name.startsWith("@"))
        {
            return Set.of(name);
        }
        final Set<String> names = new HashSet<>();
        try
        {
            final Process process = new ProcessBuilder("systemd-analyze", "syscall-filter", name).start();
            process.getOutputStream().close();
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().skip(1)
                .map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(line -> names.addAll(expand(line)));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return names;
    }
}

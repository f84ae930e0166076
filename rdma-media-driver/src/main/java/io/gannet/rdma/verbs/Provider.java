package io.gannet.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user-space driver behind a device, named by the library that its functions are in, as device names can be changed
 * and kernel drivers serve several.
 *
 * @param name such as {@code mlx5} or {@code rxe}; empty where the functions are in no library.
 */
record Provider(String name)
{
    /**
     * Whose posts and polls stay in user space and are bounded. rxe and siw ring their doorbell by a system call, hfi1
     * and ipath even poll by one.
     */
    private static final Set<String> BOUNDED =
        Set.of("mlx5", "mlx4", "irdma", "bnxt_re", "hns", "qedr", "erdma", "efa", "mana", "ionic");
    /** Whose every device writes with an immediate; irdma and cxgb4 do on some, siw on none. */
    private static final Set<String> WITH_IMM =
        Set.of("mlx5", "mlx4", "bnxt_re", "hns", "qedr", "erdma", "mana", "ionic", "rxe");
    /** Whose no device does; efa has no reliable connections either. */
    private static final Set<String> WITHOUT_IMM = Set.of("siw", "efa");
    private static final Pattern LIBRARY = Pattern.compile("lib([a-z0-9_]+?)(-rdmav\\d+)?\\.so(\\..*)?");
    private static final Path MAPS = Path.of("/proc/self/maps");

    boolean isBounded()
    {
        return BOUNDED.contains(name);
    }

    boolean isKnownToWriteWithImm()
    {
        return WITH_IMM.contains(name);
    }

    /** Whether all its devices are alike in that. */
    boolean isKnown()
    {
        return WITH_IMM.contains(name) || WITHOUT_IMM.contains(name);
    }

    /**
     * Finds the library of a function.
     *
     * @return null if the address is not executable, so that a call would end the process.
     */
    static Provider of(final long function)
    {
        return of(function, maps());
    }

    static Provider of(final long function, final List<String> maps)
    {
        for (final String line : maps)
        {
            final String[] fields = line.split("\\s+", 6);
            final int dash = fields[0].indexOf('-');
            final long from = Long.parseUnsignedLong(fields[0].substring(0, dash), 16);
            final long to = Long.parseUnsignedLong(fields[0].substring(dash + 1), 16);
            if (Long.compareUnsigned(function, from) >= 0 && Long.compareUnsigned(function, to) < 0)
            {
                return fields[1].charAt(2) != 'x' ? null : new Provider(fields.length < 6 ? "" : name(fields[5]));
            }
        }
        return null;
    }

    /** {@return the file, with its full version, that a loaded library came from; the name given if that is unknown} */
    static String file(final String library)
    {
        for (final String line : maps())
        {
            final int slash = line.indexOf('/');
            if (slash >= 0 && line.substring(line.lastIndexOf('/') + 1).startsWith(library))
            {
                return line.substring(slash);
            }
        }
        return library;
    }

    private static String name(final String path)
    {
        final Matcher matcher = LIBRARY.matcher(path.substring(path.lastIndexOf('/') + 1));
        return matcher.matches() ? matcher.group(1) : "";
    }

    private static List<String> maps()
    {
        try
        {
            return Files.readAllLines(MAPS);
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }
}

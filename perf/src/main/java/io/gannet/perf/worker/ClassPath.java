package io.gannet.perf.worker;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The class path of this process, for its children and its class loaders.
 */
public final class ClassPath
{
    private ClassPath()
    {
    }

    /** Absolute entries. */
    public static List<Path> entries()
    {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .toList();
    }

    /** The entries as one argument. */
    public static String argument()
    {
        return entries().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}

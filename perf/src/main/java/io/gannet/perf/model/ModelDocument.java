package io.gannet.perf.model;

import io.gannet.perf.chart.MarkdownTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A Markdown document with the model's tables in it, and its plots in a directory beside it.
 */
public final class ModelDocument
{
    private ModelDocument()
    {
    }

    /** All files of the document in {@code file}, by path. */
    public static Map<Path, String> files(final Path file) throws IOException
    {
        final Hardware hardware = Hardware.defaults();
        final Map<Path, String> files = new LinkedHashMap<>();
        files.put(file, MarkdownTables.refresh(Files.readString(file), ModelTables.all(hardware)));
        final Path directory = file.resolveSibling(file.getFileName().toString().replaceFirst("[.]md$", ""));
        ModelPlots.all(hardware).forEach((name, svg) -> files.put(directory.resolve(name), svg));
        return files;
    }

    /** Writes them. */
    public static void write(final Path file) throws IOException
    {
        for (final Map.Entry<Path, String> entry : files(file).entrySet())
        {
            Files.createDirectories(entry.getKey().toAbsolutePath().getParent());
            Files.writeString(entry.getKey(), entry.getValue(), StandardCharsets.UTF_8);
        }
    }
}

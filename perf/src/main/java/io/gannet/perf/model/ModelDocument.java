package io.gannet.perf.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A Markdown document with the model's tables in it, each between {@code <!-- table: name -->} and
 * {@code <!-- end -->}, and its plots in a directory beside it.
 */
public final class ModelDocument
{
    private static final String BEGIN = "<!-- table: ";
    private static final String CLOSE = " -->\n";
    private static final String END = "<!-- end -->";

    private ModelDocument()
    {
    }

    /** The document's text with fresh tables. */
    public static String refresh(final String text, final Map<String, String> tables)
    {
        final StringBuilder fresh = new StringBuilder(text.length());
        int at = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, at))
        {
            final int nameEnd = text.indexOf(CLOSE, begin);
            final int end = text.indexOf(END, begin);
            final String name = nameEnd < 0 ? "" : text.substring(begin + BEGIN.length(), nameEnd);
            if (end < nameEnd || !tables.containsKey(name))
            {
                throw new IllegalArgumentException("no table " + name + ", or no " + END + " after it");
            }
            fresh.append(text, at, nameEnd + CLOSE.length()).append(tables.get(name));
            at = end;
        }
        return fresh.append(text, at, text.length()).toString();
    }

    /** All files of the document in {@code file}, by path. */
    public static Map<Path, String> files(final Path file) throws IOException
    {
        final Hardware hardware = Hardware.defaults();
        final Map<Path, String> files = new LinkedHashMap<>();
        files.put(file, refresh(Files.readString(file), ModelTables.all(hardware)));
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

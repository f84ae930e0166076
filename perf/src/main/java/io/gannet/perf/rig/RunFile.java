package io.gannet.perf.rig;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A run as a JSON file: machine, configuration, rows and bars.
 *
 * @param machine       where and when.
 * @param configuration how.
 * @param rows          what came out; a value that was not seen is null.
 * @param bars          which bars it meets.
 */
public record RunFile(
    Map<String, String> machine, Map<String, String> configuration, List<Row> rows, List<Bars.Bar> bars)
{
    private static final Gson GSON =
        new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();

    /** What is kept of a run. */
    public static RunFile of(final RunRecord run)
    {
        final List<Row> rows = run.results().rows();
        return new RunFile(run.machine(), run.configuration(), rows, Bars.of(rows));
    }

    /** As JSON text. */
    public String toJson()
    {
        return GSON.toJson(this) + "\n";
    }

    /** Reads a file that an earlier run wrote. */
    public static RunFile read(final Path file) throws IOException
    {
        try
        {
            final RunFile read = GSON.fromJson(Files.readString(file, StandardCharsets.UTF_8), RunFile.class);
            if (read == null || read.rows() == null || read.machine() == null || read.configuration() == null)
            {
                throw new RigException(file + " is not a run of gannet perf: machine, configuration or rows missing");
            }
            return read;
        }
        catch (final JsonParseException e)
        {
            throw new RigException(file + " is not a run of gannet perf: " + e.getMessage(), e);
        }
    }
}

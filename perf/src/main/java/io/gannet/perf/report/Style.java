package io.gannet.perf.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The page's style sheet; follows the reader's light or dark setting.
 */
final class Style
{
    private static final String FILE = "report.css";

    private Style()
    {
    }

    static String css()
    {
        try (InputStream in = Style.class.getResourceAsStream(FILE))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}

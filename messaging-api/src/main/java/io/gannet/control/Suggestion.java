package io.gannet.control;

import java.util.Collection;
import java.util.Locale;

/**
 * The "did you mean" of an error message.
 */
public final class Suggestion
{
    private Suggestion()
    {
    }

    /** A clause that names the nearest of {@code known}, or an empty string when none is near. */
    public static String of(final String given, final Collection<String> known)
    {
        String nearest = null;
        int best = Math.max(2, given.length() / 3) + 1;
        for (final String candidate : known)
        {
            final int distance = distance(given.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < best)
            {
                best = distance;
                nearest = candidate;
            }
        }
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    /** Levenshtein's distance, one row at a time. */
    private static int distance(final String a, final String b)
    {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
        {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++)
        {
            final int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++)
            {
                final int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(previous[j], row[j - 1]) + 1);
            }
            previous = row;
        }
        return previous[b.length()];
    }
}

package io.gannet.perf.chart;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Tables in Markdown, and documents that hold generated ones, each between {@code <!-- table: name -->} and
 * {@code <!-- end -->}.
 */
public final class MarkdownTables
{
    private static final String BEGIN = "<!-- table: ";
    private static final String CLOSE = " -->\n";
    private static final String END = "<!-- end -->";

    private MarkdownTables()
    {
    }

    /**
     * A table.
     *
     * @param first  heading of the first column.
     * @param others headings of the others.
     */
    public static String table(final String first, final String[] others, final List<String[]> rows)
    {
        final StringBuilder text = new StringBuilder("| ").append(first);
        Arrays.stream(others).forEach(name -> text.append(" | ").append(name));
        text.append(" |\n|---").append("|---".repeat(others.length)).append("|\n");
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return text.toString();
    }

    /**
     * A document's text with fresh tables; those that are not among {@code tables} stay as they are.
     *
     * @throws IllegalArgumentException if a table has no end, or one of {@code tables} has no place in the text.
     */
    public static String refresh(final String text, final Map<String, String> tables)
    {
        tables.keySet().stream().filter(name -> !text.contains(BEGIN + name + CLOSE)).findFirst().ifPresent(name ->
        {
            throw new IllegalArgumentException("it has no line " + BEGIN + name + CLOSE.strip());
        });
        final StringBuilder fresh = new StringBuilder(text.length());
        int at = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, at))
        {
            final int nameEnd = text.indexOf(CLOSE, begin);
            final int end = text.indexOf(END, begin);
            final String name = nameEnd < 0 ? "" : text.substring(begin + BEGIN.length(), nameEnd);
            if (name.isEmpty() || end < nameEnd)
            {
                throw new IllegalArgumentException("table " + name + " has no " + END);
            }
            final int bodyBegin = nameEnd + CLOSE.length();
            fresh.append(text, at, bodyBegin)
                .append(tables.getOrDefault(name, text.substring(bodyBegin, end)));
            at = end;
        }
        return fresh.append(text, at, text.length()).toString();
    }
}

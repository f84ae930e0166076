package io.gannet.monitor.metrics;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads OpenMetrics 1.0 text and accepts nothing that the specification forbids, as far as this program might write it:
 * order of metadata, families that are not interleaved, names, suffixes, escapes, labels, units, values, histograms,
 * and no sample twice.
 */
public final class OpenMetricsParser
{
    private static final Pattern METADATA =
        Pattern.compile("# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)", Pattern.DOTALL);
    private static final Pattern SAMPLE =
        Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final Map<String, Set<String>> SUFFIXES = Map.of(
        "gauge", Set.of(""), "counter", Set.of("_total"), "unknown", Set.of(""), "info", Set.of("_info"),
        "stateset", Set.of(""), "histogram", Set.of("_bucket", "_count", "_sum"));

    private final Map<String, BigDecimal> samples = new LinkedHashMap<>();
    private final Map<String, String> types = new TreeMap<>();
    private final Set<String> names = new TreeSet<>();
    private final Map<String, Map<String, BigDecimal>> histograms = new LinkedHashMap<>();
    private String family;
    private String unit;
    private boolean hasHelp;
    private boolean hasSamples;

    /** Reads all of a text. */
    public OpenMetricsParser(final String text)
    {
        require(text.endsWith("\n# EOF\n"), "no # EOF at the end: " + text.substring(Math.max(0, text.length() - 60)));
        final String body = text.substring(0, text.length() - "# EOF\n".length());
        for (final String line : body.substring(0, body.length() - 1).split("\n", -1))
        {
            if (line.startsWith("#"))
            {
                metadata(line);
            }
            else
            {
                sample(line);
            }
        }
        endFamily();
        histograms.forEach(OpenMetricsParser::checkHistogram);
    }

    /** {@return value of a sample, named as {@code name{label="value",...}}; null if there is none} */
    public Double value(final String sample)
    {
        final BigDecimal found = samples.get(sample);
        return found == null ? null : found.doubleValue();
    }

    /** {@return the sum of all samples of a name} */
    public double sum(final String name)
    {
        return samples.entrySet().stream().filter(entry -> nameOf(entry.getKey()).equals(name))
            .mapToDouble(entry -> entry.getValue().doubleValue()).sum();
    }

    /** {@return names of samples, with suffixes} */
    public Set<String> names()
    {
        return names;
    }

    /** {@return samples, as they are written} */
    public Set<String> samples()
    {
        return samples.keySet();
    }

    private static String nameOf(final String sample)
    {
        final int brace = sample.indexOf('{');
        return brace < 0 ? sample : sample.substring(0, brace);
    }

    private void metadata(final String line)
    {
        final Matcher found = METADATA.matcher(line);
        require(found.matches(), "no metadata: " + line);
        final String name = found.group(2);
        switch (found.group(1))
        {
            case "TYPE" ->
            {
                endFamily();
                require(SUFFIXES.containsKey(found.group(3)), "no such type: " + line);
                require(types.put(name, found.group(3)) == null, "a family twice: " + line);
                family = name;
                unit = null;
                hasHelp = false;
                hasSamples = false;
            }
            case "UNIT" ->
            {
                require(name.equals(family) && unit == null && !hasSamples, "a unit out of place: " + line);
                unit = found.group(3);
                require(name.endsWith("_" + unit), "a name that does not end with its unit: " + line);
                require(!"info".equals(types.get(name)) && !"stateset".equals(types.get(name)), "no unit: " + line);
            }
            default ->
            {
                require(name.equals(family) && !hasHelp && !hasSamples, "a help out of place: " + line);
                unescape(found.group(3));
                hasHelp = true;
            }
        }
    }

    private void endFamily()
    {
        require(family == null || (hasHelp && hasSamples), family + " has no help or no samples");
    }

    private void sample(final String line)
    {
        final Matcher found = SAMPLE.matcher(line);
        require(found.matches(), "no sample: " + line);
        final String name = found.group(1);
        require(family != null && name.startsWith(family), "a sample outside of its family: " + line);
        final String type = types.get(family);
        final String suffix = name.substring(family.length());
        require(SUFFIXES.get(type).contains(suffix), "a suffix that " + type + " does not have: " + line);
        final Map<String, String> labels = labels(found.group(2), line);
        require(NUMBER.matcher(found.group(3)).matches(), "no number: " + line);
        final BigDecimal value = new BigDecimal(found.group(3));
        switch (type)
        {
            case "counter" -> require(value.signum() >= 0, "a counter below zero: " + line);
            case "info" -> require(value.compareTo(BigDecimal.ONE) == 0, "an info that is not 1: " + line);
            case "stateset" -> require(labels.containsKey(family) && Set.of("0", "1").contains(found.group(3)),
                "no state: " + line);
            case "histogram" -> histogram(suffix, labels, value, line);
            default -> require(!labels.containsKey("le"), "le on a " + type + ": " + line);
        }
        require(samples.put(line.substring(0, line.lastIndexOf(' ')), value) == null, "a sample twice: " + line);
        names.add(name);
        hasSamples = true;
    }

    private void histogram(
        final String suffix, final Map<String, String> labels, final BigDecimal value, final String line)
    {
        require(value.signum() >= 0, "a histogram below zero: " + line);
        final Map<String, String> others = new TreeMap<>(labels);
        final String limit = others.remove("le");
        require("_bucket".equals(suffix) == (limit != null), "le is for buckets: " + line);
        histograms.computeIfAbsent(family + others, key -> new LinkedHashMap<>())
            .put(limit == null ? suffix : limit, value);
    }

    private static void checkHistogram(final String name, final Map<String, BigDecimal> parts)
    {
        BigDecimal limit = null;
        BigDecimal count = BigDecimal.ZERO;
        for (final Map.Entry<String, BigDecimal> part : parts.entrySet())
        {
            if (!part.getKey().startsWith("_"))
            {
                require(count.compareTo(part.getValue()) <= 0, name + " is not cumulative at " + part.getKey());
                count = part.getValue();
                if (!"+Inf".equals(part.getKey()))
                {
                    final BigDecimal next = new BigDecimal(part.getKey());
                    require(limit == null || next.compareTo(limit) > 0, name + " has limits out of order");
                    limit = next;
                }
            }
        }
        require(is(parts.get("+Inf"), count), name + " has no last bucket");
        require(is(parts.get("_count"), count), name + " has no fitting count");
        require(parts.containsKey("_sum"), name + " has no sum");
    }

    private static Map<String, String> labels(final String text, final String line)
    {
        final Map<String, String> labels = new LinkedHashMap<>();
        if (text == null)
        {
            return labels;
        }
        require(!text.isEmpty(), "empty braces: " + line);
        final Pattern label =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"(,|\\z)", Pattern.DOTALL);
        final Matcher found = label.matcher(text);
        int end = 0;
        while (end < text.length())
        {
            require(found.find() && found.start() == end, "labels: " + line);
            require(labels.put(found.group(1), unescape(found.group(2))) == null, "a label twice: " + line);
            end = found.end();
            require(end < text.length() || found.group(3).isEmpty(), "a comma at the end: " + line);
        }
        return labels;
    }

    private static String unescape(final String text)
    {
        final StringBuilder plain = new StringBuilder();
        boolean escaped = false;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            require(!escaped || "\\\"n".indexOf(c) >= 0, "no such escape: " + text);
            if (escaped || c != '\\')
            {
                plain.append(escaped && c == 'n' ? '\n' : c);
            }
            escaped = !escaped && c == '\\';
        }
        require(!escaped, "half an escape: " + text);
        return plain.toString();
    }

    private static boolean is(final BigDecimal part, final BigDecimal count)
    {
        return part != null && part.compareTo(count) == 0;
    }

    private static void require(final boolean condition, final String otherwise)
    {
        if (!condition)
        {
            throw new AssertionError(otherwise);
        }
    }

    /** Names of families with their types. */
    public Map<String, String> types()
    {
        return types;
    }

    /** Whether there is a sample of that name at all. */
    public boolean has(final String name)
    {
        return names.contains(name);
    }
}

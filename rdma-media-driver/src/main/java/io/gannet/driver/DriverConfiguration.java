package io.gannet.driver;

import io.gannet.control.Suggestion;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The values of all options, each with where it came from. Immutable: {@code with...} methods return a changed copy, so
 * the order of calls is the order of precedence: defaults, {@link #withFile}, {@link #withEnvironment},
 * {@link #withFlag} or {@link #with}.
 */
public final class DriverConfiguration
{
    /** Prefix of the environment variables that are options. */
    public static final String ENVIRONMENT_PREFIX = "GANNET_DRIVER_";

    private static final String DIRECTORY_VARIABLE = "GANNET_DIR";
    private static final Map<String, DriverOption<?>> BY_KEY = new TreeMap<>();
    private static final Map<String, DriverOption<?>> BY_VARIABLE = new TreeMap<>();

    static
    {
        for (final DriverOption<?> option : DriverOptions.all())
        {
            BY_KEY.put(option.key(), option);
            BY_VARIABLE.put(option.environmentVariable(), option);
        }
    }

    private final Map<DriverOption<?>, Setting> settings;

    private DriverConfiguration(final Map<DriverOption<?>, Setting> settings)
    {
        this.settings = settings;
    }

    /** Every option at its default. */
    public static DriverConfiguration defaults()
    {
        return new DriverConfiguration(Map.of());
    }

    /**
     * The value of an option.
     *
     * @param option which one.
     * @param <T>    its type.
     * @return the value, within the option's range.
     */
    @SuppressWarnings("unchecked") // settings are only made by set(), which ties the types
    public <T> T get(final DriverOption<T> option)
    {
        final Setting setting = settings.get(option);
        return setting == null ? option.defaultValue() : (T) setting.value;
    }

    /** Where the value of an option came from: default, code, flag, an environment variable or a file and line. */
    public String source(final DriverOption<?> option)
    {
        final Setting setting = settings.get(option);
        return setting == null ? "default" : setting.source;
    }

    /**
     * A copy with one value changed by code.
     *
     * @param option which one.
     * @param value  its value.
     * @param <T>    its type.
     * @return the changed copy.
     * @throws ConfigurationException if the value is out of range.
     */
    public <T> DriverConfiguration with(final DriverOption<T> option, final T value)
    {
        return set(Map.of(option, setting(option, option.print(value), "code")));
    }

    /**
     * A copy with one value changed by the command line.
     *
     * @param option which one.
     * @param text   its value as the operator wrote it.
     * @return the changed copy.
     * @throws ConfigurationException if the value is out of range.
     */
    public DriverConfiguration withFlag(final DriverOption<?> option, final String text)
    {
        return set(Map.of(option, setting(option, text, "flag " + option.flag())));
    }

    /**
     * A copy with the values that the environment sets. Of the variables that do not start with
     * {@link #ENVIRONMENT_PREFIX} only {@code GANNET_DIR} is looked at, which names the directory for clients as well.
     *
     * @param environment the variables.
     * @return the changed copy.
     * @throws ConfigurationException naming the variable, if it is unknown or its value out of range.
     */
    public DriverConfiguration withEnvironment(final Map<String, String> environment)
    {
        final Map<DriverOption<?>, Setting> changes = new HashMap<>();
        final String shared = environment.get(DIRECTORY_VARIABLE);
        if (shared != null && !shared.isBlank())
        {
            changes.put(DriverOptions.DIRECTORY,
                setting(DriverOptions.DIRECTORY, shared, "environment " + DIRECTORY_VARIABLE));
        }
        for (final Map.Entry<String, String> variable : environment.entrySet())
        {
            if (variable.getKey().startsWith(ENVIRONMENT_PREFIX))
            {
                final DriverOption<?> option = BY_VARIABLE.get(variable.getKey());
                if (option == null)
                {
                    throw new ConfigurationException("environment variable " + variable.getKey() +
                        " is not an option" + Suggestion.of(variable.getKey(), BY_VARIABLE.keySet()));
                }
                final String source = "environment " + variable.getKey();
                changes.put(option, located(source, () -> setting(option, variable.getValue(), source)));
            }
        }
        return set(changes);
    }

    /**
     * A copy with the values that a file sets: one {@code key = value} in a line, {@code #} starts a comment line.
     *
     * @param file the file, UTF-8.
     * @return the changed copy.
     * @throws ConfigurationException naming file and line, if the file can't be read, a key is unknown or given twice,
     *                                or a value is out of range.
     */
    public DriverConfiguration withFile(final Path file)
    {
        final Map<DriverOption<?>, Setting> changes = new HashMap<>();
        final List<String> lines = readLines(file);
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#"))
            {
                final String source = file + ":" + (i + 1);
                final Map.Entry<DriverOption<?>, Setting> entry = located(source, () -> parseLine(line, source));
                final Setting earlier = changes.put(entry.getKey(), entry.getValue());
                if (earlier != null)
                {
                    throw new ConfigurationException(twice(source, entry.getKey(), earlier.source));
                }
            }
        }
        return set(changes);
    }

    /**
     * All that is wrong with a file that {@link #withFile} would not take.
     *
     * @param file the file.
     * @return one message for each mistake, with file and line; empty if there is none.
     */
    public static List<String> mistakes(final Path file)
    {
        final List<String> mistakes = new ArrayList<>();
        final Map<DriverOption<?>, String> sources = new HashMap<>();
        try
        {
            final List<String> lines = readLines(file);
            for (int i = 0; i < lines.size(); i++)
            {
                mistake(lines.get(i).strip(), file + ":" + (i + 1), sources).ifPresent(mistakes::add);
            }
        }
        catch (final ConfigurationException unreadable)
        {
            mistakes.add(unreadable.getMessage());
        }
        return mistakes;
    }

    private static Optional<String> mistake(
        final String line, final String source, final Map<DriverOption<?>, String> sources)
    {
        if (line.isEmpty() || line.startsWith("#"))
        {
            return Optional.empty();
        }
        try
        {
            final DriverOption<?> option = located(source, () -> parseLine(line, source)).getKey();
            final String earlier = sources.putIfAbsent(option, source);
            return earlier == null ? Optional.empty() : Optional.of(twice(source, option, earlier));
        }
        catch (final ConfigurationException wrong)
        {
            return Optional.of(wrong.getMessage());
        }
    }

    private static String twice(final String source, final DriverOption<?> option, final String earlier)
    {
        return source + ": " + option + " is set twice, first at " + earlier;
    }

    /** One line for each option: key, value and where the value came from. */
    public String print()
    {
        final StringBuilder text = new StringBuilder();
        for (final DriverOption<?> option : DriverOptions.all())
        {
            text.append(String.format("%-18s = %-28s # %s%n", option.key(), print(option), source(option)));
        }
        return text.toString();
    }

    /** The value of an option, as an operator writes it. */
    public String print(final DriverOption<?> option)
    {
        return printValue(option);
    }

    private <T> String printValue(final DriverOption<T> option)
    {
        return option.print(get(option));
    }

    private static List<String> readLines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final NoSuchFileException e)
        {
            throw new ConfigurationException(file + ": there is no such file", e);
        }
        catch (final AccessDeniedException e)
        {
            throw new ConfigurationException(file + ": can't be read: permission denied", e);
        }
        catch (final CharacterCodingException e)
        {
            throw new ConfigurationException(file + ": not a text file in UTF-8", e);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(file + ": can't be read: " + e.getMessage(), e);
        }
    }

    private static Map.Entry<DriverOption<?>, Setting> parseLine(final String line, final String source)
    {
        final int equals = line.indexOf('=');
        if (equals < 0)
        {
            throw new ConfigurationException("'" + line + "' is not of the form key = value");
        }
        final String key = line.substring(0, equals).strip();
        final DriverOption<?> option = BY_KEY.get(key);
        if (option == null)
        {
            throw new ConfigurationException("unknown key " + key + Suggestion.of(key, BY_KEY.keySet()));
        }
        return Map.entry(option, setting(option, line.substring(equals + 1).strip(), source));
    }

    private static <R> R located(final String source, final java.util.function.Supplier<R> step)
    {
        try
        {
            return step.get();
        }
        catch (final ConfigurationException e)
        {
            throw new ConfigurationException(source + ": " + e.getMessage(), e);
        }
    }

    private static Setting setting(final DriverOption<?> option, final String text, final String source)
    {
        return new Setting(option.parse(text), source);
    }

    private DriverConfiguration set(final Map<DriverOption<?>, Setting> changes)
    {
        final Map<DriverOption<?>, Setting> copy = new HashMap<>(settings);
        copy.putAll(changes);
        return new DriverConfiguration(Map.copyOf(copy));
    }

    private record Setting(Object value, String source)
    {
    }
}

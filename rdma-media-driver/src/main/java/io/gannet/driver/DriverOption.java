package io.gannet.driver;

import java.util.Locale;

/**
 * One option of the driver. {@link DriverOptions} states each option once; the command's flags, the keys of a
 * configuration file, the environment variables and the reference page are made from it.
 *
 * @param <T> type of the value.
 */
public final class DriverOption<T>
{
    private final String key;
    private final OptionType<T> type;
    private final String defaultText;
    private final String description;

    DriverOption(final String key, final OptionType<T> type, final String defaultText, final String description)
    {
        this.key = key;
        this.type = type;
        this.defaultText = defaultText;
        this.description = description;
    }

    /** The key in a configuration file, lower case with dashes. */
    public String key()
    {
        return key;
    }

    /** The command's flag: {@code --} and the key. */
    public String flag()
    {
        return "--" + key;
    }

    /** The environment variable: {@link DriverConfiguration#ENVIRONMENT_PREFIX} and the key in upper case. */
    public String environmentVariable()
    {
        return DriverConfiguration.ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** What the value stands for, in a word: size, duration, count, switch, choice, path. */
    public String typeName()
    {
        return type.name();
    }

    /** The unit of the value, or an empty string. */
    public String unit()
    {
        return type.unit();
    }

    /** The values that are allowed, in words. */
    public String range()
    {
        return type.range();
    }

    /** The default as an operator would write it; names of the user's surroundings stay in angle brackets. */
    public String defaultText()
    {
        return defaultText;
    }

    /** What the option does. */
    public String description()
    {
        return description;
    }

    /**
     * The value that {@code text} stands for.
     *
     * @param text the value as an operator writes it.
     * @return the value, within the range.
     * @throws ConfigurationException naming the option, the text and the range.
     */
    public T parse(final String text)
    {
        try
        {
            return type.parse().apply(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException(key + ": '" + text + "' is not allowed: " + e.getMessage(), e);
        }
    }

    /** The text that {@link #parse} turns into {@code value}. */
    public String print(final T value)
    {
        return type.print().apply(value);
    }

    /** The default value, with the user's name and the like filled in. */
    public T defaultValue()
    {
        return parse(DriverOptions.DEFAULT_DIRECTORY_TEXT.equals(defaultText) ?
            DriverOptions.defaultDirectory() : defaultText);
    }

    @Override
    public String toString()
    {
        return key;
    }
}

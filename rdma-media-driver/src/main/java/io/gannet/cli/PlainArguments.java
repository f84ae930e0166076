package io.gannet.cli;

import io.gannet.driver.ConfigurationException;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOption;
import io.gannet.driver.DriverOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Understands a faultless command line of {@code gannet driver} that has driver options and {@code --config} alone.
 * Anything else, and every mistake, is left to the command-line library, which knows how to say it.
 * <p>
 * The library's class files are of a version that can't be put into a class-data archive; without it a driver starts
 * in half the time.
 */
final class PlainArguments
{
    private static final String CONFIG = "--config";

    private PlainArguments()
    {
    }

    /**
     * @param arguments after the subcommand.
     * @return the configuration, or null if the command line isn't as simple.
     */
    static DriverConfiguration configuration(final String... arguments)
    {
        final Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.length; i++)
        {
            final int equals = arguments[i].indexOf('=');
            final String name = equals < 0 ? arguments[i] : arguments[i].substring(0, equals);
            if (equals < 0 && ++i == arguments.length)
            {
                return null;
            }
            final String value = equals < 0 ? arguments[i] : arguments[i].substring(equals + 1);
            if (value.isEmpty() || value.startsWith("-") || value.startsWith("@") || value.contains("\"") ||
                values.put(name, value) != null)
            {
                return null;
            }
        }
        try
        {
            return configuration(values);
        }
        catch (final ConfigurationException mistake)
        {
            return null;
        }
    }

    private static DriverConfiguration configuration(final Map<String, String> values)
    {
        DriverConfiguration configuration = DriverConfiguration.defaults();
        final String file = values.remove(CONFIG);
        if (file != null)
        {
            configuration = configuration.withFile(Path.of(file));
        }
        configuration = configuration.withEnvironment(System.getenv());
        for (final DriverOption<?> option : DriverOptions.all())
        {
            final String text = values.remove(option.flag());
            if (text != null)
            {
                configuration = configuration.withFlag(option, text);
            }
        }
        return values.isEmpty() ? configuration : null;
    }
}

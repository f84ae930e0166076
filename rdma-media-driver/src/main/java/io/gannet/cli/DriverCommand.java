package io.gannet.cli;

import io.gannet.driver.ConfigurationReference;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOption;
import io.gannet.driver.DriverOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * {@code gannet driver}: a media driver of its own process.
 */
@Command(name = "driver", sortOptions = false, description =
    "Runs a media driver until SIGTERM or Ctrl-C. Prints one line when clients can connect.")
public final class DriverCommand implements Subcommand, SpecExtension
{
    @Option(names = "--config", paramLabel = "FILE", description = "File of options, one key = value in a line.")
    private Path config;

    @Option(names = "--print-config", description = "Prints every option, its value and where it came from; ends.")
    private boolean printConfig;

    @Option(names = "--print-reference", description = "Prints the reference page of all options; ends.")
    private boolean printReference;

    private final Map<DriverOption<?>, OptionSpec> flags = new LinkedHashMap<>();

    @Override
    public void extend(final CommandSpec spec)
    {
        for (final DriverOption<?> option : DriverOptions.all())
        {
            final OptionSpec flag = OptionSpec.builder(option.flag())
                .type(String.class)
                .paramLabel(option.typeName().toUpperCase(java.util.Locale.ROOT))
                .description(option.description().replace("%", "%%"),
                    "Allowed: " + option.range() + ". Default: " + option.defaultText() + ".")
                .build();
            flags.put(option, flag);
            spec.addOption(flag);
        }
    }

    @Override
    public Integer call()
    {
        if (printReference)
        {
            System.out.print(ConfigurationReference.markdown());
            return 0;
        }
        final DriverConfiguration configuration = configuration();
        if (printConfig)
        {
            System.out.print(configuration.print());
            return 0;
        }
        return DriverProcess.run(configuration);
    }

    private DriverConfiguration configuration()
    {
        DriverConfiguration configuration = DriverConfiguration.defaults();
        if (config != null)
        {
            configuration = configuration.withFile(config);
        }
        configuration = configuration.withEnvironment(System.getenv());
        for (final Map.Entry<DriverOption<?>, OptionSpec> flag : flags.entrySet())
        {
            final String text = flag.getValue().getValue();
            if (text != null)
            {
                configuration = configuration.withFlag(flag.getKey(), text);
            }
        }
        return configuration;
    }
}

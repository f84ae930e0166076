package io.gannet.cli;

import io.gannet.driver.ConfigurationException;
import io.gannet.driver.ConfigurationReference;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOption;
import io.gannet.driver.DriverOptions;
import io.gannet.errors.OperatorError;
import io.gannet.text.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
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

    @Option(names = "--check-config", description = "Looks for mistakes in file, environment and flags, prints each " +
        "with its line, and ends: with exit code 0 if there are none, 2 if there are.")
    private boolean checkConfig;

    @Option(names = "--json", description = "With --print-config or --check-config: prints one JSON object.")
    private boolean json;

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
        if (json && !checkConfig && !printConfig)
        {
            throw new UsageException("--json: only with --print-config or --check-config");
        }
        if (checkConfig)
        {
            return check();
        }
        final DriverConfiguration configuration = configuration();
        if (printConfig)
        {
            System.out.print(json ? json(configuration) : configuration.print());
            return 0;
        }
        return DriverProcess.run(configuration);
    }

    private int check()
    {
        final List<String> mistakes =
            new ArrayList<>(config == null ? List.of() : DriverConfiguration.mistakes(config));
        String result = "";
        if (mistakes.isEmpty())
        {
            try
            {
                final DriverConfiguration configuration = configuration();
                DriverProcess.check(configuration);
                result = "no mistakes: " + DriverOptions.all().stream()
                    .filter(option -> !"default".equals(configuration.source(option))).count() + " options of " +
                    DriverOptions.all().size() + " are set";
            }
            catch (final ConfigurationException | UsageException mistake)
            {
                mistakes.add(mistake.getMessage());
            }
        }
        if (json)
        {
            final Json text = new Json().object().name("mistakes").array();
            mistakes.forEach(mistake -> text.value(OperatorError.CONFIGURATION.tag(mistake)));
            System.out.println(text.end().end().text());
            return mistakes.isEmpty() ? 0 : CommandLine.ExitCode.USAGE;
        }
        if (mistakes.isEmpty())
        {
            System.out.println(result);
            return 0;
        }
        final PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        mistakes.forEach(mistake -> Mistakes.oneLine(err, OperatorError.CONFIGURATION.tag(mistake)));
        return CommandLine.ExitCode.USAGE;
    }

    private static String json(final DriverConfiguration configuration)
    {
        final Json text = new Json().object();
        for (final DriverOption<?> option : DriverOptions.all())
        {
            text.name(option.key()).object().name("value").value(configuration.print(option))
                .name("source").value(configuration.source(option)).end();
        }
        return text.end().text().append('\n').toString();
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

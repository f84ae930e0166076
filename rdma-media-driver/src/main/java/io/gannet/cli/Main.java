package io.gannet.cli;

import io.gannet.errors.ErrorCodes;
import io.gannet.errors.OperatorError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Entry point of the {@code gannet} command.
 * <p>
 * Exit codes: 0 done, 1 it failed and the last line says why, 2 the command line is wrong, or a value on it or of an
 * option elsewhere, 130 and 143 ended by a signal.
 */
public final class Main
{
    private static final Map<String, String> EXIT_CODES = new TreeMap<>(Map.of(
        "0", "done", "1", "it failed, and the last line says why",
        "2", "wrong command line, or a value that is not possible",
        "130", "ended by Ctrl-C", "143", "ended by SIGTERM, as what runs until then should be"));

    private Main()
    {
    }

    static void main(final String[] args)
    {
        System.exit(checkOutput(run(args)));
    }

    /** What was printed and did not get there was not done; whoever closed a pipe, as head does, wanted no more. */
    private static int checkOutput(final int code)
    {
        if (code != 0 || !System.out.checkError() || isPipe())
        {
            return code;
        }
        Mistakes.oneLine(new PrintWriter(System.err, true, StandardCharsets.UTF_8), OperatorError.COMMAND_FAILED.tag(
            "standard output cannot be written: is its disk full?"));
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static boolean isPipe()
    {
        try
        {
            final String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        }
        catch (final IOException unknown)
        {
            return true;
        }
    }

    /** Runs one command line and returns its exit code. */
    static int run(final String... args)
    {
        try
        {
            return commandLine(args.length == 0 ? "" : args[0]).execute(args);
        }
        catch (final ServiceConfigurationError unreadable)
        {
            final Throwable cause = unreadable.getCause() == null ? unreadable : unreadable.getCause();
            Mistakes.oneLine(new PrintWriter(System.err, true, StandardCharsets.UTF_8), ErrorCodes.of(cause).tag(
                "cannot read which commands there are: " + cause.getMessage() +
                ". With too many open files raise the limit: ulimit -n"));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** A command line that knows {@code called} alone if there is such a subcommand, else all of them. */
    static CommandLine commandLine(final String called)
    {
        final List<ServiceLoader.Provider<Subcommand>> providers = new ArrayList<>();
        ServiceLoader.load(Subcommand.class).stream().forEach(providers::add);
        providers.sort(Comparator.comparing(Main::name));

        final List<ServiceLoader.Provider<Subcommand>> wanted = new ArrayList<>(providers);
        wanted.removeIf(provider -> !name(provider).equals(called));

        final CommandSpec root = CommandSpec.create().name("gannet");
        root.usageMessage().description("Low-latency publish and subscribe over shared memory and RDMA.");
        root.mixinStandardHelpOptions(true);
        root.versionProvider(() -> new String[] {Version.text()});
        final CommandLine line = new CommandLine(root);
        for (final ServiceLoader.Provider<Subcommand> provider : wanted.isEmpty() ? providers : wanted)
        {
            final Subcommand subcommand = provider.get();
            final CommandLine child = new CommandLine(subcommand);
            if (subcommand instanceof final SpecExtension extension)
            {
                extension.extend(child.getCommandSpec());
            }
            child.getCommandSpec().mixinStandardHelpOptions(true);
            line.addSubcommand(name(provider), child);
        }
        root.addSubcommand("help", new CommandLine(new CommandLine.HelpCommand()));
        tellExitCodes(line);
        line.setExecutionStrategy(result ->
        {
            if (result.subcommand() == null && !result.isUsageHelpRequested() && !result.isVersionHelpRequested())
            {
                line.usage(line.getErr());
                return CommandLine.ExitCode.USAGE;
            }
            return new CommandLine.RunLast().execute(result);
        });
        line.setParameterExceptionHandler((mistake, arguments) -> misused(mistake));
        line.setExecutionExceptionHandler(Main::failed);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(Path.class, Main::path);
        return line;
    }

    /** An empty one would be the directory that the command happens to be in. */
    private static Path path(final String text)
    {
        if (text.isEmpty())
        {
            throw new CommandLine.TypeConversionException("a path is needed, and it is empty");
        }
        return Path.of(text);
    }

    /** In the help of each command that has none of its own. */
    private static void tellExitCodes(final CommandLine line)
    {
        final CommandLine.Model.UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        if (usage.exitCodeList().isEmpty())
        {
            usage.exitCodeListHeading("%nExit codes:%n");
            usage.exitCodeList(EXIT_CODES);
        }
        line.getSubcommands().values().forEach(Main::tellExitCodes);
    }

    private static String name(final ServiceLoader.Provider<Subcommand> provider)
    {
        return provider.type().getAnnotation(Command.class).name();
    }

    private static int misused(final CommandLine.ParameterException mistake)
    {
        final List<String> suggestions = mistake instanceof final CommandLine.UnmatchedArgumentException unmatched ?
            unmatched.getSuggestions() : List.of();
        final String remedy = suggestions.isEmpty() ?
            ". Try: " + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help" :
            "; did you mean " + String.join(" or ", suggestions) + "?";
        Mistakes.oneLine(
            mistake.getCommandLine().getErr(), OperatorError.WRONG_VALUE.tag(mistake.getMessage() + remedy));
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(
        final Exception failure, final CommandLine line, final CommandLine.ParseResult result) throws Exception
    {
        if (Mistakes.tell(line.getErr(), failure))
        {
            return Mistakes.exitCode(failure);
        }
        throw failure;
    }
}

package io.gannet.perf.cli;

import io.gannet.cli.Subcommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code gannet perf}: measurements.
 */
@Command(name = "perf", description = "Measures Gannet side by side with its peers.",
    subcommands = {IpcCommand.class, NetCommand.class, VerbsCommand.class, BindingCommand.class, PerftestCommand.class,
        PoliciesCommand.class, LossCommand.class, GrowthCommand.class, JmhCommand.class, OrdersCommand.class,
        RecordCommand.class, WatchedCommand.class})
public final class PerfCommand implements Subcommand
{
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}

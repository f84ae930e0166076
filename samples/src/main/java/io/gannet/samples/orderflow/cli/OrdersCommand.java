package io.gannet.samples.orderflow.cli;

import io.gannet.cli.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code gannet orders}: the processes of a venue against a running driver.
 */
@Command(name = "orders", description = "Runs a venue's processes: matching engine, gateway, simulated clients.",
    subcommands = {EngineCommand.class, GatewayCommand.class, ClientsCommand.class, SnapshotCommand.class})
public final class OrdersCommand implements Subcommand
{
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        throw new ParameterException(spec.commandLine(), "orders what? engine, gateway, clients or snapshot");
    }
}

package io.gannet.samples.marketdata.cli;

import io.gannet.cli.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code gannet feed}: the market-data feed against a running driver.
 */
@Command(name = "feed", description = "Publishes or subscribes to a market-data feed through a running driver.",
    subcommands = {PublishCommand.class, SubscribeCommand.class})
public final class FeedCommand implements Subcommand
{
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        throw new ParameterException(spec.commandLine(), "feed what? publish or subscribe");
    }
}

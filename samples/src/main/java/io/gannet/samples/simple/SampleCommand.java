package io.gannet.samples.simple;

import io.gannet.cli.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code gannet sample}: small programs against a running driver.
 */
@Command(name = "sample", description = "Runs a small sample against a running driver.",
    subcommands = {Hello.class, Ping.class, Pong.class, StreamPublisher.class, StreamSubscriber.class})
public final class SampleCommand implements Subcommand
{
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        throw new ParameterException(
            spec.commandLine(), "which sample? hello, ping, pong, stream-publish, stream-subscribe");
    }
}

package io.gannet.cli;

import picocli.CommandLine.Command;

/**
 * {@code gannet version}.
 */
@Command(name = "version", description = "Prints the version of Gannet and of the Java runtime.")
public final class VersionCommand implements Subcommand
{
    @Override
    public Integer call()
    {
        System.out.println(Version.text() + ", Java " + Runtime.version());
        return 0;
    }
}

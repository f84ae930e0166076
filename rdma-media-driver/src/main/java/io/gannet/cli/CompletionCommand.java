package io.gannet.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/**
 * {@code gannet completion}: the script by which a shell completes the command.
 */
@Command(name = "completion", description = {"Prints a script that completes subcommands and options in bash and zsh.",
    "For this shell: source <(gannet completion). The Debian package installs it."})
public final class CompletionCommand implements Subcommand
{
    @Override
    public Integer call()
    {
        System.out.print(AutoComplete.bash("gannet", Main.commandLine("")));
        System.out.flush();
        return 0;
    }
}

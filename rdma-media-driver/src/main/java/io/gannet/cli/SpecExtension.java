package io.gannet.cli;

import picocli.CommandLine.Model.CommandSpec;

/**
 * A subcommand some of whose options are made at run time.
 */
public interface SpecExtension
{
    /** Adds them, before a command line is parsed. */
    void extend(CommandSpec spec);
}

package io.gannet.cli;

import picocli.CommandLine.Model.CommandSpec;

/**
 * A subcommand some of whose options are made at run time.
 */
interface SpecExtension
{
    void extend(CommandSpec spec);
}

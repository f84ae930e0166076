package io.gannet.cli;

import java.util.concurrent.Callable;

/**
 * A subcommand of {@code gannet}. Implementations carry picocli's {@code @Command} with a name, have a public
 * constructor without parameters and are listed in {@code META-INF/services/io.gannet.cli.Subcommand}, so that each
 * module contributes its own. Only the one that is called is instantiated.
 * <p>
 * {@code call} returns the exit code; an {@link OperatorException} becomes one line on standard error.
 */
public interface Subcommand extends Callable<Integer>
{
}

package io.gannet.samples.marketdata.demo;

import io.gannet.cli.DriverCommand;
import io.gannet.samples.marketdata.cli.ChildSession;
import java.io.IOException;
import picocli.CommandLine;

/**
 * {@code gannet driver} as a process of the demo: it also ends when its standard input is closed.
 */
public final class DemoDriver
{
    private DemoDriver()
    {
    }

    public static void main(final String[] arguments)
    {
        ChildSession.begin();
        final Thread watcher = new Thread(DemoDriver::endWithParent, "parent-watch");
        watcher.setDaemon(true);
        watcher.start();
        final DriverCommand command = new DriverCommand();
        final CommandLine line = new CommandLine(command);
        command.extend(line.getCommandSpec());
        line.setExecutionExceptionHandler((failure, commandLine, result) ->
        {
            System.err.println(failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
        System.exit(line.execute(arguments));
    }

    private static void endWithParent()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                // Only the end matters.
            }
        }
        catch (final IOException gone)
        {
            // As good as the end.
        }
        System.exit(0);
    }
}

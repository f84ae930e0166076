package io.gannet.cli;

import io.gannet.driver.DriverConfiguration;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Where the runnable jar starts: a driver with plain options at once, everything else through {@link Main}.
 */
public final class Start
{
    private Start()
    {
    }

    static void main(final String[] args)
    {
        if (args.length == 1 && "warm-up".equals(args[0]))
        {
            System.exit(new WarmUpCommand().call());
        }
        final DriverConfiguration configuration = args.length == 0 || !"driver".equals(args[0]) ? null :
            PlainArguments.configuration(Arrays.copyOfRange(args, 1, args.length));
        if (configuration == null)
        {
            Main.main(args);
            return;
        }
        System.exit(drive(configuration));
    }

    private static int drive(final DriverConfiguration configuration)
    {
        try
        {
            return DriverProcess.run(configuration);
        }
        catch (final RuntimeException failure)
        {
            if (Mistakes.tell(new PrintWriter(System.err, true, StandardCharsets.UTF_8), failure))
            {
                return Mistakes.exitCode(failure);
            }
            throw failure;
        }
    }
}

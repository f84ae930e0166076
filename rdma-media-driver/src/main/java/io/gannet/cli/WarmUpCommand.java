package io.gannet.cli;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.MediaDriver;
import picocli.CommandLine.Command;

/**
 * {@code gannet warm-up}: what a driver and a client do from their start to the first messages, in one process. The
 * launcher runs it to make the class-data archive.
 */
@Command(name = "warm-up", hidden = true,
    description = "Starts a driver and a client in this process, sends a message each way of publishing, and ends.")
public final class WarmUpCommand implements Subcommand
{
    @Override
    public Integer call()
    {
        try (ScratchDirectory directory = ScratchDirectory.create())
        {
            final DriverConfiguration configuration =
                PlainArguments.configuration("--dir", directory.path().toString());
            if (configuration == null)
            {
                return 1;
            }
            try (MediaDriver driver = MediaDriver.launch(configuration))
            {
                FirstMessage.await(driver.directory(), true);
                System.out.println("first message");
                System.out.flush();
                FirstMessage.await(driver.directory(), false);
            }
        }
        return 0;
    }
}

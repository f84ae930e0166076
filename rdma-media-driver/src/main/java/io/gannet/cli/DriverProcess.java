package io.gannet.cli;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;

/**
 * A media driver as the whole of a process.
 */
final class DriverProcess
{
    private DriverProcess()
    {
    }

    /**
     * Runs until the process is asked to end, and the shutdown hook closes the driver, or until the driver ends by
     * itself.
     */
    static int run(final DriverConfiguration configuration)
    {
        if (configuration.get(DriverOptions.THREADING) == ThreadingMode.INVOKER)
        {
            throw new OperatorException(DriverOptions.THREADING +
                "=invoker is for embedded drivers: choose dedicated or shared");
        }
        final MediaDriver driver = MediaDriver.launch(configuration);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("gannet-shutdown").unstarted(() ->
        {
            driver.close();
            if (driver.failure() == null)
            {
                System.out.println("gannet driver stopped");
                System.out.flush();
            }
        }));
        System.out.println("gannet driver ready: directory " + driver.directory() + ", pid " + driver.info().pid() +
            ", version " + driver.info().version() + ", threading " +
            DriverOptions.THREADING.print(configuration.get(DriverOptions.THREADING)) + ", device " + driver.device());
        System.out.flush();
        try
        {
            driver.awaitEnd();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return driver.failure() == null ? 0 : 1;
    }
}

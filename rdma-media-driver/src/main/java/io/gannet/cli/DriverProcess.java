package io.gannet.cli;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import java.util.concurrent.CountDownLatch;

/**
 * A media driver as the whole of a process.
 */
final class DriverProcess
{
    private DriverProcess()
    {
    }

    /** Runs until the process is asked to end; the shutdown hook closes the driver. */
    static int run(final DriverConfiguration configuration)
    {
        if (configuration.get(DriverOptions.THREADING) == ThreadingMode.INVOKER)
        {
            throw new OperatorException(DriverOptions.THREADING +
                "=invoker is for embedded drivers: choose dedicated or shared");
        }
        final CountDownLatch end = new CountDownLatch(1);
        final MediaDriver driver = MediaDriver.launch(configuration);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("gannet-shutdown").unstarted(() ->
        {
            driver.close();
            System.out.println("gannet driver stopped");
            System.out.flush();
            end.countDown();
        }));
        System.out.println("gannet driver ready: directory " + driver.directory() + ", pid " + driver.info().pid() +
            ", version " + driver.info().version() + ", threading " +
            DriverOptions.THREADING.print(configuration.get(DriverOptions.THREADING)));
        System.out.flush();
        try
        {
            end.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return 0;
    }
}

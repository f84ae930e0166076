package io.gannet.cli;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import java.security.Security;

/**
 * A media driver as the whole of a process.
 */
final class DriverProcess
{
    private DriverProcess()
    {
    }

    /**
     * Before each connection a name is looked up again, and the virtual machine is not to answer from its cache: for
     * 30 s after a look-up, and 10 s after one that failed, by default. Takes effect before the first look-up of the
     * process. A value given by {@code -Dsun.net.inetaddr.ttl} stays.
     */
    static void lookNamesUpAnew()
    {
        if (System.getProperty("sun.net.inetaddr.ttl") == null)
        {
            Security.setProperty("networkaddress.cache.ttl", "0");
            Security.setProperty("networkaddress.cache.negative.ttl", "0");
        }
    }

    /**
     * Runs until the process is asked to end, and the shutdown hook closes the driver, or until the driver ends by
     * itself.
     */
    static int run(final DriverConfiguration configuration)
    {
        if (configuration.get(DriverOptions.THREADING) == ThreadingMode.INVOKER)
        {
            throw new UsageException(DriverOptions.THREADING +
                "=invoker is for embedded drivers: choose dedicated or shared");
        }
        lookNamesUpAnew();
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

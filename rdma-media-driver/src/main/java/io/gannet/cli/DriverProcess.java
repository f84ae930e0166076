package io.gannet.cli;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverException;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ServiceStatus;
import io.gannet.driver.ThreadingMode;
import io.gannet.systemd.ServiceManager;
import java.security.Security;
import java.util.concurrent.TimeUnit;

/**
 * A media driver as the whole of a process.
 */
final class DriverProcess
{
    /** For what follows on the drain: queue pairs, mappings, files. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(20);

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

    /** Refuses what only an embedded driver can do. */
    static void check(final DriverConfiguration configuration)
    {
        if (configuration.get(DriverOptions.THREADING) == ThreadingMode.INVOKER)
        {
            throw new UsageException(DriverOptions.THREADING +
                "=invoker is for embedded drivers: choose dedicated or shared");
        }
    }

    /**
     * Runs until the process is asked to end, and the shutdown hook closes the driver, or until the driver ends by
     * itself.
     */
    static int run(final DriverConfiguration configuration)
    {
        check(configuration);
        lookNamesUpAnew();
        final DriverLog log = DriverLog.ofProcess();
        final ServiceManager manager = ServiceManager.of(System.getenv());
        final MediaDriver driver = MediaDriver.launch(configuration, log, ServiceStatus.of(manager));
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("gannet-shutdown").unstarted(
            () -> end(driver, manager, configuration.get(DriverOptions.DRAIN_TIMEOUT))));
        final String place = "directory " + driver.directory() + ", pid " + driver.info().pid() +
            ", version " + driver.info().version() + ", threading " +
            DriverOptions.THREADING.print(configuration.get(DriverOptions.THREADING)) + ", device " + driver.device();
        System.out.println("gannet driver ready: " + place);
        System.out.flush();
        manager.ready("ready: " + place);
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

    private static void end(final MediaDriver driver, final ServiceManager manager, final long drainNanos)
    {
        final DriverException failure = driver.failure();
        manager.stopping(failure == null ? "stopping: waits for subscribers of other hosts" : failure.getMessage(),
            drainNanos + CLOSE_NANOS);
        if (failure == null)
        {
            final long left = driver.drain(drainNanos);
            driver.close();
            System.out.println("gannet driver stopped" + (left == 0 ? "" : ": " + left +
                " bytes were not consumed by subscribers of other hosts within " + DriverOptions.DRAIN_TIMEOUT + "=" +
                DriverOptions.DRAIN_TIMEOUT.print(drainNanos) + "; they stay in their rings for the next driver"));
            System.out.flush();
        }
        driver.close();
        manager.close();
    }
}

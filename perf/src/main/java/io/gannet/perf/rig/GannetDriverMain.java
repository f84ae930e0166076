package io.gannet.perf.rig;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.WorkerMain;

/**
 * Gannet's media driver, in its default configuration, as a process that ends with its standard input.
 */
public final class GannetDriverMain
{
    private GannetDriverMain()
    {
    }

    static void main(final String[] args) throws Exception
    {
        Posix.dieWithParent();
        final DriverConfiguration configuration = DriverConfiguration.defaults()
            .withFlag(DriverOptions.DIRECTORY, System.getProperty("rig.directory"));
        try (MediaDriver driver = MediaDriver.launch(configuration))
        {
            System.out.println(WorkerMain.ANSWER + "ready " + driver.directory());
            System.out.flush();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        System.exit(0);
    }
}

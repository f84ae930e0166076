package io.gannet.perf.rig;

import io.gannet.driver.MediaDriver;
import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.DriverLaunch;
import io.gannet.perf.worker.WorkerMain;

/**
 * Gannet's media driver as a process that ends with its standard input.
 */
public final class GannetDriverMain
{
    private GannetDriverMain()
    {
    }

    static void main(final String[] args) throws Exception
    {
        Posix.dieWithParent();
        if (System.getProperty("rig.half") != null)
        {
            Posix.pinToHalf(Boolean.getBoolean("rig.half"));
        }
        final String directory = System.getProperty("rig.directory");
        final String address = System.getProperty("rig.address");
        try (MediaDriver driver = address == null ? DriverLaunch.gannet(directory) :
            DriverLaunch.gannet(directory, address, System.getProperty("rig.idle")))
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

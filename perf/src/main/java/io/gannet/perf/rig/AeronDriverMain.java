package io.gannet.perf.rig;

import io.aeron.driver.MediaDriver;
import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.DriverLaunch;
import io.gannet.perf.worker.WorkerMain;

/**
 * Aeron's media driver as a process that ends with its standard input.
 */
public final class AeronDriverMain
{
    private AeronDriverMain()
    {
    }

    static void main(final String[] args) throws Exception
    {
        Posix.dieWithParent();
        if (System.getProperty("rig.half") != null)
        {
            Posix.pinToHalf(Boolean.getBoolean("rig.half"));
        }
        try (MediaDriver driver =
            DriverLaunch.aeron(System.getProperty("rig.directory"), Boolean.getBoolean("rig.network")))
        {
            System.out.println(WorkerMain.ANSWER + "ready " + driver.aeronDirectoryName());
            System.out.flush();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        System.exit(0);
    }
}

package io.gannet.perf.rig;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gannet.perf.os.Posix;
import io.gannet.perf.worker.WorkerMain;
import java.util.concurrent.TimeUnit;

/**
 * Aeron's media driver as a process that ends with its standard input. Threading is SHARED with Aeron's default
 * back-off idling; time-outs are long, since the rig stops the process while other peers are measured.
 */
public final class AeronDriverMain
{
    private AeronDriverMain()
    {
    }

    static void main(final String[] args) throws Exception
    {
        Posix.dieWithParent();
        final long patience = TimeUnit.SECONDS.toNanos(120);
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(System.getProperty("rig.directory"))
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(false)
            .performStorageChecks(false)
            .clientLivenessTimeoutNs(patience)
            .publicationUnblockTimeoutNs(patience * 2)
            .timerIntervalNs(TimeUnit.SECONDS.toNanos(1));
        try (MediaDriver driver = MediaDriver.launch(context))
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

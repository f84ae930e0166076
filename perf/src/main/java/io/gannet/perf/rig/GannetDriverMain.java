package io.gannet.perf.rig;

import io.gannet.perf.worker.WorkerMain;

/**
 * Gannet's media driver as a process that ends with its standard input.
 */
public final class GannetDriverMain
{
    private GannetDriverMain()
    {
    }

    static void main(final String[] args)
    {
        System.out.println(WorkerMain.ANSWER + "failed: the driver is not part of this build");
    }
}

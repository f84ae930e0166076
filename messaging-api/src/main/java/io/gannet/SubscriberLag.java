package io.gannet;

import java.util.concurrent.TimeUnit;

/**
 * A subscriber that a publication waits for, as {@link Publication#slowestSubscriber()} found it.
 *
 * @param name        of its process, or the remote host.
 * @param pid         of its process, in the process's own pid namespace; 0 for a remote host.
 * @param position    it has consumed up to here.
 * @param lag         bytes between that and the publication's position.
 * @param alive       whether its process runs, or is connected; false only until the driver has removed it.
 * @param silentNanos how long its process has given no sign: more than a second means that it is stopped, in a debugger
 *                    or in a long collection. 0 for a remote host.
 */
public record SubscriberLag(String name, long pid, long position, long lag, boolean alive, long silentNanos)
{
    @Override
    public String toString()
    {
        return name + (pid != 0 ? " (pid " + pid + (alive ? ")" : ", dead)") : "") + " is " + lag +
            " bytes behind, at " + position + (silentNanos < TimeUnit.SECONDS.toNanos(1) ? "" :
                ", and gave no sign since " + TimeUnit.NANOSECONDS.toMillis(silentNanos) + " ms");
    }
}

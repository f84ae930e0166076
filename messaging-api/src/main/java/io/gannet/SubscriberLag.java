package io.gannet;

/**
 * A subscriber that a publication waits for, as {@link Publication#slowestSubscriber()} found it.
 *
 * @param name     of its process, or the remote host.
 * @param pid      of its process, in the process's own pid namespace; 0 for a remote host.
 * @param position it has consumed up to here.
 * @param lag      bytes between that and the publication's position.
 * @param alive    whether its process runs, or is connected; false only until the driver has removed it.
 */
public record SubscriberLag(String name, long pid, long position, long lag, boolean alive)
{
    @Override
    public String toString()
    {
        return name + (pid != 0 ? " (pid " + pid + (alive ? ")" : ", dead)") : "") + " is " + lag +
            " bytes behind, at " + position;
    }
}

package io.gannet.driver.stream;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

import io.gannet.ring.Ring;

/**
 * What replication needs and may not do itself as it takes long.
 */
public interface ReplicationResources
{
    /**
     * Makes and maps a ring of kind image for a stream. Called within {@link #submit}.
     */
    Ring createImage(SetupRequest request);

    /**
     * Runs a task away from control, which goes on meanwhile.
     *
     * @param task       what to do.
     * @param completion on the control thread, with the result and null, or with null and the failure.
     * @param <T>        type of the result.
     */
    <T> void submit(Callable<T> task, BiConsumer<T, Throwable> completion);

    /**
     * As {@link #submit}, for {@link #lookUp}, which may take much longer than anything else and is not to keep that
     * waiting.
     */
    default <T> void submitLookUp(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        submit(task, completion);
    }

    /**
     * Looks a name up. Called within {@link #submitLookUp}, before each connection to it.
     *
     * @param name an unresolved address.
     * @throws UnknownHostException naming the host.
     */
    default InetSocketAddress lookUp(final InetSocketAddress name) throws UnknownHostException
    {
        return new InetSocketAddress(InetAddress.getByName(name.getHostString()), name.getPort());
    }

    /**
     * What another host's doctor is told of this host; on the control thread, and does not wait.
     *
     * @param again whether the rest of an answer is asked for, which may be older than one would begin with.
     * @return at most 2048 bytes, or null if they are being gathered: it is asked again.
     */
    default byte[] hostFacts(final boolean again)
    {
        return new byte[0];
    }

    /** An agent has something for control, which may be asleep. Any thread; cheap when it is not. */
    default void wakeControl()
    {
    }
}

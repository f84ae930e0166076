package io.gannet.driver.stream;

import java.net.InetSocketAddress;

/**
 * A host to which a publication goes, for those who show and count. For the control thread, but for the counters.
 */
public interface RemoteSubscriber
{
    /** {@return its address} */
    InetSocketAddress address();

    /** {@return whether it gates the publication, connected or not} */
    boolean isJoined();

    /** {@return index of its entry in the ring's gating list, -1 if it has none} */
    int gate();

    /** {@return whether it is connected} */
    boolean isConnected();

    /** {@return what was done for it, over all connections} */
    StreamCounters counters();
}

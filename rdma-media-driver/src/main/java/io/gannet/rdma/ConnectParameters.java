package io.gannet.rdma;

/**
 * How a connection behaves towards a silent peer.
 *
 * @param retryCount   resends without an acknowledgement before {@link WcStatus#RETRY_EXC_ERR}, in [0, 7]; 7 may mean
 *                     for ever. Both sides get the connector's.
 * @param rnrRetry     resends when the peer has no receive, in [0, 7]; 7 means for ever. Each side gets the other's.
 * @param ackTimeout   code t of the wait for an acknowledgement, 4.096 us x 2^t, in [1, 31]; 14 = 67 ms.
 * @param trafficClass of the packets, in [0, 255].
 */
public record ConnectParameters(int retryCount, int rnrRetry, int ackTimeout, int trafficClass)
{
    /** Finite everywhere: a dead peer shows within about half a second, a starved one within milliseconds. */
    public static final ConnectParameters DEFAULT = new ConnectParameters(6, 6, 14, 0);

    public ConnectParameters
    {
        check("retryCount", retryCount, 0, 7);
        check("rnrRetry", rnrRetry, 0, 7);
        check("ackTimeout", ackTimeout, 1, 31);
        check("trafficClass", trafficClass, 0, 255);
    }

    private static void check(final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(
                name + " must be in [" + least + ", " + most + "], is " + value);
        }
    }
}

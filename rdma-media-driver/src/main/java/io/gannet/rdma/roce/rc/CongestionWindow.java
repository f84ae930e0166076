package io.gannet.rdma.roce.rc;

/**
 * How many packets a queue pair may have on the way: slow start, then additive increase by one packet per round trip,
 * halved by a loss or a congestion notification, restarted small by a time-out (as TCP, RFC 5681; a go-back-N sender
 * resends everything behind a loss, so it must not send at line rate into one). One decrease per round trip.
 */
final class CongestionWindow
{
    static final int SMALLEST = 1;
    private static final int INITIAL = 32;

    private final int largest;
    private int window;
    private int threshold;
    private int credit;
    private long decreasedUntil = Long.MIN_VALUE;

    CongestionWindow(final int largest)
    {
        this.largest = Math.max(SMALLEST, largest);
        threshold = this.largest;
        window = Math.min(INITIAL, this.largest);
    }

    /** Starts with the largest window, for a peer and a network that are known. */
    void open()
    {
        window = largest;
    }

    /** Packets that may be unacknowledged. */
    int packets()
    {
        return window;
    }

    void onAcknowledged(final int packets)
    {
        if (window >= largest)
        {
            return;
        }
        if (window < threshold)
        {
            window = Math.min(threshold, window + packets);
            return;
        }
        credit += packets;
        if (credit >= window)
        {
            credit -= window;
            window++;
        }
    }

    /** A gap or a congestion notification; {@code acknowledged} and {@code sent} delimit what is on the way. */
    void onCongestion(final long acknowledged, final long sent)
    {
        if (acknowledged >= decreasedUntil)
        {
            decreasedUntil = sent;
            threshold = Math.max(SMALLEST, window / 2);
            window = threshold;
            credit = 0;
        }
    }

    /** Nothing came back in time. */
    void onTimeout(final long sent)
    {
        decreasedUntil = sent;
        threshold = Math.max(SMALLEST, window / 2);
        window = SMALLEST;
        credit = 0;
    }
}

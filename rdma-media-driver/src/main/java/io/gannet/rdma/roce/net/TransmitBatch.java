package io.gannet.rdma.roce.net;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Packets on their way to the socket, back to back in native memory. Packets of one size to one peer form a run, which
 * the kernel takes with one call and cuts itself; a shorter packet may end a run.
 * <pre>
 *  +--------+--------+--------+----+--------+--------+-----+------------
 *  | run 0: size s,  s,       s,  r| run 1: size t,  t     | free
 *  +--------+--------+--------+----+--------+--------+-----+------------
 * </pre>
 * The kernel numbers the datagrams of a run 0, 1, 2 ... in their IPv4 id, as the socket is not connected and must not
 * fragment; so the ICRC of a packet is computed with its index in the run.
 */
public final class TransmitBatch
{
    /** Runs at most. */
    public static final int MAX_RUNS = 64;

    private static final int CAPACITY = 1 << 19;
    private static final int MAX_RUN_BYTES = 65_000;
    private static final int MAX_RUN_PACKETS = 64;

    private final ByteBuffer bytes = BufferUtil.allocateDirectAligned(CAPACITY, 64);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final UdpPath[] paths = new UdpPath[MAX_RUNS];
    private final int[] offsets = new int[MAX_RUNS];
    private final int[] lengths = new int[MAX_RUNS];
    private final int[] strides = new int[MAX_RUNS];
    private final int[] counts = new int[MAX_RUNS];
    private boolean segmenting;
    private int first;
    private int end;
    private int used;
    private boolean lastEnded = true;
    private int claimedLength;
    private boolean claimedStartsRun;

    /** Makes an empty batch. */
    public TransmitBatch(final boolean segmenting)
    {
        this.segmenting = segmenting;
    }

    /** Memory of all packets. */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** The same memory, for checksums and channels. */
    public ByteBuffer bytes()
    {
        return bytes;
    }

    /** From now on each packet is a run of its own. */
    public void stopSegmenting()
    {
        segmenting = false;
        lastEnded = true;
    }

    /** Whether there is nothing to send. */
    public boolean isEmpty()
    {
        return first == end;
    }

    /** Whether so much is waiting that the processor's cache would soon have to give some of it up. */
    boolean isLarge()
    {
        return used >= MAX_RUN_BYTES && !isEmpty();
    }

    /** Reserves room for a packet; -1 if there is none. */
    int claim(final UdpPath path, final int length)
    {
        if (isEmpty())
        {
            first = 0;
            end = 0;
            used = 0;
            lastEnded = true;
        }
        if (used + length > CAPACITY)
        {
            return -1;
        }
        final int last = end - 1;
        claimedStartsRun = lastEnded || paths[last] != path || length > strides[last] ||
            counts[last] == MAX_RUN_PACKETS || lengths[last] + length > MAX_RUN_BYTES;
        if (claimedStartsRun && end == MAX_RUNS)
        {
            return -1;
        }
        claimedLength = length;
        return used;
    }

    /** IPv4 id that the claimed packet will carry. */
    int claimedId()
    {
        return claimedStartsRun ? 0 : counts[end - 1];
    }

    int claimedOffset()
    {
        return used;
    }

    int claimedLength()
    {
        return claimedLength;
    }

    void commit(final UdpPath path)
    {
        if (claimedStartsRun)
        {
            paths[end] = path;
            offsets[end] = used;
            lengths[end] = 0;
            strides[end] = claimedLength;
            counts[end] = 0;
            end++;
        }
        final int run = end - 1;
        lengths[run] += claimedLength;
        counts[run]++;
        lastEnded = !segmenting || claimedLength < strides[run];
        used += claimedLength;
    }

    /** Number of the first run that is not sent. */
    int first()
    {
        return first;
    }

    /** Number after that of the last run. */
    int end()
    {
        return end;
    }

    UdpPath path(final int run)
    {
        return paths[run];
    }

    int offset(final int run)
    {
        return offsets[run];
    }

    int length(final int run)
    {
        return lengths[run];
    }

    int stride(final int run)
    {
        return strides[run];
    }

    int count(final int run)
    {
        return counts[run];
    }

    /** Drops the first {@code runs} runs: they are sent, or never will be. */
    void drop(final int runs)
    {
        first += runs;
        if (first == end)
        {
            lastEnded = true;
        }
    }
}

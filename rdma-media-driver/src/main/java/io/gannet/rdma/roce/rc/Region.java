package io.gannet.rdma.roce.rc;

import io.gannet.rdma.Access;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Registered memory. The key is one random number, used as lkey and, where a peer may write, as rkey.
 */
public final class Region
{
    private static final int WORDS_LIMIT = 64;

    private final long address;
    private final long length;
    private final int access;
    private final int key;
    private final Object domain;
    private boolean valid = true;

    Region(final long address, final long length, final int access, final int key, final Object domain)
    {
        this.address = address;
        this.length = length;
        this.access = access;
        this.key = key;
        this.domain = domain;
    }

    /** First byte. */
    public long address()
    {
        return address;
    }

    /** Bytes. */
    public long length()
    {
        return length;
    }

    /** Key for own requests. */
    public int lkey()
    {
        return key;
    }

    /** Key for a peer's writes, 0 where none are allowed. */
    public int rkey()
    {
        return (access & Access.REMOTE_WRITE) != 0 ? key : 0;
    }

    void invalidate()
    {
        valid = false;
    }

    boolean isValid()
    {
        return valid;
    }

    /** Whether {@code count} bytes at {@code from}, any 64-bit number, lie inside, in that domain with that right. */
    @SuppressWarnings("ReferenceEquality")        // a domain is an identity
    boolean permits(final Object ofDomain, final int right, final long from, final long count)
    {
        return valid && domain == ofDomain && (access & right) == right &&
            Long.compareUnsigned(from - address, length) <= 0 && count <= length - (from - address);
    }

    /**
     * Puts received bytes into registered memory. A small write of aligned words is placed word by word with release
     * stores, lowest first, so that a word that another process polls is never seen torn, nor before bytes placed
     * earlier; larger ones are copied and become visible with their completion.
     */
    static void place(final UnsafeBuffer packet, final int offset, final int count, final long target)
    {
        if (count <= WORDS_LIMIT && ((target | count) & 7) == 0)
        {
            for (int i = 0; i < count; i += Long.BYTES)
            {
                // pairs with the acquire load of whoever polls the word
                UnsafeApi.putLongRelease(null, target + i, packet.getLong(offset + i));
            }
        }
        else
        {
            UnsafeApi.copyMemory(packet.byteArray(), packet.addressOffset() + offset, null, target, count);
        }
    }
}

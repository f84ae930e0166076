package io.gannet.ring;

/**
 * Access to ring memory by absolute address; the only way in which ring code touches shared memory.
 * In production {@link NativeMemory} is the only subclass loaded, so that every call is bound statically. Tests and
 * simulators substitute one that yields between any two accesses, or that reorders what the memory model allows.
 * <p>
 * Addresses of ints are 4-byte aligned and those of longs 8-byte aligned, except for the copying methods, which take
 * any. No address is checked: callers check lengths and offsets against the ring before they come here.
 */
public abstract class RingMemory
{
    /** For subclasses. */
    protected RingMemory()
    {
    }

    /** Plain load. */
    public abstract int getInt(long address);

    /** Plain load. */
    public abstract long getLong(long address);

    /** Plain store. */
    public abstract void putInt(long address, int value);

    /** Plain store. */
    public abstract void putLong(long address, long value);

    /** Load with acquire semantics: nothing after it moves before it. */
    public abstract int getIntAcquire(long address);

    /** Load with acquire semantics: nothing after it moves before it. */
    public abstract long getLongAcquire(long address);

    /** Load that the compiler neither repeats, drops nor moves; orders nothing in the processor. */
    public abstract int getIntOpaque(long address);

    /** Load that the compiler neither repeats, drops nor moves; orders nothing in the processor. */
    public abstract long getLongOpaque(long address);

    /** Sequentially consistent load. */
    public abstract long getLongVolatile(long address);

    /** Store with release semantics: nothing before it moves after it. */
    public abstract void putIntRelease(long address, int value);

    /** Store with release semantics: nothing before it moves after it. */
    public abstract void putLongRelease(long address, long value);

    /** Store that the compiler neither drops nor moves; orders nothing in the processor. */
    public abstract void putIntOpaque(long address, int value);

    /** Store that the compiler neither drops nor moves; orders nothing in the processor. */
    public abstract void putLongOpaque(long address, long value);

    /** Atomic, sequentially consistent compare and set. */
    public abstract boolean compareAndSetLong(long address, long expected, long value);

    /** Atomic, sequentially consistent addition; returns the value before it. */
    public abstract long getAndAddLong(long address, long delta);

    /** Atomic, sequentially consistent exchange; returns the value before it. */
    public abstract long getAndSetLong(long address, long value);

    /** Atomic, sequentially consistent addition; returns the value before it. */
    public abstract int getAndAddInt(long address, int delta);

    /** Copies {@code length} bytes between ranges that don't overlap, with plain stores in no particular order. */
    public abstract void copy(long source, long target, long length);

    /**
     * Copies out of a byte array with plain stores in no particular order.
     *
     * @param offset of the first byte as {@link org.agrona.DirectBuffer#addressOffset()} counts it, so from the
     *               object's start and not from element 0.
     */
    public abstract void copyFrom(byte[] source, long offset, long target, long length);

    /** Sets {@code length} bytes to {@code value} with plain stores in no particular order. */
    public abstract void setMemory(long address, long length, byte value);

    /** Orders all earlier loads and stores before all later ones. */
    public abstract void fullFence();

    /**
     * A full fence in this thread and in every running thread of every process that takes part, by membarrier(2);
     * microseconds. Where the kernel doesn't have it, rings say so and the hot sides fence for themselves.
     */
    public abstract void fenceEverywhere();

    /** Orders all earlier stores before all later ones. */
    public abstract void storeStoreFence();

    /** Orders all earlier loads before all later loads and stores. */
    public abstract void acquireFence();
}

package io.gannet;

/**
 * A 64-bit value of the application in the driver's control file, where {@code gannet stat} and others see it. Written
 * by one thread at a time. After {@link #close()}, or of the client, writes go nowhere and reads return the last value.
 */
public interface Counter extends AutoCloseable
{
    /** Index in the control file; another one after a driver restart. */
    int id();

    /** What it counts, in the application's numbering; 1000 and above. */
    int typeId();

    /** For people. */
    String label();

    /** The value. */
    long get();

    /** Sets the value; readers see it in order with what was written before. */
    void set(long value);

    /** Adds and returns the new value. For a single writer. */
    long add(long delta);

    /** Adds 1 and returns the new value. For a single writer. */
    default long increment()
    {
        return add(1);
    }

    /** Whether this counter or its client was closed. */
    boolean isClosed();

    /** Frees the counter. Idempotent; any thread. */
    @Override
    void close();
}

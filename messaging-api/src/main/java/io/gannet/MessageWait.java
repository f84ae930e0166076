package io.gannet;

import io.gannet.os.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Ends the wait for messages of one subscription when the list of its images changes or it is closed: by a word that
 * the sleeper sleeps on beside the bells of the rings. One sleeper; {@link #wake()} is for any thread.
 */
final class MessageWait
{
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment word = Arena.ofAuto().allocate(Integer.BYTES, Integer.BYTES);

    /** To be taken before looking for work: a {@link #wake()} after it ends the wait. */
    int ticket()
    {
        // Pairs with the addition in wake(): who sees the new value sees what it is about.
        return (int) INT.getAcquire(word, 0L);
    }

    /** Ends the wait. */
    void wake()
    {
        // Pairs with the acquire in ticket(). A sleeper that has the old value is woken, or doesn't fall asleep.
        INT.getAndAdd(word, 0L, 1);
        Futex.wake(word.address(), 1);
    }

    /** Address of the word, which lives as long as this object. */
    long address()
    {
        return word.address();
    }
}

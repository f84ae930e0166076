package io.gannet.os;

import java.lang.ref.Cleaner;

/**
 * Frees addresses when the object that could still lead a thread to them is garbage. For what ended while a thread may
 * be in it, or whose users can't be counted; all else is freed at once by its owner. Thread-safe.
 */
public final class LateRelease
{
    private static final Cleaner CLEANER = Cleaner.create();

    private LateRelease()
    {
    }

    /**
     * Has {@code release} run when {@code holder} can't be reached any more.
     *
     * @param release must not lead to {@code holder}.
     * @return to run it at once instead.
     */
    public static Cleaner.Cleanable after(final Object holder, final Runnable release)
    {
        return CLEANER.register(holder, release);
    }
}

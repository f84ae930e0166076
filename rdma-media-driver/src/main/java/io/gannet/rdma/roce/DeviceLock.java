package io.gannet.rdma.roce;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps control calls and the working thread apart. The working thread never waits: it skips a turn while a control
 * call holds the lock or wants it.
 */
final class DeviceLock
{
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger waiting = new AtomicInteger();

    /** For control calls. */
    void lock()
    {
        waiting.incrementAndGet();
        lock.lock();
        waiting.decrementAndGet();
    }

    /** For the working thread: whether it may take its turn now. */
    boolean tryLock()
    {
        return waiting.get() == 0 && lock.tryLock();
    }

    void unlock()
    {
        lock.unlock();
    }
}

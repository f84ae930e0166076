package io.gannet.ring;

import io.gannet.os.SharedFile;
import java.nio.file.Path;

/**
 * The right to change a ring's gating list, as a lock on the ring's file. A driver holds that of each ring that it
 * conducts, until it ends; a client takes it for a moment to leave a ring that no driver conducts, so that nobody joins
 * or adopts it meanwhile.
 */
public final class RingLock implements AutoCloseable
{
    private final SharedFile file;

    private RingLock(final SharedFile file)
    {
        this.file = file;
    }

    /**
     * Takes the lock.
     *
     * @return null if somebody else has it.
     * @throws io.gannet.os.OsException if there is no such file.
     */
    public static RingLock tryAcquire(final Path ringFile)
    {
        final SharedFile file = SharedFile.open(ringFile);
        if (file.tryLock())
        {
            return new RingLock(file);
        }
        file.close();
        return null;
    }

    /** Gives it back. */
    @Override
    public void close()
    {
        file.close();
    }
}

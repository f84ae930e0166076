package io.gannet.recording;

/**
 * What a recorded position survives. Whatever the policy, nothing below a recorded position is lost by the death of the
 * recorder's process.
 */
public enum SyncPolicy
{
    /** The recorder's death: a position counts as recorded when the kernel has its bytes. */
    NEVER,
    /**
     * The machine's too: a position counts as recorded when its bytes were forced to the disk, which is done at an
     * interval.
     */
    INTERVAL,
    /** The machine's too; forced after each write or some, so that positions are recorded as soon as the disk can. */
    EACH
}

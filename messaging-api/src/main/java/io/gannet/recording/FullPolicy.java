package io.gannet.recording;

/**
 * What a recorder does when its disk is full. Nothing that was recorded is lost.
 */
public enum FullPolicy
{
    /** Stops, and says up to where each stream is recorded. */
    STOP,
    /** Tries again each second. Publishers wait meanwhile, or drop the recorder if their channel has slow=drop. */
    WAIT
}

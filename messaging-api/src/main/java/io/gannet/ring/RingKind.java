package io.gannet.ring;

/** What a ring is written by. The ordinals stand in ring files. */
public enum RingKind
{
    /** Not a ring. */
    NONE,
    /** One producer. */
    EXCLUSIVE,
    /** Any number of producers. */
    CONCURRENT,
    /** The NIC, on behalf of a producer on another host. */
    IMAGE
}

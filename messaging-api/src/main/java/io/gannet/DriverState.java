package io.gannet;

/**
 * What a client finds in its directory.
 */
public enum DriverState
{
    /** The directory doesn't exist, or holds nothing of a driver: none was ever started there. */
    NO_DRIVER,
    /** The directory or a file in it may not be opened. */
    NO_PERMISSION,
    /** A driver is starting and not ready yet. */
    STARTING,
    /** A driver was there and is dead. */
    DEAD,
    /** The driver's files or commands are of a version that this client doesn't know. */
    WRONG_VERSION,
    /** A driver lives but doesn't answer, perhaps because it is stopped. */
    NOT_RESPONDING,
    /** A driver is there. */
    RUNNING
}

package io.gannet.monitor;

import java.util.Locale;

/** How a driver is. */
public enum Life
{
    /** There was never one in the directory. */
    MISSING,
    /** Its files can't be read, and the message says why. */
    UNREADABLE,
    /** It lives and does not serve yet. */
    STARTING,
    /** It lives, serves, and its conductor turns. */
    RUNNING,
    /** It lives, but its conductor has not turned for long. */
    SILENT,
    /** It was closed in order. */
    STOPPED,
    /** It ended without closing. */
    DEAD;

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.gannet.monitor;

import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One counter as it was when it was looked at.
 *
 * @param id     its place in the control file.
 * @param typeId what it counts.
 * @param key    of {@link org.agrona.concurrent.status.CountersReader#MAX_KEY_LENGTH} bytes; nobody changes them.
 * @param label  of any characters, for people.
 * @param value  of it.
 */
public record CounterValue(int id, int typeId, DirectBuffer key, String label, long value)
{
    /** Checks that there is a key. */
    public CounterValue
    {
        Objects.requireNonNull(key);
    }

    CounterValue(final int id, final int typeId, final byte[] key, final String label, final long value)
    {
        this(id, typeId, new UnsafeBuffer(key), label, value);
    }

    /** What the label says before its first {@code ": "}; all of it if there is none. */
    public String owner()
    {
        final int end = label.indexOf(": ");
        return end < 0 ? label : label.substring(0, end);
    }

    /** What the label says after its first {@code ": "}; nothing if there is none. */
    public String what()
    {
        final int end = label.indexOf(": ");
        return end < 0 ? "" : label.substring(end + 2);
    }
}

package io.gannet;

import java.util.regex.Pattern;

/**
 * What goes wrong between a client and its driver. Wrong arguments are {@link IllegalArgumentException}s instead. The
 * message ends with a code, such as {@code (E330)}, that stays the same over releases: {@code gannet explain E330}, or
 * docs/errors.md, say what it means, where it comes from and what to do.
 */
public class GannetException extends RuntimeException
{
    private static final long serialVersionUID = 1L;
    private static final Pattern CODED = Pattern.compile("\\((E\\d{3})\\)$");
    private static final int GENERAL = 334;

    /** See {@link RuntimeException}. */
    public GannetException(final String message)
    {
        this(GENERAL, message, null);
    }

    /** See {@link RuntimeException}. */
    public GannetException(final String message, final Throwable cause)
    {
        this(GENERAL, message, cause);
    }

    /** With a code of its own, unless the message has one already: what the driver said is the nearer one. */
    GannetException(final int code, final String message, final Throwable cause)
    {
        super(message == null || CODED.matcher(message).find() ? message : message + " (E" + code + ")", cause);
    }

    /** {@return the code at the end of the message, such as {@code E330}} */
    public final String code()
    {
        final var found = CODED.matcher(String.valueOf(getMessage()));
        return found.find() ? found.group(1) : "E" + GENERAL;
    }
}

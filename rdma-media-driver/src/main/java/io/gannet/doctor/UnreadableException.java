package io.gannet.doctor;

/** What a check needs can't be read or makes no sense; the message says what. */
final class UnreadableException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    UnreadableException(final String message)
    {
        super(message, null, false, false);
    }
}

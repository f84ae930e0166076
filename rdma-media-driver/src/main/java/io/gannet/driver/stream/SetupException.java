package io.gannet.driver.stream;

/**
 * A peer's part of a set-up that cannot be used.
 */
final class SetupException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int refusal;

    SetupException(final int refusal, final String message)
    {
        super(message);
        this.refusal = refusal;
    }

    /** {@return what the peer is told, of {@link SetupRefusal}} */
    int refusal()
    {
        return refusal;
    }
}

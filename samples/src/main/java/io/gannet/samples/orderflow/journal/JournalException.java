package io.gannet.samples.orderflow.journal;

import java.io.IOException;

/**
 * A journal or snapshot can't be used; the message says where and why.
 */
public final class JournalException extends IOException
{
    private static final long serialVersionUID = 1;

    /**
     * @param message for the operator.
     */
    public JournalException(final String message)
    {
        super(message);
    }
}

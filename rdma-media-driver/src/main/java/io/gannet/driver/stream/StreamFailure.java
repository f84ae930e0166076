package io.gannet.driver.stream;

import io.gannet.rdma.Errno;
import io.gannet.rdma.WcStatus;

/**
 * Why a connection of a stream ended, with what is known of it.
 *
 * @param kind   why.
 * @param detail status or error number where the kind has one, else 0.
 */
public record StreamFailure(FailureKind kind, int detail)
{
    /** {@return a clause for people} */
    @Override
    public String toString()
    {
        return switch (kind)
        {
            case COMPLETION_ERROR -> WcStatus.describe(detail);
            case POST_REFUSED -> "the device refused a request (" + Errno.name(detail) + ")";
            default -> kind.text();
        };
    }
}

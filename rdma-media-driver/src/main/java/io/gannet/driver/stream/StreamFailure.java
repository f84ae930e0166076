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
    @Override
    public String toString()
    {
        return switch (kind)
        {
            case COMPLETION_ERROR -> kind + " " + WcStatus.name(detail);
            case POST_REFUSED -> kind + " " + Errno.name(detail);
            default -> kind.toString();
        };
    }
}

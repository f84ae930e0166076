package io.gannet.rdma;

/**
 * Status of a completion, with the values of {@code ibv_wc_status}. Any other than {@link #SUCCESS} means that the
 * queue pair is in the error state.
 */
public final class WcStatus
{
    public static final int SUCCESS = 0;
    public static final int LOC_LEN_ERR = 1;
    public static final int LOC_QP_OP_ERR = 2;
    public static final int LOC_PROT_ERR = 4;
    /** The request was in a queue of a queue pair that went to the error state. */
    public static final int WR_FLUSH_ERR = 5;
    public static final int REM_INV_REQ_ERR = 9;
    public static final int REM_ACCESS_ERR = 10;
    public static final int REM_OP_ERR = 11;
    /** The peer's NIC did not acknowledge within the retries. */
    public static final int RETRY_EXC_ERR = 12;
    /** The peer had no receive posted within the retries. */
    public static final int RNR_RETRY_EXC_ERR = 13;
    public static final int FATAL_ERR = 19;
    public static final int GENERAL_ERR = 21;

    private WcStatus()
    {
    }

    /** {@return a clause for people} */
    public static String describe(final int status)
    {
        return switch (status)
        {
            case SUCCESS -> "the request succeeded";
            case LOC_LEN_ERR -> "a request was too long";
            case LOC_QP_OP_ERR -> "a request was not consistent with its queue pair";
            case LOC_PROT_ERR -> "a request named memory that is not registered";
            case WR_FLUSH_ERR -> "the queue pair was ended";
            case REM_INV_REQ_ERR -> "its host found a request not valid";
            case REM_ACCESS_ERR -> "its host does not allow access to the memory";
            case REM_OP_ERR -> "its host could not do a request";
            case RETRY_EXC_ERR -> "its host does not acknowledge";
            case RNR_RETRY_EXC_ERR -> "its host has no receive posted";
            case FATAL_ERR -> "the transport failed for good";
            case GENERAL_ERR -> "the transport failed";
            default -> "a request failed with status " + status;
        };
    }

    /** {@return the symbol of the status, or its digits when it is none of the above} */
    public static String name(final int status)
    {
        return switch (status)
        {
            case SUCCESS -> "SUCCESS";
            case LOC_LEN_ERR -> "LOC_LEN_ERR";
            case LOC_QP_OP_ERR -> "LOC_QP_OP_ERR";
            case LOC_PROT_ERR -> "LOC_PROT_ERR";
            case WR_FLUSH_ERR -> "WR_FLUSH_ERR";
            case REM_INV_REQ_ERR -> "REM_INV_REQ_ERR";
            case REM_ACCESS_ERR -> "REM_ACCESS_ERR";
            case REM_OP_ERR -> "REM_OP_ERR";
            case RETRY_EXC_ERR -> "RETRY_EXC_ERR";
            case RNR_RETRY_EXC_ERR -> "RNR_RETRY_EXC_ERR";
            case FATAL_ERR -> "FATAL_ERR";
            case GENERAL_ERR -> "GENERAL_ERR";
            default -> Integer.toString(status);
        };
    }
}

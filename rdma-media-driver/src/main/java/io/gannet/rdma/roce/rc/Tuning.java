package io.gannet.rdma.roce.rc;

/**
 * How the protocol is run where it leaves a choice.
 *
 * @param maxWindow       packets that may be unacknowledged. Soft-RoCE stops when 128 are exceeded.
 * @param congestion      whether losses close the window; without, it is always {@code maxWindow}.
 * @param earlyResend     whether to resend after a few round trips already, long before the ACK time-out. Such a resend
 *                        does not count against the retries.
 * @param ackEvery        acknowledge requests that may be answered by one acknowledge; 1 answers each at once.
 * @param advertise       whether acknowledges carry end-to-end credits.
 */
public record Tuning(int maxWindow, boolean congestion, boolean earlyResend, int ackEvery, boolean advertise)
{
    /** For unknown networks and peers. */
    public static final Tuning DEFAULT = new Tuning(128, true, true, 32, false);
    /** What Soft-RoCE in Linux 6.1 does: no reaction to loss, one acknowledge per request for one. */
    public static final Tuning SOFT_ROCE = new Tuning(129, false, false, 1, false);
}

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
 * @param askEachMessage  whether every message asks for an acknowledge. If not, signaled requests do, every few dozen
 *                        packets do, and no packet is without one that asks behind it for long: an acknowledge is a
 *                        packet of its own, and costs both sides about as much as a small message.
 * @param reorders        whether requests that come before an earlier one are kept for a moment, in which that may
 *                        come, too; if not, the peer has to send them again at once.
 */
public record Tuning(
    int maxWindow, boolean congestion, boolean earlyResend, int ackEvery, boolean advertise, boolean askEachMessage,
    boolean reorders)
{
    /** For unknown networks and peers. */
    public static final Tuning DEFAULT = new Tuning(128, true, true, 32, false, false, true);
    /** What Soft-RoCE in Linux 6.1 does: no reaction to loss, one acknowledge per request for one. */
    public static final Tuning SOFT_ROCE = new Tuning(129, false, false, 1, false, true, false);
}

package io.gannet.rdma.sim;

import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;

/**
 * What a queue pair does with a request of its peer.
 */
final class SimResponder
{
    enum Outcome
    {
        DONE, NOT_READY, ACCESS_ERROR, INVALID
    }

    /** Pieces that a message is placed in, at most, before it is whole. */
    private static final int PIECES = 8;

    private SimResponder()
    {
    }

    /**
     * Places some pieces of a write, in any order, though nothing tells the peer's application so.
     */
    static void placePart(final SimFabric fabric, final SimQueuePair target, final SimSend send)
    {
        if (target != null && allows(target, send))
        {
            final byte[] bytes = send.bytes();
            final int piece = Math.max(8, (send.length / PIECES) & -8);
            final int pieces = (send.length + piece - 1) / piece;
            for (int i = 0; i < pieces; i++)
            {
                final int from = (int) fabric.upTo(pieces - 1) * piece;
                SimPlacement.place(
                    fabric.memory(), bytes, send.remoteAddress, from, Math.min(send.length, from + piece));
            }
        }
    }

    static Outcome execute(final SimFabric fabric, final SimQueuePair target, final SimSend send)
    {
        if (send.kind != SimSend.Kind.SEND && !allows(target, send))
        {
            final SimReceive receive = send.needsReceive() ? target.takeReceive() : null;
            if (receive != null)
            {
                target.completeReceive(receive, WcStatus.REM_ACCESS_ERR, 0, 0, 0, 0);
            }
            target.breakDown();
            return Outcome.ACCESS_ERROR;
        }
        if (send.needsReceive() && !target.hasReceive())
        {
            if (!target.isDisturbed())
            {
                fabric.onReceiverNotReady();
            }
            return Outcome.NOT_READY;
        }
        if (send.kind == SimSend.Kind.SEND)
        {
            return receive(fabric, target, send);
        }
        SimPlacement.place(fabric.memory(), send.bytes(), send.remoteAddress, 0, send.length);
        if (send.kind == SimSend.Kind.WRITE_WITH_IMM)
        {
            target.completeReceive(
                target.takeReceive(),
                WcStatus.SUCCESS,
                WcOpcode.RECV_RDMA_WITH_IMM,
                send.length,
                send.imm,
                WorkCompletions.FLAG_WITH_IMM);
        }
        return Outcome.DONE;
    }

    private static Outcome receive(final SimFabric fabric, final SimQueuePair target, final SimSend send)
    {
        final SimReceive receive = target.takeReceive();
        if (send.length > receive.length() || !target.mayPlace(receive, send.length))
        {
            target.completeReceive(
                receive,
                send.length > receive.length() ? WcStatus.LOC_LEN_ERR : WcStatus.LOC_PROT_ERR, 0, 0, 0, 0);
            target.breakDown();
            return Outcome.INVALID;
        }
        SimPlacement.place(fabric.memory(), send.bytes(), receive.address(), 0, send.length);
        target.completeReceive(receive, WcStatus.SUCCESS, WcOpcode.RECV, send.length, 0, 0);
        return Outcome.DONE;
    }

    private static boolean allows(final SimQueuePair target, final SimSend send)
    {
        if (send.length == 0)
        {
            return true;
        }
        final SimMemoryRegion region = target.device().region(send.rkey);
        return region != null &&
            region.allowsRemoteWrite(target.domain(), send.rkey, send.remoteAddress, send.length);
    }

    /**
     * @return nanoseconds of an RNR timer code, from the InfiniBand table.
     */
    static long rnrDelay(final int code)
    {
        if (code == 0)
        {
            return 655_360_000L;
        }
        if (code == 1)
        {
            return 10_000L;
        }
        // 2 = 0.02 ms, 3 = 0.03, 4 = 0.04, 5 = 0.06, 6 = 0.08 ...: doubled every second code.
        return (code % 2 == 0 ? 20_000L : 30_000L) << ((code - 2) / 2);
    }
}

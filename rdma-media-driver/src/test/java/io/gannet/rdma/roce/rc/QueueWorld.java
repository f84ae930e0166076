package io.gannet.rdma.roce.rc;

import io.gannet.rdma.Errno;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.ring.model.ProcessWorld;

/**
 * Requests and receives on their way from a poster to the NIC and, as completions, to a poller, who gives their slots
 * back: each whole, each once, in order. Queues are small, so that slots are used again.
 */
abstract class QueueWorld extends ProcessWorld
{
    private static final int MESSAGES = 10;
    private static final int DEPTH = 2;
    private static final int QP = 77;

    private final int completionDepth;

    private QueueWorld(
        final long seed, final String[] sites, final int completionDepth, final Boolean sends)
    {
        super(null, seed, sites);
        this.completionDepth = completionDepth;
        if (sends == null ? random.nextBoolean() : sends)
        {
            sends();
        }
        else
        {
            receives();
        }
    }

    private void sends()
    {
        final SendQueue queue = new SendQueue(DEPTH, 0, 1 << 20, 0);
        final CompletionRing ring = new CompletionRing(completionDepth);
        thread("poster", () ->
        {
            for (int i = 1; i <= MESSAGES; i++)
            {
                do
                {
                    idle();
                    queue.addWriteWithImm(i, SendFlags.SIGNALED, i + 100, i + 200, i + 300, i + 400, i + 500, i + 600);
                }
                while (!posted(queue.ringDoorbell()));
            }
        });
        thread("nic", () ->
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                while (queue.published() == i)
                {
                    idle();
                }
                final int n = i + 1;
                expect("request", n, queue.wrId(i), queue.localAddress(i) - 100, queue.length(i) - 200,
                    queue.lkey(i) - 300, queue.remoteAddress(i) - 400, queue.rkey(i) - 500, queue.imm(i) - 600);
                if (queue.kind(i) != SendQueue.WRITE_WITH_IMM || !queue.isSignaled(i))
                {
                    throw new AssertionError("request " + n + " is of another kind");
                }
                added(ring.addSend(queue, i, QP, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, n));
            }
        });
        thread("poller", () -> poll(ring, WcOpcode.RDMA_WRITE));
    }

    private void receives()
    {
        final ReceiveQueue queue = new ReceiveQueue(DEPTH);
        final CompletionRing ring = new CompletionRing(completionDepth);
        thread("poster", () ->
        {
            for (int i = 1; i <= MESSAGES; i++)
            {
                do
                {
                    idle();
                    queue.add(i, i + 100, i + 200, i + 300);
                }
                while (!posted(queue.post()));
            }
        });
        thread("nic", () ->
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                while (queue.available() == 0)
                {
                    idle();
                }
                final int n = i + 1;
                expect("receive", n, queue.wrId(i), queue.address(i) - 100, queue.length(i) - 200,
                    queue.lkey(i) - 300);
                added(ring.addReceive(queue, queue.head(), QP, WcStatus.SUCCESS, WcOpcode.RECV, n, n, 0));
                queue.consume();
            }
        });
        thread("poller", () -> poll(ring, WcOpcode.RECV));
    }

    private void poll(final CompletionRing ring, final int opcode)
    {
        final WorkCompletions completions = new WorkCompletions(3);
        int next = 1;
        while (next <= MESSAGES)
        {
            final int count = ring.poll(completions);
            for (int i = 0; i < count; i++, next++)
            {
                expect("completion", next, completions.wrId(i), completions.byteLength(i));
                if (completions.opcode(i) != opcode || completions.qpNum(i) != QP)
                {
                    throw new AssertionError("completion " + next + " is another's");
                }
            }
            idle();
        }
    }

    private static boolean posted(final int error)
    {
        if (error != Errno.OK && error != Errno.ENOMEM)
        {
            throw new AssertionError("refused: " + error);
        }
        return error == Errno.OK;
    }

    private static void added(final boolean hasRoom)
    {
        if (!hasRoom)
        {
            throw new AssertionError("an overrun, although no more was posted than has room");
        }
    }

    private static void expect(final String what, final long expected, final long... values)
    {
        for (final long value : values)
        {
            if (value != expected)
            {
                throw new AssertionError(what + ' ' + expected + " has " + value);
            }
        }
    }

    /** Requests. */
    static final class Sends extends QueueWorld
    {
        Sends(final long seed, final String[] sites)
        {
            super(seed, sites, 2 * MESSAGES, true);
        }
    }

    /** Receives. */
    static final class Receives extends QueueWorld
    {
        Receives(final long seed, final String[] sites)
        {
            super(seed, sites, 2 * MESSAGES, false);
        }
    }

    /** Either, and the completion queue has room for what the work queue holds, and no more. */
    static final class Full extends QueueWorld
    {
        Full(final long seed, final String[] sites)
        {
            super(seed, sites, DEPTH, null);
        }
    }
}

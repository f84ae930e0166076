package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvQpInitAttr;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.Errno;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaException;
import java.lang.foreign.Arena;
import org.agrona.UnsafeApi;

/**
 * Makes queue pairs with as much inline data as the device grants. That maximum cannot be asked for, only tried: what
 * is too much fails with EINVAL or ENOMEM.
 */
final class QueuePairMaker
{
    /**
     * Tried below what was asked for: what devices are known to grant (perftest's defaults, rxe's and siw's formulas),
     * and halves.
     */
    private static final int[] LADDER = {512, 400, 236, 220, 188, 156, 128, 101, 96, 92, 64, 48, 44, 32, 28, 16, 0};

    private final VerbsDevice device;
    private int known = Integer.MAX_VALUE;

    QueuePairMaker(final VerbsDevice device)
    {
        this.device = device;
    }

    /**
     * @param id the {@code rdma_cm_id} that gets the queue pair.
     * @return inline bytes granted.
     */
    int make(final long id, final VerbsProtectionDomain domain, final QpAttributes attributes)
    {
        check(domain, attributes);
        final int asked = Math.min(attributes.maxInline(), known);
        try (Arena arena = Arena.ofConfined())
        {
            final long initial = arena.allocate(IbvQpInitAttr.SIZE, 8).address();
            int inline = asked;
            int error = tryMake(id, domain, attributes, inline, initial);
            for (int i = 0; error != Errno.OK && i < LADDER.length; i++)
            {
                if (LADDER[i] < inline)
                {
                    inline = LADDER[i];
                    error = tryMake(id, domain, attributes, inline, initial);
                }
            }
            if (error != Errno.OK)
            {
                throw refusal(error, attributes);
            }
            if (inline < asked)
            {
                known = inline;
            }
            return Math.max(0, UnsafeApi.getInt(initial + IbvQpInitAttr.CAP_MAX_INLINE_DATA));
        }
    }

    private int tryMake(
        final long id,
        final VerbsProtectionDomain domain,
        final QpAttributes attributes,
        final int inline,
        final long initial)
    {
        UnsafeApi.setMemory(initial, IbvQpInitAttr.SIZE, (byte) 0);
        UnsafeApi.putLong(
            initial + IbvQpInitAttr.SEND_CQ, ((VerbsCompletionQueue) attributes.sendQueue()).handle());
        UnsafeApi.putLong(
            initial + IbvQpInitAttr.RECV_CQ, ((VerbsCompletionQueue) attributes.receiveQueue()).handle());
        UnsafeApi.putInt(initial + IbvQpInitAttr.CAP_MAX_SEND_WR, attributes.sendDepth());
        UnsafeApi.putInt(initial + IbvQpInitAttr.CAP_MAX_RECV_WR, attributes.receiveDepth());
        UnsafeApi.putInt(initial + IbvQpInitAttr.CAP_MAX_SEND_SGE, 1);
        UnsafeApi.putInt(initial + IbvQpInitAttr.CAP_MAX_RECV_SGE, 1);
        UnsafeApi.putInt(initial + IbvQpInitAttr.CAP_MAX_INLINE_DATA, inline);
        UnsafeApi.putInt(initial + IbvQpInitAttr.QP_TYPE, Value.QPT_RC);
        return device.library().createQp.status(id, domain.handle(), initial);
    }

    private void check(final VerbsProtectionDomain domain, final QpAttributes attributes)
    {
        final int most = device.limits().maxQueueDepth();
        if (attributes.sendDepth() < 1 || attributes.sendDepth() > most ||
            attributes.receiveDepth() < 1 || attributes.receiveDepth() > most)
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair with queues of " +
                attributes.sendDepth() + " sends and " + attributes.receiveDepth() + " receives: " + device.name() +
                " takes 1 to " + most);
        }
        if (attributes.maxInline() < 0 || attributes.minRnrTimer() < 0 || attributes.minRnrTimer() > 31)
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair: inline bytes must not be negative, is " +
                attributes.maxInline() + "; the RNR timer is a code of 0 to 31, is " + attributes.minRnrTimer());
        }
        if (!domain.device().equals(device))
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair in another device's protection domain");
        }
    }

    private RdmaException refusal(final int error, final QpAttributes attributes)
    {
        final String reason = error == Errno.ENOMEM ?
            ": the device has up to " + device.limits().maxQueuePairs() + " queue pairs; " +
                LockedMemory.ofThisProcess().explain(0) : "";
        return new RdmaException(error, "cannot make a queue pair of " + attributes.sendDepth() + " sends and " +
            attributes.receiveDepth() + " receives on " + device.name() + reason);
    }
}

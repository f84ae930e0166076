package io.gannet.rdma.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.Errno;
import io.gannet.rdma.WorkCompletions;

/**
 * A completion queue. Completions become visible late and in batches, never out of order; what is too much is lost,
 * with an event.
 */
final class SimCompletionQueue extends CompletionQueue
{
    private final SimDevice device;
    private final int depth;
    private final SimCompletionChannel channel;
    private final ArrayDeque<SimCompletion> visible = new ArrayDeque<>();
    /** What nobody polled when the device crashed. */
    private final List<SimCompletion> left = new ArrayList<>();
    private int coming;
    private long lastVisibleAt;
    private boolean armed;
    private int users;

    SimCompletionQueue(final SimDevice device, final int depth, final SimCompletionChannel channel)
    {
        super(device.resources());
        this.device = device;
        this.depth = depth;
        this.channel = channel;
        if (channel != null)
        {
            channel.adopt(this);
        }
    }

    @Override
    public int poll(final WorkCompletions completions)
    {
        int count = 0;
        while (count < completions.capacity() && !visible.isEmpty())
        {
            final SimCompletion completion = visible.poll();
            completion.queuePair().onPolled(completion);
            completions.set(
                count++,
                completion.wrId(),
                completion.status(),
                completion.opcode(),
                completion.byteLength(),
                completion.imm(),
                completion.queuePair().number(),
                completion.flags());
        }
        return count;
    }

    @Override
    public int arm()
    {
        if (channel == null)
        {
            return Errno.EINVAL;
        }
        armed = true;
        return Errno.OK;
    }

    @Override
    public int depth()
    {
        return depth;
    }

    void push(final SimCompletion completion, final long delay)
    {
        final SimFabric fabric = device.fabric();
        if (visible.size() + coming >= depth)
        {
            fabric.violation(device.name(), "completion queue of " + depth + " overflows");
            device.raise(AsyncEventType.CQ_ERR, 0, this);
            return;
        }
        coming++;
        final SimProfile profile = fabric.profile();
        final long held = fabric.chance(profile.completionHeld) ? fabric.upTo(profile.longestHold) : 0;
        lastVisibleAt =
            Math.max(lastVisibleAt, fabric.now() + delay + held + fabric.upTo(profile.completionDelay));
        fabric.after(lastVisibleAt - fabric.now(), () -> show(completion));
    }

    private void show(final SimCompletion completion)
    {
        coming--;
        if (!device.isAlive() || isClosed())
        {
            left.add(completion);
            return;
        }
        if (completion.queuePair().isClosed())
        {
            leaveBehind(completion);
        }
        else
        {
            makeVisible(completion);
        }
    }

    private void makeVisible(final SimCompletion completion)
    {
        visible.add(completion);
        if (armed)
        {
            armed = false;
            channel.signal();
        }
    }

    /** The queue pair is closed: what it has left here vanishes, or comes late. */
    void forget(final SimQueuePair queuePair)
    {
        final List<SimCompletion> gone =
            visible.stream().filter(completion -> completion.queuePair() == queuePair).toList();
        visible.removeAll(gone);
        gone.forEach(this::leaveBehind);
    }

    /** Shows some of what nobody has polled from the queue of a device that has crashed. */
    void inherit(final SimCompletionQueue before)
    {
        before.visible.forEach(this::leaveBehind);
        before.left.forEach(this::leaveBehind);
    }

    private void leaveBehind(final SimCompletion completion)
    {
        final SimFabric fabric = device.fabric();
        if (fabric.chance(fabric.profile().staleCompletions))
        {
            fabric.after(fabric.upTo(fabric.profile().staleDelay), () -> showStale(completion));
        }
    }

    private void showStale(final SimCompletion completion)
    {
        if (device.isAlive() && !isClosed() && visible.size() + coming < depth)
        {
            makeVisible(completion);
        }
    }

    /** {@return whether completions wait to be polled} */
    boolean isWaiting()
    {
        return !visible.isEmpty();
    }

    void adopt()
    {
        users++;
    }

    void release()
    {
        users--;
    }

    @Override
    protected int destroy()
    {
        if (users != 0)
        {
            return Errno.EBUSY;
        }
        if (channel != null)
        {
            channel.release(this);
        }
        return Errno.OK;
    }
}

package io.gannet.rdma.roce.rc;

import java.lang.invoke.VarHandle;

/**
 * Whether a completion queue's poller wants to be told of the next completion. The poller arms and polls once more
 * before it waits; the NIC adds completions and then asks whether they are to be announced: one of the two sees the
 * other.
 */
public final class Announcement
{
    private volatile boolean armed;
    private long announced;

    /** On the polling thread, before the poll that decides whether it waits. */
    public void arm()
    {
        armed = true;
        // before the poll that follows, whose load is no volatile one; pairs with the fence in isDue
        VarHandle.fullFence();
    }

    /**
     * On the NIC's thread.
     *
     * @param added completions added so far.
     * @return whether the poller is to be told, once for each arming.
     */
    public boolean isDue(final long added)
    {
        if (added == announced)
        {
            return false;
        }
        announced = added;
        // completions before the flag, as the poller stores the flag before it looks for completions
        VarHandle.fullFence();
        if (!armed)
        {
            return false;
        }
        armed = false;
        return true;
    }
}

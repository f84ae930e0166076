package io.gannet.rdma.roce.rc;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Who takes turns: those that have something to do, and for a few turns after. Who has had nothing is left out, until
 * it is put in again or its user tells of something. The owner's thread alone, but {@link #tell}.
 * <p>
 * No telling is lost. Its user publishes what is to be done, fences, and looks whether it is listed; the owner takes it
 * from the list, fences, and looks whether there is something to be done. One of the two sees what the other did.
 */
public final class TurnList
{
    /** Turns without anything to do after which one is left out. */
    private static final int IDLE_TURNS = 16;

    private final List<Member> active = new ArrayList<>();
    /** Those that were told of while they were left out, linked to each other. */
    private final AtomicReference<Member> told = new AtomicReference<>();

    /** One that takes turns. */
    public abstract static class Member
    {
        private final AtomicBoolean listed = new AtomicBoolean();
        /** Of those that the owner was told of, the one told before. */
        private Member next;
        private int idleTurns;

        /**
         * Whether nothing is to be done that nobody will tell of. On the owner's thread.
         */
        protected abstract boolean isSettled();

        private boolean enlist()
        {
            return !listed.getOpaque() && listed.compareAndSet(false, true);
        }
    }

    /** Something is to be done for a member, which was published before. Any thread. */
    public void tell(final Member member)
    {
        // Between the release of what is to be done and the look at the list; pairs with the one in leaveOut.
        VarHandle.fullFence();
        if (member.enlist())
        {
            Member first = told.get();
            member.next = first;
            while (!told.compareAndSet(first, member))
            {
                first = told.get();
                member.next = first;
            }
        }
    }

    /** {@return whether a member was told of that takes no turns yet} */
    public boolean isTold()
    {
        return told.get() != null;
    }

    /** Lets a member take turns. */
    public void add(final Member member)
    {
        if (member.enlist())
        {
            active.add(member);
        }
        member.idleTurns = 0;
    }

    /** Takes a member out for good; nobody tells of it any more. */
    public void remove(final Member member)
    {
        takeTold();
        active.remove(member);
    }

    /** Lets those take turns that were told of. */
    public void takeTold()
    {
        Member member = told.get() == null ? null : told.getAndSet(null);
        while (member != null)
        {
            final Member following = member.next;
            member.next = null;
            member.idleTurns = 0;
            active.add(member);
            member = following;
        }
    }

    /** Each has had a turn: leaves those out that have had nothing to do for long enough. */
    public void turned()
    {
        boolean idle = false;
        for (int i = 0; i < active.size(); i++)
        {
            final Member member = active.get(i);
            member.idleTurns = member.isSettled() ? member.idleTurns + 1 : 0;
            idle |= member.idleTurns >= IDLE_TURNS;
        }
        if (idle)
        {
            leaveOut();
        }
    }

    private void leaveOut()
    {
        for (int i = active.size() - 1; i >= 0; i--)
        {
            final Member member = active.get(i);
            if (member.idleTurns >= IDLE_TURNS)
            {
                member.listed.setOpaque(false);
                // Before the look for what is to be done; pairs with the one in tell.
                VarHandle.fullFence();
                if (!member.isSettled() && member.enlist())
                {
                    member.idleTurns = 0;
                }
                else
                {
                    // If another thread has enlisted it meanwhile, that one has told of it.
                    final Member last = active.removeLast();
                    if (i < active.size())
                    {
                        active.set(i, last);
                    }
                }
            }
        }
    }

    /** {@return members that take turns} */
    public int size()
    {
        return active.size();
    }

    /** {@return a member that takes turns, by its place, which changes with {@link #turned} and what comes} */
    public Member get(final int place)
    {
        return active.get(place);
    }
}

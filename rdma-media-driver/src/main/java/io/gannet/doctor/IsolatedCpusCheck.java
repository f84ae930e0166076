package io.gannet.doctor;

import java.util.BitSet;

/** Whether processors are kept free of other work where there are enough of them. */
final class IsolatedCpusCheck extends Check
{
    /** Sender, receiver and conductor, a publisher and a subscriber, and the rest of the system. */
    private static final int ENOUGH = 8;

    IsolatedCpusCheck()
    {
        super("isolated-cpus", false, "processors for the agents and for hot threads that nothing else runs on",
            "anything else that the kernel runs there interrupts an agent for tens of microseconds and more");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final BitSet online = CpuList.parse(host.tree().text("/sys/devices/system/cpu/online"));
        final BitSet isolated = CpuList.parse(host.tree().text("/sys/devices/system/cpu/isolated"));
        if (online.isEmpty())
        {
            throw new UnreadableException("/sys/devices/system/cpu/online can't be read");
        }
        if (isolated.isEmpty() && online.cardinality() >= ENOUGH)
        {
            notes.note("none of " + online.cardinality(), "isolcpus=managed_irq,domain,2-5 nohz_full=2-5 " +
                "rcu_nocbs=2-5 on the kernel's command line (your numbers), then CPUAffinity= in the unit");
        }
        else
        {
            notes.ok((isolated.isEmpty() ? "none" : isolated.toString()) + " of " + online.cardinality());
        }
    }
}

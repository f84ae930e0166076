package io.gannet.doctor;

import java.util.BitSet;
import java.util.OptionalLong;

/** Whether the process may run beside the NIC. */
final class NumaCheck extends Check
{
    NumaCheck()
    {
        super("numa", true, "processors of the NIC's NUMA node",
            "from another node each write of the NIC and each poll crosses the interconnect: 10 to 20 %");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final BitSet allowed = CpuList.parse(host.tree().field(host.ofProcess("status"), "Cpus_allowed_list"));
        for (final String device : host.devices())
        {
            final String directory = RdmaPort.DEVICES + "/" + device + "/device/";
            final OptionalLong node = host.tree().number(directory + "numa_node");
            final BitSet near = CpuList.parse(host.tree().text(directory + "local_cpulist"));
            if (node.isEmpty() || node.getAsLong() < 0 || near.isEmpty() || allowed.isEmpty())
            {
                notes.skip(device + ": one node only, or none known");
                continue;
            }
            final BitSet far = (BitSet) allowed.clone();
            far.andNot(near);
            final String found = device + " is at node " + node.getAsLong() + " with processors " + near + ", " +
                host.processName() + " may run on " + allowed;
            final String mend = "CPUAffinity= and NUMAMask= in the unit, or numactl --cpunodebind=" +
                node.getAsLong() + " --membind=" + node.getAsLong() + " gannet driver";
            if (!near.intersects(allowed))
            {
                notes.warning(found, mend);
            }
            else if (!far.isEmpty())
            {
                notes.note(found, mend);
            }
            else
            {
                notes.ok(found);
            }
        }
    }
}

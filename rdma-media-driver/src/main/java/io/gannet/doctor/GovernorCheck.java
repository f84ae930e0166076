package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Frequency governor of the processors. */
final class GovernorCheck extends Check
{
    private static final String CPUS = "/sys/devices/system/cpu";

    GovernorCheck()
    {
        super("governor", false, "performance on all processors",
            "a processor that is scaled down takes up to milliseconds to speed up again: rare messages are slow ones");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final List<String> slow = new ArrayList<>();
        final TreeSet<String> kinds = new TreeSet<>();
        int known = 0;
        for (final String cpu : host.tree().names(CPUS))
        {
            final String governor = host.tree().text(CPUS + "/" + cpu + "/cpufreq/scaling_governor");
            if (!governor.isEmpty())
            {
                known++;
                if (!"performance".equals(governor))
                {
                    slow.add(cpu);
                    kinds.add(governor);
                }
            }
        }
        if (known == 0)
        {
            notes.ok("frequencies are not scaled by this kernel");
        }
        else if (slow.isEmpty())
        {
            notes.ok("performance on " + known + " processors");
        }
        else
        {
            notes.warning(String.join(", ", kinds) + " on " + slow.size() + " of " + known + " processors",
                "cpupower frequency-set -g performance (package linux-cpupower)");
        }
    }
}

package io.gannet.doctor;

import java.util.TreeSet;

/** Sleep states of the processors that take long to leave, of those on which the process may run. */
final class IdleStatesCheck extends Check
{
    private static final String CPUS = "/sys/devices/system/cpu";
    /** Microseconds; C1E of today's processors stays below. */
    private static final long LONGEST = 20;

    IdleStatesCheck()
    {
        super("c-states", false, "no enabled idle state that takes more than " + LONGEST + " us to leave",
            "a processor that has slept deeply wakes tens to hundreds of microseconds after the message came");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final TreeSet<String> deep = new TreeSet<>();
        boolean known = false;
        for (final String cpu : host.tree().names(CPUS))
        {
            final String states = CPUS + "/" + cpu + "/cpuidle";
            for (final String state : host.tree().names(states))
            {
                final String directory = states + "/" + state + "/";
                final long latency = host.tree().number(directory + "latency").orElse(0);
                known |= host.tree().exists(directory + "latency");
                if (latency > LONGEST && host.tree().number(directory + "disable").orElse(0) == 0)
                {
                    deep.add(host.tree().text(directory + "name") + " " + latency + " us");
                }
            }
        }
        if (deep.isEmpty())
        {
            notes.ok(known ? "none deeper than " + LONGEST + " us" : "the kernel knows no idle states");
        }
        else
        {
            notes.warning(String.join(", ", deep),
                "cpupower idle-set -D " + LONGEST + "; for each boot intel_idle.max_cstate=1 " +
                "processor.max_cstate=1 on the kernel's command line");
        }
    }
}

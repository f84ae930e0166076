package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;

/** Whether the kernel's interfaces for programs are there: as modules, or built in, which their classes show. */
final class ModulesCheck extends Check
{
    ModulesCheck()
    {
        super("kernel-modules", true, "ib_uverbs and rdma_ucm are loaded",
            "libibverbs reaches the NIC through ib_uverbs; connections are made through rdma_ucm");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final List<String> missing = new ArrayList<>();
        if (!isThere(host.tree(), "ib_uverbs", "/sys/class/infiniband_verbs"))
        {
            missing.add("ib_uverbs");
        }
        if (!isThere(host.tree(), "rdma_ucm", "/sys/class/misc/rdma_cm"))
        {
            missing.add("rdma_ucm");
        }
        if (missing.isEmpty())
        {
            notes.ok("ib_uverbs, rdma_ucm");
        }
        else
        {
            final String names = String.join(" ", missing);
            notes.error("not loaded: " + names,
                "modprobe -a " + names + "; for each boot: a line each in /etc/modules-load.d/rdma.conf");
        }
    }

    private static boolean isThere(final Tree tree, final String module, final String evidence)
    {
        return tree.exists(evidence) || tree.exists("/sys/module/" + module) ||
            tree.lines("/proc/modules").stream().anyMatch(line -> line.startsWith(module + " "));
    }
}

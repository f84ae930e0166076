package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;

/** Whether a program can open the device: in a container its files have to be passed through. */
final class DeviceNodesCheck extends Check
{
    private static final String NODES = "/dev/infiniband";

    DeviceNodesCheck()
    {
        super("device-nodes", true, NODES + "/uverbs* of each device and " + NODES + "/rdma_cm",
            "the kernel has the NIC, but a program can only use it through these files");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final Tree tree = host.tree();
        if (!tree.isThisHost() && !tree.exists("/dev"))
        {
            notes.skip("the tree has no /dev");
            return;
        }
        final List<String> missing = new ArrayList<>();
        for (final String node : tree.names("/sys/class/infiniband_verbs"))
        {
            if (node.startsWith("uverbs") && !tree.exists(NODES + "/" + node))
            {
                missing.add(NODES + "/" + node);
            }
        }
        if (!tree.exists(NODES + "/rdma_cm"))
        {
            missing.add(NODES + "/rdma_cm");
        }
        if (missing.isEmpty())
        {
            notes.ok(String.join(", ", tree.names(NODES)));
        }
        else
        {
            notes.error("missing: " + String.join(", ", missing) +
                (isContainer(tree) ? " (this looks like a container)" : ""), isContainer(tree) ?
                "pass them through: --device=" + NODES + " of docker and podman, a resource rdma/... in Kubernetes" :
                "systemctl restart systemd-udevd && udevadm trigger; they are made by udev");
        }
    }

    static boolean isContainer(final Tree tree)
    {
        final String groups = tree.text("/proc/1/cgroup");
        return tree.exists("/.dockerenv") || tree.exists("/run/.containerenv") || groups.contains("kubepods") ||
            groups.contains("docker") || groups.contains("containerd");
    }
}

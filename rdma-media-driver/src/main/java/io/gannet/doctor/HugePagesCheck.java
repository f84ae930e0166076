package io.gannet.doctor;

/** Huge pages for rings: that there are some, on the NIC's node too, and not more than a fifth of memory. */
final class HugePagesCheck extends Check
{
    /** Practitioners' rule: what is reserved is lost to everything else. */
    private static final int PART = 5;

    HugePagesCheck()
    {
        super("huge-pages", true, "huge pages reserved, at most 20 % of memory",
            "on 4 KiB pages a ring takes 512 times the entries in the NIC's translation table, and pins ten times " +
            "as slowly; what is reserved is lost to everybody else");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final long memory = host.memory("MemTotal");
        final long size = host.memory("Hugepagesize");
        if (memory == 0)
        {
            throw new UnreadableException("/proc/meminfo has no MemTotal");
        }
        final long pages = Tree.parse(host.tree().field("/proc/meminfo", "HugePages_Total")).orElse(0);
        final long most = size == 0 ? 0 : memory / PART / size;
        if (size == 0 || pages == 0)
        {
            notes.warning("none reserved", size == 0 ? "this kernel has none: rings stay on 4 KiB pages" :
                "sysctl vm.nr_hugepages=" + Math.clamp(most, 1, 512) + "; mount -t hugetlbfs -o " +
                "uid=gannet,gid=gannet,mode=0770 none /dev/hugepages; then memory = hugetlb in the driver's " +
                "configuration");
            return;
        }
        final String found = pages + " of " + Units.bytes(size) + ", " +
            Tree.parse(host.tree().field("/proc/meminfo", "HugePages_Free")).orElse(0) + " free: " +
            Math.round(100.0 * pages * size / memory) + " % of " + Units.bytes(memory);
        if (pages > most)
        {
            notes.warning(found, "sysctl vm.nr_hugepages=" + most);
            return;
        }
        for (final String device : host.devices())
        {
            final long node = host.tree().number(RdmaPort.DEVICES + "/" + device + "/device/numa_node").orElse(-1);
            final String file = "/sys/devices/system/node/node" + node + "/hugepages/hugepages-" + size / 1024 +
                "kB/nr_hugepages";
            if (node >= 0 && host.tree().number(file).orElse(1) == 0)
            {
                notes.warning(found + ", none of them at node " + node + " of " + device,
                    "echo " + Math.min(pages, most) + " > " + file);
                return;
            }
        }
        notes.ok(found);
    }
}

package io.gannet.doctor;

import java.util.OptionalLong;

/** How much memory the process may pin for the NIC. A ring is mapped, and counts, twice. */
final class LockedMemoryCheck extends Check
{
    private static final int CAP_IPC_LOCK = 14;
    private static final String KEY = "Max locked memory";
    private static final long RING = (2 * 16L) << 20;

    LockedMemoryCheck()
    {
        super("memlock", true, "unlimited locked memory, or CAP_IPC_LOCK",
            "each ring is pinned for the NIC and counts twice, a default one " + Units.bytes(RING) +
            ": what does not fit is refused");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final String capabilities = host.tree().field(host.ofProcess("status"), "CapEff");
        String limit = "";
        for (final String line : host.tree().lines(host.ofProcess("limits")))
        {
            if (line.startsWith(KEY))
            {
                limit = line.substring(KEY.length()).strip().split("\\s+", 2)[0];
            }
        }
        final OptionalLong bytes = Tree.parse(limit);
        if (limit.isEmpty() || (bytes.isEmpty() && !"unlimited".equals(limit)))
        {
            throw new UnreadableException(host.ofProcess("limits") + " says no " + KEY);
        }
        if (bytes.isEmpty())
        {
            notes.ok(host.processName() + ": unlimited");
        }
        else if (isExempt(capabilities))
        {
            notes.ok(host.processName() + ": " + Units.bytes(bytes.getAsLong()) + ", but CAP_IPC_LOCK");
        }
        else
        {
            final String found = host.processName() + ": " + Units.bytes(bytes.getAsLong());
            final String mend = DeviceNodesCheck.isContainer(host.tree()) ?
                "docker and podman: --ulimit memlock=-1; Kubernetes: LimitMEMLOCK=infinity in the unit of the node's " +
                "container runtime (systemctl edit containerd). A capability IPC_LOCK has an effect for root alone" :
                "LimitMEMLOCK=infinity in the unit (systemctl edit gannet), or ulimit -l unlimited, " +
                "or \"* - memlock unlimited\" in /etc/security/limits.d/gannet.conf";
            notes.add(bytes.getAsLong() < RING ? Severity.ERROR : Severity.WARNING, found,
                "unlimited locked memory, or CAP_IPC_LOCK", mend);
        }
    }

    private static boolean isExempt(final String capabilities)
    {
        try
        {
            return !capabilities.isEmpty() &&
                ((Long.parseUnsignedLong(capabilities, 16) >>> CAP_IPC_LOCK) & 1) != 0;
        }
        catch (final NumberFormatException unknown)
        {
            return false;
        }
    }
}

package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;

/** Addresses of a port: on RoCE one of version 2 that other hosts can reach; on InfiniBand one that is there. */
final class GidCheck extends Check
{
    static final String NONE = "0000:0000:0000:0000:0000:0000:0000:0000";
    static final String LINK_LOCAL = "fe80:";
    static final String VERSION_2 = "RoCE v2";
    /** Tables have hundreds of entries, used ones first. */
    static final int MOST = 1024;

    GidCheck()
    {
        super("gid", true, "a RoCE v2 GID that is not link-local: an IP address on the interface",
            "connections are made by IP address; a link-local one is not routed and times out");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ports())
        {
            final List<String> usable = new ArrayList<>();
            final List<String> others = new ArrayList<>();
            final List<String> indices = host.tree().names(port.directory() + "/gids");
            for (final String index : indices.subList(0, Math.min(MOST, indices.size())))
            {
                final String gid = port.text("gids/" + index);
                if (gid.isEmpty() || gid.equals(NONE))
                {
                    continue;
                }
                final String type = port.text("gid_attrs/types/" + index);
                final boolean fits = !port.isEthernet() ||
                    (VERSION_2.equals(type) && !gid.startsWith(LINK_LOCAL));
                (fits ? usable : others).add(index + " " + gid + (port.isEthernet() ? " " + type : ""));
            }
            report(port, usable, others, notes);
        }
    }

    private static void report(
        final RdmaPort port, final List<String> usable, final List<String> others, final Notes notes)
    {
        if (!usable.isEmpty())
        {
            notes.ok(port + ": " + usable.getFirst() + (usable.size() == 1 ? "" :
                " and " + (usable.size() - 1) + " more"));
        }
        else if (port.isEthernet())
        {
            notes.error(port + ": " + (others.isEmpty() ? "no GID" : "only " + String.join(", ", others)),
                "ip addr add 10.0.0.5/24 dev " + port.netdevOrPlaceholder() + " (an address of your network)");
        }
        else
        {
            notes.error(port + ": no GID", "a GID", "load ib_ipoib and start a subnet manager");
        }
    }
}

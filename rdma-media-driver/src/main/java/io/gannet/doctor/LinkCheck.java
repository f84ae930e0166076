package io.gannet.doctor;

import java.util.OptionalLong;

/** Link layer and rate, {@code 100 Gb/sec (4X EDR)}; a port that runs on fewer lanes than it has says 1X. */
final class LinkCheck extends Check
{
    /** Gbit/s below which RDMA is not what limits. */
    private static final int LEAST = 10;

    LinkCheck()
    {
        super("link", true, "10 Gb/s or more; InfiniBand on 4 lanes",
            "a cable or a port with a bad lane comes up with a part of the rate, and nothing else tells");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ports())
        {
            final String rate = port.text("rate");
            final String layer = port.text("link_layer");
            final OptionalLong gigabits = Tree.parse(rate);
            final String found = port + ": " + layer + ", " + rate;
            if (!port.text("state").endsWith("ACTIVE"))
            {
                notes.skip(found + ": not active");
            }
            else if (gigabits.isEmpty())
            {
                notes.skip(port + ": no rate known");
            }
            else if (gigabits.getAsLong() < LEAST || (!port.isEthernet() && rate.contains("(1X")))
            {
                notes.warning(found, port.isEthernet() ? "ethtool " + port.netdevOrPlaceholder() +
                    ": speed and lanes; set the same on NIC and switch, change the cable" :
                    "iblinkinfo: width and speed of both ends; change the cable");
            }
            else
            {
                notes.ok(found);
            }
        }
    }
}

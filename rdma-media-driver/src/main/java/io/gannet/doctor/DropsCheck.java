package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Packets that the NIC threw away or received damaged. RoCE and InfiniBand resend everything since a lost packet, so
 * few losses cost much.
 */
final class DropsCheck extends Check
{
    /** Lost per received up to which an old loss is only told: at 100 Gbit/s with 4 KiB packets one in 0.3 s. */
    private static final double ACCEPTED = 1e-6;

    /** Of /sys/class/infiniband and of ethtool -S, mlx5 first; what is not counted there is not looked at. */
    private static final String[] NAMES = {
        "rx_discards_phy", "rx_out_of_buffer", "rx_prio3_discards", "tx_discards_phy", "rx_crc_errors_phy",
        "rx_symbol_err_phy", "rx_icrc_encapsulated", "port_rcv_errors", "port_xmit_discards",
        "port_rcv_constraint_errors", "symbol_error", "local_link_integrity_errors",
        "excessive_buffer_overrun_errors", "rx_roce_discards", "roce_slow_restart"};
    private static final String[] RECEIVED = {"rx_packets_phy", "port_rcv_packets", "rx_packets"};

    DropsCheck()
    {
        super("drops", true, "no packet discarded or damaged",
            "the sender resends everything since a lost packet: one costs a round trip at least, many halve the rate");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ports())
        {
            final PortCounters counters = host.counters(port);
            final List<String> growing = new ArrayList<>();
            final List<String> old = new ArrayList<>();
            long lost = 0;
            int known = 0;
            for (final String name : NAMES)
            {
                final long total = counters.total(name).orElse(-1);
                known += total >= 0 ? 1 : 0;
                if (total > 0)
                {
                    lost += total;
                    old.add(name + " " + Units.count(total));
                }
                if (counters.growth(name) > 0)
                {
                    growing.add(name + " +" + Units.count(counters.growth(name)));
                }
            }
            report(host, port, new Losses(growing, old, lost, known), notes);
        }
    }

    private void report(final Host host, final RdmaPort port, final Losses losses, final Notes notes)
    {
        final long received = host.counters(port).totalOfFirst(RECEIVED);
        final String mend = "ethtool -S " + port.netdevOrPlaceholder() + " twice, and the switch port's counters: " +
            "discards are missing flow control or buffers (pfc, ecn below), damage is cable or optics";
        if (losses.known() == 0)
        {
            notes.skip(port + ": no counters of drops");
        }
        else if (!losses.growing().isEmpty())
        {
            notes.error(String.format(Locale.ROOT, "%s: in the last %.1f s %s", port, host.watchedSeconds(),
                String.join(", ", losses.growing())), mend);
        }
        else if (losses.lost() > received * ACCEPTED)
        {
            notes.warning(port + ": since they were reset " + String.join(", ", losses.old()) + " of " +
                Units.count(received) + " packets received", mend);
        }
        else
        {
            notes.ok(port + ": " + (losses.lost() == 0 ? "none" : String.join(", ", losses.old()) + " of " +
                Units.count(received) + " packets"));
        }
    }

    private record Losses(List<String> growing, List<String> old, long lost, int known)
    {
    }
}

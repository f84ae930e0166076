package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the transport had to repeat: a receiver that was not ready, a time-out, a gap. Names differ between drivers:
 * mlx5, Soft-RoCE, bnxt_re.
 */
final class RetriesCheck extends Check
{
    /** Repeated per packet sent up to which old ones are only told. */
    private static final double ACCEPTED = 1e-6;

    private static final String[] NAMES = {
        "local_ack_timeout_err", "rnr_nak_retry_err", "packet_seq_err", "out_of_sequence", "implied_nak_seq_err",
        "rcvd_rnr_err", "send_rnr_err", "retry_exceeded_err", "retry_rnr_exceeded_err", "completer_retry_err",
        "out_of_seq_request", "rnr_naks_rcvd", "max_retry_exceeded", "seq_err_naks_rcvd", "to_retransmits"};
    private static final String[] SENT = {"port_xmit_packets", "tx_packets_phy", "sent_pkts", "tx_packets"};

    RetriesCheck()
    {
        super("retries", true, "no retries, no receiver that was not ready (RNR)",
            "a time-out costs 67 ms and more; RNR costs its timer, 655 ms where nobody set one");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ports())
        {
            final PortCounters counters = host.counters(port);
            final List<String> growing = new ArrayList<>();
            final List<String> old = new ArrayList<>();
            long sum = 0;
            for (final String name : NAMES)
            {
                final long total = counters.total(name).orElse(0);
                sum += total;
                if (total > 0)
                {
                    old.add(name + " " + Units.count(total));
                }
                if (counters.growth(name) > 0)
                {
                    growing.add(name + " +" + Units.count(counters.growth(name)));
                }
            }
            final long sent = counters.totalOfFirst(SENT);
            final String mend = "rdma statistic show link " + port.device() + "/" + port.number() + " twice: " +
                "sequence errors and time-outs are loss (drops, pfc); RNR is a receiving program that doesn't keep up";
            if (!growing.isEmpty())
            {
                notes.error(String.format(Locale.ROOT, "%s: in the last %.1f s %s", port, host.watchedSeconds(),
                    String.join(", ", growing)), mend);
            }
            else if (sum > sent * ACCEPTED)
            {
                notes.warning(port + ": since they were reset " + String.join(", ", old) + " of " +
                    Units.count(sent) + " packets sent", mend);
            }
            else
            {
                notes.ok(port + ": " + (sum == 0 ? "none" : String.join(", ", old)));
            }
        }
    }
}

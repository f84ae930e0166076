package io.gannet.doctor;

/** Whether congestion notifications do what they should: marks are answered, and the answers obeyed. */
final class CongestionCheck extends Check
{
    CongestionCheck()
    {
        super("cnp", true, "each mark answered by a congestion notification (CNP), none ignored",
            "a sender that doesn't hear of congestion, or ignores it, goes on until packets are dropped or paused");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ethernetPorts())
        {
            final PortCounters counters = host.counters(port);
            if (counters.total("rp_cnp_handled").isEmpty())
            {
                notes.skip(port + ": no counters of congestion notifications");
                continue;
            }
            final long ignored = counters.total("rp_cnp_ignored").orElse(0);
            final long marked = counters.total("np_ecn_marked_roce_packets").orElse(0);
            final long sent = counters.total("np_cnp_sent").orElse(0);
            final String found = port + ": " + Units.count(marked) + " packets came marked, " + Units.count(sent) +
                " notifications sent, " + Units.count(counters.total("rp_cnp_handled").getAsLong()) +
                " obeyed, " + Units.count(ignored) + " ignored";
            if (ignored > 0)
            {
                notes.warning(found, "ECN as reaction point is off for that priority: see ecn");
            }
            else if (marked > 0 && sent == 0)
            {
                notes.warning(found, "ECN as notification point is off for that priority: see ecn");
            }
            else
            {
                notes.ok(found);
            }
        }
    }
}

package io.gannet.doctor;

import io.gannet.doctor.HostFacts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Compares the two ends of a connection: what has to fit, and what should be the same so that one end's measurements
 * say something of the other's.
 */
public final class PeerChecks
{
    private static final String ETHERNET = "Ethernet";

    private final HostFacts own;
    private final HostFacts peers;
    private final String peer;
    private final List<Result> results = new ArrayList<>();

    private PeerChecks(final HostFacts own, final HostFacts peers, final String peer)
    {
        this.own = own;
        this.peers = peers;
        this.peer = peer;
    }

    /**
     * Compares.
     *
     * @param own   what this host is.
     * @param peers what the other one says it is.
     * @param peer  its name, for people.
     * @return the results, in the order of {@link Checks}.
     */
    public static List<Result> compare(final HostFacts own, final HostFacts peers, final String peer)
    {
        return new PeerChecks(own, peers, peer).all();
    }

    /**
     * The result where the other end could not be asked.
     *
     * @param found what came of it.
     * @param mend  what to do.
     */
    public static Result silent(final String found, final String mend)
    {
        return new Result("peer", Severity.ERROR, found, "an answer of the driver there",
            "most of what makes RDMA slow or fail lies in how the two ends differ", mend);
    }

    private List<Result> all()
    {
        results.add(new Result("peer", Severity.OK, peer + " answers: " + peers.get(Fact.DEVICE), "", "", ""));
        version();
        same("peer-link-layer", Severity.ERROR, "there is no connection between InfiniBand and Ethernet",
            "cable both to the same fabric, or name another device with device-name", Fact.LINK_LAYER);
        same("peer-rate", Severity.WARNING,
            "the faster end fills the buffers of switches before the slower one, which shows as pauses or drops",
            "the same speed on both ports (ethtool INTERFACE, iblinkinfo)", Fact.RATE);
        mtu();
        gid();
        same("peer-pfc", Severity.WARNING,
            "a pause that one end or switch does not send or heed is a drop, and frames are paused that need not be",
            "mlnx_qos -i INTERFACE --pfc 0,0,0,1,0,0,0,0 --trust dscp on both ends, and the same on every switch",
            Fact.PFC, Fact.TRUST);
        same("peer-ecn", Severity.WARNING,
            "marks are answered by the receiving end and heeded by the sending one: one without ECN makes both useless",
            "echo 1 | tee /sys/class/net/INTERFACE/ecn/roce_[nr]p/enable/PRIORITY where it is off", Fact.ECN);
        same("peer-nic-driver", Severity.NOTE, "defaults and faults differ, so that the ends behave differently for " +
            "no visible reason", "the same kernel and driver on both ends", Fact.NIC_DRIVER);
        same("peer-clock-source", Severity.WARNING,
            "agents look at the clock in each duty cycle: 20 ns by tsc, up to microseconds by hpet or acpi_pm",
            "echo tsc > " + ClockSourceCheck.DIRECTORY + "current_clocksource where it is another", Fact.CLOCK_SOURCE);
        return results;
    }

    private void version()
    {
        final OptionalLong here = Tree.parse(own.get(Fact.PROTOCOL));
        final OptionalLong there = Tree.parse(peers.get(Fact.PROTOCOL));
        final String why = "drivers whose protocols are more than one apart refuse each other";
        final String mend = "upgrade the older one";
        if (here.isPresent() && there.isPresent() && Math.abs(here.getAsLong() - there.getAsLong()) > 1)
        {
            add("peer-version", Severity.ERROR, both(Fact.PROTOCOL), "protocols at most one apart", why, mend);
            return;
        }
        same("peer-version", Severity.NOTE, why, mend, Fact.GANNET);
    }

    /** Active MTU, then what the path between needs for it, then the interfaces. */
    private void mtu()
    {
        final OptionalLong here = Tree.parse(own.get(Fact.ACTIVE_MTU));
        final OptionalLong there = Tree.parse(peers.get(Fact.ACTIVE_MTU));
        same("peer-mtu", Severity.WARNING,
            "a connection takes the smaller one, and each packet costs the same; some programs take their own, and " +
            "then only large messages fail", "ip link set dev INTERFACE mtu 4200 on both ends", Fact.ACTIVE_MTU);
        if (here.isEmpty() || there.isEmpty() || !ETHERNET.equals(own.get(Fact.LINK_LAYER)))
        {
            return;
        }
        final long needed = Math.min(here.getAsLong(), there.getAsLong()) + MtuCheck.HEADERS;
        final OptionalLong ownMtu = Tree.parse(own.get(Fact.NETDEV_MTU));
        final OptionalLong peersMtu = Tree.parse(peers.get(Fact.NETDEV_MTU));
        if (ownMtu.isEmpty() || peersMtu.isEmpty())
        {
            skip("peer-path-mtu", Fact.NETDEV_MTU);
        }
        else if (Math.min(ownMtu.getAsLong(), peersMtu.getAsLong()) < needed)
        {
            add("peer-path-mtu", Severity.ERROR, both(Fact.NETDEV_MTU) + "; packets of a connection take " + needed,
                "interface MTUs of " + needed + " or more at both ends and on every hop",
                "full packets are lost on the way: small messages pass and large ones time out",
                "ip link set dev INTERFACE mtu 4200 on the end that has less, then down and up again");
        }
        else if (here.getAsLong() == there.getAsLong())
        {
            same("peer-path-mtu", Severity.NOTE,
                "packets of a connection take " + needed + ", which fits; what else uses the interfaces may not",
                "ip link set dev INTERFACE mtu 4200 on both ends", Fact.NETDEV_MTU);
        }
    }

    private void gid()
    {
        if (isKnown(Fact.GID_TYPE) && !own.get(Fact.GID_TYPE).equals(peers.get(Fact.GID_TYPE)))
        {
            add("peer-gid", Severity.ERROR, both(Fact.GID_TYPE), "the same type, RoCE v2 on Ethernet",
                "packets of version 1 and version 2 are different protocols: no connection comes about",
                "an IP address on the interface that has none; cma_roce_mode -d DEVICE -p 1 -m 2");
            return;
        }
        same("peer-gid", Severity.NOTE,
            "connections by address find it themselves; programs that are given an index need another one at each end",
            "nothing, or the same addresses in the same order on both interfaces", Fact.GID_INDEX);
    }

    private boolean isKnown(final Fact fact)
    {
        return !own.get(fact).isEmpty() && !peers.get(fact).isEmpty();
    }

    private void same(
        final String check, final Severity severity, final String why, final String mend, final Fact... facts)
    {
        final List<String> same = new ArrayList<>();
        final List<String> different = new ArrayList<>();
        for (final Fact fact : facts)
        {
            if (isKnown(fact))
            {
                final boolean equal = own.get(fact).equals(peers.get(fact));
                (equal ? same : different).add(equal ? fact.text() + " " + own.get(fact) : both(fact));
            }
        }
        if (!different.isEmpty())
        {
            add(check, severity, String.join("; ", different), "the same at both ends", why, mend);
        }
        else if (same.isEmpty())
        {
            skip(check, facts[0]);
        }
        else
        {
            results.add(new Result(check, Severity.OK, "both: " + String.join(", ", same), "", "", ""));
        }
    }

    private void skip(final String check, final Fact fact)
    {
        final boolean here = own.get(fact).isEmpty();
        final boolean there = peers.get(fact).isEmpty();
        results.add(new Result(check, Severity.SKIPPED, (here && there ? "neither end" :
            here ? "this host" : peer) + (here && there ? " knows" : " does not know") + " its " + fact.text() +
            (here && there ? "" : ", the other end says " + (here ? peers : own).get(fact)), "", "", ""));
    }

    private String both(final Fact fact)
    {
        return fact.text() + " " + own.get(fact) + " here, " + peers.get(fact) + " at " + peer;
    }

    private void add(
        final String check,
        final Severity severity,
        final String found,
        final String expected,
        final String why,
        final String mend)
    {
        results.add(new Result(check, severity, found, expected, why, mend));
    }
}

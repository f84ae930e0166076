package io.gannet.doctor;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Priority flow control and what the NIC trusts to find a packet's priority, as {@code mlnx_qos -i IF} or
 * {@code dcb pfc show dev IF} and {@code dcb app show dev IF} print it; /sys does not show it.
 */
final class FlowControlCheck extends Check
{
    private static final Pattern DCB_PRIORITY = Pattern.compile("\\b(\\d):on\\b");
    private static final Pattern MLNX_PRIORITIES = Pattern.compile("\\s*enabled((\\s+[01])+)\\s*");

    FlowControlCheck()
    {
        super("pfc", true, "PFC on one priority, and trust of DSCP",
            "without it a full switch buffer drops RoCE packets; where only the VLAN tag is trusted, routed packets " +
            "lose their priority");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ethernetPorts())
        {
            final Settings settings = settings(host, port.netdev());
            if (settings == null)
            {
                notes.skip(port + ": neither mlnx_qos nor dcb is installed or knows it");
                continue;
            }
            final String found = port + ": PFC on priorities " + settings.lossless() + ", trust " + settings.trust();
            if (settings.lossless().isEmpty())
            {
                notes.warning(port + ": PFC on no priority, trust " + settings.trust(),
                    "mlnx_qos -i " + port.netdev() + " --pfc 0,0,0,1,0,0,0,0 --trust dscp, or dcb pfc set dev " +
                    port.netdev() + " prio-pfc all:off 3:on; the same on every switch");
            }
            else if (!"dscp".equals(settings.trust()))
            {
                notes.warning(found, "mlnx_qos -i " + port.netdev() + " --trust dscp, or dcb app add dev " +
                    port.netdev() + " dscp-prio 26:3");
            }
            else
            {
                notes.ok(found);
            }
        }
    }

    /** Null if no tool tells. */
    static Settings settings(final Host host, final String netdev)
    {
        final BitSet lossless = new BitSet();
        String trust = "";
        for (final String line : host.tools().output("mlnx_qos", "-i", netdev))
        {
            if (line.startsWith("Priority trust state:"))
            {
                trust = line.substring(line.indexOf(':') + 1).strip();
            }
            final Matcher enabled = MLNX_PRIORITIES.matcher(line);
            if (enabled.matches())
            {
                final String[] bits = enabled.group(1).strip().split("\\s+", -1);
                for (int i = 0; i < bits.length; i++)
                {
                    lossless.set(i, "1".equals(bits[i]));
                }
            }
        }
        if (!trust.isEmpty())
        {
            return new Settings(lossless, trust);
        }
        final List<String> dcb = host.tools().output("dcb", "pfc", "show", "dev", netdev);
        if (dcb.stream().noneMatch(line -> line.contains("prio-pfc")))
        {
            return null;
        }
        for (final String line : dcb)
        {
            final Matcher on = DCB_PRIORITY.matcher(line.contains("prio-pfc") ? line : "");
            while (on.find())
            {
                lossless.set(Integer.parseInt(on.group(1)));
            }
        }
        final boolean dscp = host.tools().output("dcb", "app", "show", "dev", netdev).stream()
            .anyMatch(line -> line.contains("dscp-prio"));
        return new Settings(lossless, dscp ? "dscp" : "pcp");
    }

    /**
     * @param lossless priorities with PFC.
     * @param trust    dscp or pcp.
     */
    record Settings(BitSet lossless, String trust)
    {
    }
}

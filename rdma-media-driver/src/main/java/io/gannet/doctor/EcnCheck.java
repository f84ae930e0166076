package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether the NIC takes part in congestion control (DCQCN): as notification point it answers marks, as reaction point
 * it slows down. Shown by the vendor's driver in /sys/class/net/IF/ecn; its parameters are told as they are.
 */
final class EcnCheck extends Check
{
    private static final int USUAL_PRIORITY = 3;
    private static final String[] PARAMETERS =
        {"rpg_gd", "rpg_time_reset", "rpg_byte_reset", "rpg_ai_rate", "rpg_hai_rate", "rpg_min_rate"};

    EcnCheck()
    {
        super("ecn", true, "ECN on, as notification and as reaction point, for the priority of RoCE",
            "without it senders are slowed by pause frames or by loss alone: jumps of latency when a link is shared");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ethernetPorts())
        {
            if (!isShown(host, port.netdev()))
            {
                notes.skip(port + ": the driver shows no ECN settings in /sys" +
                    " (upstream mlx5: /sys/kernel/debug/mlx5/*/cc_params)");
                continue;
            }
            final int priority = priority(FlowControlCheck.settings(host, port.netdev()));
            final List<String> off = off(host, port.netdev(), priority);
            if (off.isEmpty())
            {
                notes.ok(port + ": on for priority " + priority + parameters(host, directory(port.netdev())));
            }
            else
            {
                notes.warning(port + ": off: " + String.join(", ", off), "echo 1 | tee " + String.join(" ", off) +
                    "; and ECN marking on the switches");
            }
        }
    }

    private static String directory(final String netdev)
    {
        return "/sys/class/net/" + netdev + "/ecn/";
    }

    /** Whether the NIC's driver shows these settings. */
    static boolean isShown(final Host host, final String netdev)
    {
        return !netdev.isEmpty() && host.tree().exists(directory(netdev) + "roce_np");
    }

    /** The priority of RoCE as far as flow control tells it. */
    static int priority(final FlowControlCheck.Settings flow)
    {
        return flow == null || flow.lossless().isEmpty() ? USUAL_PRIORITY : flow.lossless().nextSetBit(0);
    }

    /** Files of the points that do not take part. */
    static List<String> off(final Host host, final String netdev, final int priority)
    {
        final List<String> off = new ArrayList<>();
        for (final String point : List.of("roce_np", "roce_rp"))
        {
            final String file = directory(netdev) + point + "/enable/" + priority;
            if (!"1".equals(host.tree().text(file)))
            {
                off.add(file);
            }
        }
        return off;
    }

    private static String parameters(final Host host, final String directory)
    {
        final StringBuilder text = new StringBuilder();
        for (final String name : PARAMETERS)
        {
            final String value = host.tree().text(directory + "roce_rp/" + name);
            text.append(value.isEmpty() ? "" : ", " + name + " " + value);
        }
        return text.toString();
    }
}

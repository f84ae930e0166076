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
            final String directory = "/sys/class/net/" + port.netdev() + "/ecn/";
            if (port.netdev().isEmpty() || !host.tree().exists(directory + "roce_np"))
            {
                notes.skip(port + ": the driver shows no ECN settings in /sys" +
                    " (upstream mlx5: /sys/kernel/debug/mlx5/*/cc_params)");
                continue;
            }
            final FlowControlCheck.Settings flow = FlowControlCheck.settings(host, port);
            final int priority = flow == null || flow.lossless().isEmpty() ? USUAL_PRIORITY :
                flow.lossless().nextSetBit(0);
            final List<String> off = new ArrayList<>();
            for (final String point : List.of("roce_np", "roce_rp"))
            {
                if (!"1".equals(host.tree().text(directory + point + "/enable/" + priority)))
                {
                    off.add(directory + point + "/enable/" + priority);
                }
            }
            if (off.isEmpty())
            {
                notes.ok(port + ": on for priority " + priority + parameters(host, directory));
            }
            else
            {
                notes.warning(port + ": off: " + String.join(", ", off), "echo 1 | tee " + String.join(" ", off) +
                    "; and ECN marking on the switches");
            }
        }
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

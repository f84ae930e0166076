package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * One port of an RDMA device, as /sys/class/infiniband shows it.
 *
 * @param tree   of the host.
 * @param device its name, such as {@code mlx5_0}.
 * @param number from 1.
 */
record RdmaPort(Tree tree, String device, int number)
{
    static final String DEVICES = "/sys/class/infiniband";

    static List<RdmaPort> all(final Tree tree)
    {
        final List<RdmaPort> ports = new ArrayList<>();
        for (final String device : tree.names(DEVICES))
        {
            for (final String port : tree.names(DEVICES + "/" + device + "/ports"))
            {
                Tree.parse(port).ifPresent(number -> ports.add(new RdmaPort(tree, device, (int) number)));
            }
        }
        return ports;
    }

    String directory()
    {
        return deviceDirectory() + "/ports/" + number;
    }

    String deviceDirectory()
    {
        return DEVICES + "/" + device;
    }

    String text(final String file)
    {
        return tree.text(directory() + "/" + file);
    }

    boolean isEthernet()
    {
        return "Ethernet".equals(text("link_layer"));
    }

    /** The network interface; empty if the port does not say. */
    String netdev()
    {
        for (final String index : tree.names(directory() + "/gid_attrs/ndevs"))
        {
            final String name = text("gid_attrs/ndevs/" + index);
            if (!name.isEmpty())
            {
                return name;
            }
        }
        final List<String> ofDevice = tree.names(deviceDirectory() + "/device/net");
        return ofDevice.isEmpty() ? "" : ofDevice.getFirst();
    }

    /** The interface for a command line, where there must be some word. */
    String netdevOrPlaceholder()
    {
        return netdev().isEmpty() ? "INTERFACE" : netdev();
    }

    @Override
    public String toString()
    {
        final String netdev = netdev();
        return device + " port " + number + (netdev.isEmpty() ? "" : " (" + netdev + ")");
    }
}

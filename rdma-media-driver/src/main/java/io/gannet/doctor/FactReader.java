package io.gannet.doctor;

import io.gannet.doctor.HostFacts.Fact;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the facts of a host that do not depend on the driver. Takes as long as the host's own tools take, a few seconds
 * at worst.
 */
public final class FactReader
{
    /** Start of the names of devices that are the kernel's. */
    private static final String VERBS = "verbs:";

    private final Host host;
    private final RdmaPort port;
    private final String netdev;
    private final InetAddress address;
    private final boolean software;

    private FactReader(final Host host, final RdmaPort port, final InetAddress address)
    {
        this.host = host;
        this.port = port;
        this.address = address;
        software = port == null;
        netdev = port == null ? ofAddress(address) : port.netdev();
    }

    /**
     * Reads them.
     *
     * @param root    {@code /} for this host, else a directory with another one's /sys and /proc, of which the first
     *                port is taken.
     * @param device  provider and device, such as {@code verbs:mlx5_0}; any other provider is a software NIC.
     * @param address of the device.
     * @return the facts; those of the driver are to be added.
     */
    public static HostFacts read(final Path root, final String device, final InetAddress address)
    {
        final Host host = new Host(new Tree(root.toAbsolutePath().normalize()), "self", "/dev/shm");
        final List<RdmaPort> ports = host.ports();
        RdmaPort port = host.tree().isThisHost() || ports.isEmpty() ? null : ports.getFirst();
        for (final RdmaPort one : ports)
        {
            if (port == null && device.equals(VERBS + one.device()))
            {
                port = one;
            }
        }
        return new FactReader(host, port, address).read();
    }

    private static String ofAddress(final InetAddress address)
    {
        try
        {
            final NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null ? "" : found.getName();
        }
        catch (final SocketException unknown)
        {
            return "";
        }
    }

    private HostFacts read()
    {
        final Map<Fact, String> facts = new EnumMap<>(Fact.class);
        facts.put(Fact.CLOCK_SOURCE, host.tree().text(ClockSourceCheck.DIRECTORY + "current_clocksource"));
        facts.put(Fact.NETDEV_MTU, ofNetdev("mtu"));
        if (software)
        {
            facts.put(Fact.LINK_LAYER, "Ethernet");
            facts.put(Fact.GID_TYPE, GidCheck.VERSION_2);
            Tree.parse(ofNetdev("speed")).ifPresent(megabits ->
            {
                if (megabits > 0)
                {
                    facts.put(Fact.RATE, String.format(Locale.ROOT, "%s Gb/sec", megabits / 1000.0));
                }
            });
        }
        else
        {
            facts.put(Fact.LINK_LAYER, port.text("link_layer"));
            facts.put(Fact.RATE, port.text("rate"));
            MtuCheck.active(host, port).ifPresent(mtu -> facts.put(Fact.ACTIVE_MTU, Long.toString(mtu)));
            gid(facts);
        }
        if (!netdev.isEmpty())
        {
            switches(facts);
        }
        facts.put(Fact.NIC_DRIVER, driver());
        return new HostFacts(facts);
    }

    private String ofNetdev(final String file)
    {
        return netdev.isEmpty() ? "" : host.tree().text("/sys/class/net/" + netdev + "/" + file);
    }

    /** The one with the device's address, or else the first usable one. */
    private void gid(final Map<Fact, String> facts)
    {
        final String wanted = address == null ? "" : gidOf(address);
        String chosen = "";
        final List<String> indices = host.tree().names(port.directory() + "/gids");
        for (final String index : indices.subList(0, Math.min(GidCheck.MOST, indices.size())))
        {
            final String gid = port.text("gids/" + index);
            final boolean fits = !gid.isEmpty() && !gid.equals(GidCheck.NONE) && (!port.isEthernet() ||
                (GidCheck.VERSION_2.equals(port.text("gid_attrs/types/" + index)) &&
                    !gid.startsWith(GidCheck.LINK_LOCAL)));
            if (fits && (chosen.isEmpty() || gid.equals(wanted)))
            {
                chosen = index;
            }
        }
        if (!chosen.isEmpty())
        {
            facts.put(Fact.GID_INDEX, chosen);
            facts.put(Fact.GID_TYPE, port.isEthernet() ? port.text("gid_attrs/types/" + chosen) : "InfiniBand");
        }
    }

    /** As /sys shows it: IPv4 mapped, eight groups of four digits. */
    private static String gidOf(final InetAddress address)
    {
        final byte[] bytes = address.getAddress();
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 16; i++)
        {
            final int at = i - 16 + bytes.length;
            final int value = at >= 0 ? bytes[at] & 0xFF : i == 10 || i == 11 ? 0xFF : 0;
            text.append(String.format("%02x", value)).append(i % 2 == 1 && i < 15 ? ":" : "");
        }
        return text.toString();
    }

    /** What has to be the same on switches too. */
    private void switches(final Map<Fact, String> facts)
    {
        final FlowControlCheck.Settings flow = FlowControlCheck.settings(host, netdev);
        if (flow != null)
        {
            facts.put(Fact.PFC, flow.lossless().isEmpty() ? "on no priority" : "on priorities " + flow.lossless());
            facts.put(Fact.TRUST, flow.trust());
        }
        if (EcnCheck.isShown(host, netdev))
        {
            final int priority = EcnCheck.priority(flow);
            final List<String> off = EcnCheck.off(host, netdev, priority);
            facts.put(Fact.ECN, (off.isEmpty() ? "on" : off.size() == 1 ? "half on" : "off") + " for priority " +
                priority);
        }
    }

    /** Name of the kernel's driver and its version, which is the kernel's unless it was built apart. */
    private String driver()
    {
        final String link = host.tree().link((software ? "/sys/class/net/" + netdev : port.deviceDirectory()) +
            "/device/driver");
        if (link.isEmpty())
        {
            return "";
        }
        final String name = link.substring(link.lastIndexOf('/') + 1);
        final String own = host.tree().text("/sys/module/" + name + "/version");
        return name + " " +
            (own.isEmpty() ? "of Linux " + host.tree().text("/proc/sys/kernel/osrelease") : own);
    }
}

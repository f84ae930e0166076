package io.gannet.doctor;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The largest packet. On RoCE the active MTU follows from the interface's: the largest of 256 to 4096 that leaves room
 * for 80 bytes of headers, so that 1500 gives 1024 and 4096 gives only 2048. What is active only {@code ibv_devinfo}
 * tells; /sys does not.
 */
final class MtuCheck extends Check
{
    private static final int LARGEST = 4096;
    private static final int SMALLEST = 256;
    static final int HEADERS = 80;
    private static final int ADVISED = 4200;
    private static final Pattern PORT = Pattern.compile("\\s*port:\\s*(\\d{1,3})");
    private static final Pattern ACTIVE = Pattern.compile("\\s*active_mtu:\\s*(\\d{1,5}).*");

    MtuCheck()
    {
        super("mtu", true, "active MTU 4096; on RoCE an interface MTU of " + ADVISED + " or more, on every hop",
            "each packet costs the same: at 1024 a large message takes four times as many as at 4096. Two ends that " +
            "differ show only with large messages");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ports())
        {
            final OptionalLong active = active(host, port);
            if (port.isEthernet())
            {
                ethernet(host, port, active, notes);
            }
            else if (active.isEmpty())
            {
                notes.skip(port + ": ibv_devinfo is not installed, and /sys does not show the active MTU");
            }
            else if (active.getAsLong() < LARGEST)
            {
                notes.warning(port + ": active MTU " + active.getAsLong(),
                    "in the subnet manager's partition: mtu=5 (partitions.conf of opensm), then restart it");
            }
            else
            {
                notes.ok(port + ": active MTU " + active.getAsLong());
            }
        }
    }

    private static void ethernet(
        final Host host, final RdmaPort port, final OptionalLong active, final Notes notes)
    {
        final OptionalLong netdev = host.tree().number("/sys/class/net/" + port.netdev() + "/mtu");
        if (netdev.isEmpty())
        {
            notes.skip(port + ": its interface has no MTU");
            return;
        }
        final long possible = possible(netdev.getAsLong());
        final String found = port + ": interface " + netdev.getAsLong() + ", active " +
            (active.isPresent() ? active.getAsLong() + "" : possible + " (computed)");
        if (active.isPresent() && active.getAsLong() < possible)
        {
            notes.warning(found + ", " + possible + " would fit", "ip link set dev " + port.netdev() +
                " down && ip link set dev " + port.netdev() + " up: the device takes the MTU at that time");
        }
        else if (possible < LARGEST)
        {
            notes.warning(found, "ip link set dev " + port.netdev() + " mtu " + ADVISED +
                ", on both ends, and at least as much on every switch between");
        }
        else
        {
            notes.ok(found);
        }
    }

    /** Active MTU for an interface's MTU. */
    static long possible(final long netdev)
    {
        long mtu = LARGEST;
        while (mtu > SMALLEST && mtu + HEADERS > netdev)
        {
            mtu /= 2;
        }
        return mtu;
    }

    static OptionalLong active(final Host host, final RdmaPort port)
    {
        boolean mine = false;
        for (final String line : host.tools().output("ibv_devinfo", "-d", port.device()))
        {
            final Matcher start = PORT.matcher(line);
            if (start.matches())
            {
                mine = Integer.parseInt(start.group(1)) == port.number();
            }
            final Matcher mtu = ACTIVE.matcher(line);
            if (mine && mtu.matches())
            {
                return OptionalLong.of(Long.parseLong(mtu.group(1)));
            }
        }
        return OptionalLong.empty();
    }
}

package io.gannet.rdma.roce.net;

import io.gannet.rdma.roce.wire.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Who may send to a NIC: addresses and networks, such as {@code 10.0.0.7, 10.1.0.0/16, fd00::/64}. Empty means anybody.
 * Immutable.
 */
public final class AllowList
{
    /** Anybody. */
    public static final AllowList ANYBODY = new AllowList(List.of());

    private static final Pattern IPV4 =
        Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:]*[0-9.]*");
    private static final int IPV4_BITS = 32;
    private static final int GID_BITS = 128;

    private final long[] highs;
    private final long[] lows;
    private final long[] highMasks;
    private final long[] lowMasks;

    private AllowList(final List<long[]> networks)
    {
        final int count = networks.size();
        highs = new long[count];
        lows = new long[count];
        highMasks = new long[count];
        lowMasks = new long[count];
        for (int i = 0; i < count; i++)
        {
            final long[] network = networks.get(i);
            highMasks[i] = network[2];
            lowMasks[i] = network[3];
            highs[i] = network[0] & network[2];
            lows[i] = network[1] & network[3];
        }
    }

    /**
     * Reads a list of literal addresses and networks, separated by commas.
     *
     * @throws IllegalArgumentException naming the entry that is neither.
     */
    public static AllowList parse(final String text)
    {
        final List<long[]> networks = new ArrayList<>();
        for (final String entry : text.split(",", -1))
        {
            networks.add(network(entry.strip()));
        }
        return new AllowList(networks);
    }

    /** Whether the sender with that address may send. */
    public boolean permits(final InetAddress sender)
    {
        final Gid gid = Gid.of(sender);
        return permits(gid.high(), gid.low());
    }

    /** Whether the sender with that GID may send. */
    public boolean permits(final long high, final long low)
    {
        for (int i = 0; i < highs.length; i++)
        {
            if ((high & highMasks[i]) == highs[i] && (low & lowMasks[i]) == lows[i])
            {
                return true;
            }
        }
        return highs.length == 0;
    }

    private static long[] network(final String entry)
    {
        final int slash = entry.indexOf('/');
        final String address = slash < 0 ? entry : entry.substring(0, slash);
        try
        {
            // Literals only, as a name would be looked up; and four parts, as fewer mean what nobody expects: 10.1 is
            // 10.0.0.1.
            if (!IPV4.matcher(address).matches() && !IPV6.matcher(address).matches())
            {
                throw new UnknownHostException();
            }
            final Gid gid = Gid.of(InetAddress.getByName(address));
            final int most = gid.isIpv4() ? IPV4_BITS : GID_BITS;
            final int prefix = slash < 0 ? most : Integer.parseInt(entry.substring(slash + 1));
            if (prefix < 0 || prefix > most)
            {
                throw new NumberFormatException();
            }
            final int bits = prefix + GID_BITS - most;
            if ((gid.high() & ~mask(bits)) != 0 || (gid.low() & ~mask(bits - Long.SIZE)) != 0)
            {
                throw new IllegalArgumentException("'" + entry + "' is an address within a network of " + prefix +
                    " bits: write the network, whose other bits are 0, or the address alone");
            }
            return new long[]{ gid.high(), gid.low(), mask(bits), mask(bits - Long.SIZE) };
        }
        catch (final UnknownHostException | NumberFormatException e)
        {
            throw new IllegalArgumentException(
                "'" + entry + "' is neither an address nor a network such as 10.0.0.0/24", e);
        }
    }

    /** The first {@code bits} bits, 0 to 64, beyond which it saturates. */
    private static long mask(final int bits)
    {
        return bits <= 0 ? 0 : bits >= Long.SIZE ? -1 : -1L << (Long.SIZE - bits);
    }
}

package io.gannet.rdma.roce;

import io.gannet.os.OsException;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.wire.Packets;
import java.util.List;

/**
 * Finds the address of a NIC: the one that the options name, or the first free one of loopback.
 */
final class RoceOpener
{
    private RoceOpener()
    {
    }

    static RoceDevice open(final RoceOptions options, final RandomIdentifiers identifiers)
    {
        return options.address() != null ?
            open(options, LocalPort.of(options.address()), identifiers) :
            openFirst(options, LocalPort.loopback(), identifiers);
    }

    /** Opens the first of several addresses that is free. */
    static RoceDevice openFirst(
        final RoceOptions options, final List<LocalPort> ports, final RandomIdentifiers identifiers)
    {
        for (final LocalPort port : ports)
        {
            if (!port.address().equals(options.avoided()))
            {
                try
                {
                    return open(options, port, identifiers);
                }
                catch (final RdmaException taken)
                {
                    if (taken.errno() != Errno.EADDRINUSE)
                    {
                        throw taken;
                    }
                }
            }
        }
        throw new RdmaException(Errno.EADDRINUSE, "cannot open roce: UDP port " + Packets.UDP_PORT + " of all " +
            ports.size() + " addresses from " + ports.getFirst().address().getHostAddress() + " to " +
            ports.getLast().address().getHostAddress() + " is taken, by as many drivers, or by one program for all " +
            "addresses, as the kernel's rdma_rxe");
    }

    private static RoceDevice open(
        final RoceOptions options, final LocalPort port, final RandomIdentifiers identifiers)
    {
        try
        {
            return new RoceDevice(options, port, identifiers);
        }
        catch (final OsException e)
        {
            throw new RdmaException(e.errno(), "cannot open roce:" + port.address().getHostAddress() + ": " +
                e.getMessage());
        }
    }
}

package io.gannet.driver;

import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;

/**
 * What a host has to carry channels, and how it is opened.
 */
interface DeviceProviders
{
    /** This host. */
    DeviceProviders OF_THIS_HOST = new OfThisHost();

    /** Names of the RDMA devices that the kernel knows, sorted. */
    List<String> nics();

    /** The address from which this host would send to another, null if it knows no way. */
    InetAddress localTowards(InetAddress remote);

    /**
     * Opens an RDMA NIC.
     *
     * @throws RdmaException with the remedy.
     */
    RdmaDevice verbs(VerbsOptions options);

    /**
     * Opens a software NIC.
     *
     * @throws RdmaException with the remedy.
     */
    RdmaDevice roce(RoceOptions options);

    /** What the kernel and the libraries say. */
    final class OfThisHost implements DeviceProviders
    {
        private static final File KERNEL_DEVICES = new File("/sys/class/infiniband");

        private OfThisHost()
        {
        }

        @Override
        public List<String> nics()
        {
            final String[] names = KERNEL_DEVICES.list();
            return names == null ? List.of() : Arrays.stream(names).sorted().toList();
        }

        @Override
        public InetAddress localTowards(final InetAddress remote)
        {
            try (DatagramChannel channel = DatagramChannel.open())
            {
                channel.connect(new InetSocketAddress(remote, Packets.UDP_PORT));   // looks up the route, sends nothing
                return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
            }
            catch (final IOException e)
            {
                return null;
            }
        }

        @Override
        public RdmaDevice verbs(final VerbsOptions options)
        {
            return VerbsDevice.open(options);
        }

        @Override
        public RdmaDevice roce(final RoceOptions options)
        {
            return RoceDevice.open(options);
        }
    }
}

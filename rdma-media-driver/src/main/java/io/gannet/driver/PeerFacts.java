package io.gannet.driver;

import io.gannet.doctor.FactReader;
import io.gannet.doctor.HostFacts;
import io.gannet.driver.stream.PeerQuestion;
import io.gannet.rdma.Errno;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Asks the driver of another host what its host is like, over a device opened for it, and looks at this host as seen
 * from that device.
 *
 * @param own   what this host is.
 * @param peers what the other one says it is.
 */
public record PeerFacts(HostFacts own, HostFacts peers)
{
    /** Port at which a driver is asked unless told otherwise; see {@link DriverOptions#DOCTOR_PORT}. */
    public static final int DEFAULT_PORT = 14_791;

    /**
     * Asks.
     *
     * @param root         of this host's files, see {@link FactReader#read}.
     * @param from         address of the device that asks; null for the one on the way to the peer.
     * @param peer         where to ask, resolved.
     * @param timeoutNanos most time to wait for the answer.
     * @return both ends.
     * @throws RdmaException                     if there is no device to ask with; the message has the remedy.
     * @throws PeerQuestion.UnansweredException  with what came instead of an answer.
     */
    public static PeerFacts ask(
        final Path root, final InetAddress from, final InetSocketAddress peer, final long timeoutNanos)
        throws PeerQuestion.UnansweredException
    {
        try (RdmaDevice device = open(from, peer.getAddress()))
        {
            final byte[] answer;
            try (PeerQuestion question = new PeerQuestion(device, peer))
            {
                answer = question.ask(timeoutNanos);
            }
            final HostFacts peers;
            try
            {
                peers = HostFacts.decode(answer);
            }
            catch (final IllegalArgumentException garbage)
            {
                throw new PeerQuestion.UnansweredException(PeerQuestion.Failure.GARBAGE,
                    "its answer makes no sense: " + garbage.getMessage());
            }
            final PortAttributes port = device.port(1);
            return new PeerFacts(HostAnswers.complete(FactReader.read(root, device.name(), port.address()),
                device.name(), port.activeMtu()), peers);
        }
    }

    private static RdmaDevice open(final InetAddress from, final InetAddress peer)
    {
        final InetAddress onTheWay = from == null ? DeviceProviders.OF_THIS_HOST.localTowards(peer) : from;
        final boolean named = from != null || (onTheWay != null && !onTheWay.isLoopbackAddress());
        DriverConfiguration configuration = DriverConfiguration.defaults();
        if (named)
        {
            configuration = configuration.withFlag(DriverOptions.DEVICE_ADDRESS, onTheWay.getHostAddress());
        }
        try
        {
            return new DeviceOpener(configuration).open(null, peer);
        }
        catch (final RdmaException failure)
        {
            throw failure.errno() != Errno.EADDRINUSE ? failure : new RdmaException(failure.errno(),
                "a driver of this host has the software NIC at " + onTheWay.getHostAddress() +
                ": name another address of this host with --from");
        }
    }
}

package io.gannet.cli;

import io.gannet.doctor.PeerChecks;
import io.gannet.doctor.Result;
import io.gannet.driver.PeerFacts;
import io.gannet.driver.stream.AddressText;
import io.gannet.driver.stream.PeerQuestion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks another host's driver what its host is like, and compares. */
final class PeerDoctor
{
    private PeerDoctor()
    {
    }

    static List<Result> examine(
        final Path root, final InetAddress from, final InetSocketAddress peer, final long timeoutSeconds)
    {
        try
        {
            final PeerFacts ends = PeerFacts.ask(root, from, peer, TimeUnit.SECONDS.toNanos(timeoutSeconds));
            return PeerChecks.compare(ends.own(), ends.peers(), AddressText.withoutPort(peer));
        }
        catch (final PeerQuestion.UnansweredException silence)
        {
            return List.of(
                PeerChecks.silent(AddressText.of(peer) + ": " + silence.getMessage(), mend(silence.failure(), peer)));
        }
    }

    private static String mend(final PeerQuestion.Failure failure, final InetSocketAddress peer)
    {
        final String port = "doctor-port = " + peer.getPort() + " in the configuration of the driver there, or " +
            "--peer HOST:PORT with the port of one of its channels";
        return switch (failure)
        {
            case NO_ANSWER -> "ping " + AddressText.withoutPort(peer) + "; is a driver running there, does its " +
                "allow= let this host in, and does a firewall let UDP port 4791 through? The driver needs " + port;
            case NOBODY_LISTENS -> port;
            case REFUSED -> "look at the output of the driver there; its allow= has to let this host in";
            case OLD_DRIVER -> "upgrade the driver there: it is older than this question";
            case NEW_DRIVER -> "use the doctor of the version that runs there";
            case GARBAGE -> "the port is another program's, or the driver there is faulty: ask another port";
        };
    }
}

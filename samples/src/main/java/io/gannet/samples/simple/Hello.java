package io.gannet.samples.simple;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.samples.Connections;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The ten lines of the README: one message from a publication to a subscription.
 */
@Command(name = "hello", description = "Sends itself one message, as in the README.",
    mixinStandardHelpOptions = true)
final class Hello implements Callable<Integer>
{
    @Option(names = "--dir", paramLabel = "DIR",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Override
    public Integer call()
    {
        try (Gannet gannet = Connections.connect(directory, null);
            Subscription subscription = gannet.addSubscription("gannet:ipc", 1001);
            Publication publication = gannet.addPublication("gannet:ipc", 1001))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
            final int length = message.putStringAscii(0, "hello");
            publication.offer(message, 0, length, 5, TimeUnit.SECONDS);
            subscription.awaitMessage(5, TimeUnit.SECONDS);
            subscription.poll((buffer, offset, bytes, header) ->
                System.out.println(buffer.getStringAscii(offset) + " at " + header.position()), 10);
        }
        return 0;
    }
}

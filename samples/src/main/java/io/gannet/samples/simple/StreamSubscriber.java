package io.gannet.samples.simple;

import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Subscription;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Takes the messages of {@link StreamPublisher} and checks that none is missing.
 */
@Command(name = "stream-subscribe", description = "Takes what stream-publish publishes, until its last message.",
    mixinStandardHelpOptions = true)
final class StreamSubscriber implements Callable<Integer>
{
    @Mixin
    private Connection connection;

    private long received;
    private long bytes;
    private long missing;
    private long expected;
    private boolean last;

    @Override
    public Integer call()
    {
        final FragmentHandler handler = (buffer, offset, length, header) ->
        {
            final long number = buffer.getLong(offset);
            last = number == StreamPublisher.LAST;
            missing += last || expected == 0 ? 0 : number - expected;
            expected = number + 1;
            bytes += length;
            received++;
        };
        try (Gannet gannet = connection.connect();
            Subscription subscription = gannet.addSubscription(connection.channel, StreamPublisher.STREAM))
        {
            long start = 0;
            while (!last)
            {
                if (subscription.poll(handler, 256) == 0)
                {
                    // Sleeps until the bell rings: at full speed it hardly ever comes here.
                    subscription.awaitMessage(100, TimeUnit.MILLISECONDS);
                }
                start = start == 0 && received > 0 ? System.nanoTime() : start;
            }
            final double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("received %,d messages, %,d missing, %,.0f/s, %,.1f MB/s%n",
                received, missing, received / seconds, bytes / seconds / 1e6);
        }
        return missing == 0 ? 0 : 1;
    }
}

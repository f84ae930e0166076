package io.gannet.samples.simple;

import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Subscription;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Sends back what {@link Ping} sends, until Ctrl-C.
 */
@Command(name = "pong", description = "Echoes the messages of ping.", mixinStandardHelpOptions = true)
final class Pong implements Callable<Integer>
{
    @Mixin
    private Connection connection;

    @Override
    public Integer call()
    {
        try (Gannet gannet = connection.connect();
            Subscription pings = gannet.addSubscription(connection.channel, Ping.PING_STREAM);
            ExclusivePublication pongs = gannet.addExclusivePublication(connection.channel, Ping.PONG_STREAM))
        {
            final FragmentHandler echo = (buffer, offset, length, header) ->
                pongs.offer(buffer, offset, length, 1, TimeUnit.SECONDS);
            while (!Thread.currentThread().isInterrupted())
            {
                if (pings.poll(echo, 16) == 0)
                {
                    Thread.onSpinWait();
                }
            }
            return 0;
        }
    }
}

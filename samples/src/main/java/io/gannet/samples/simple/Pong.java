package io.gannet.samples.simple;

import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.samples.Cores;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Sends back what {@link Ping} sends, until Ctrl-C.
 */
@Command(name = "pong", description = "Echoes the messages of ping.", mixinStandardHelpOptions = true)
final class Pong implements Callable<Integer>
{
    @Mixin
    private Connection connection;

    @Option(names = "--return-channel", paramLabel = "CHANNEL", description =
        "Of the way back; between hosts each endpoint= is the receiver's. Default: that of --channel.")
    private String returnChannel;

    @Override
    public Integer call()
    {
        final String back = returnChannel == null ? connection.channel : returnChannel;
        try (Gannet gannet = connection.connect(back);
            Subscription pings = gannet.addSubscription(connection.channel, Ping.PING_STREAM);
            ExclusivePublication pongs = gannet.addExclusivePublication(back, Ping.PONG_STREAM))
        {
            final FragmentHandler echo = (buffer, offset, length, header) ->
                pongs.offer(buffer, offset, length, 1, TimeUnit.SECONDS);
            while (!Thread.currentThread().isInterrupted())
            {
                if (pings.poll(echo, 16) == 0)
                {
                    Cores.pause(0);
                }
            }
            return 0;
        }
    }
}

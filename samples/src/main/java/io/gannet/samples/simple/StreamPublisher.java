package io.gannet.samples.simple;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import java.util.concurrent.Callable;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Publishes numbered messages as fast as the slowest subscriber takes them.
 */
@Command(name = "stream-publish", description = "Publishes at full speed.", mixinStandardHelpOptions = true)
final class StreamPublisher implements Callable<Integer>
{
    static final int STREAM = 2003;
    static final long LAST = -1;

    @Mixin
    private Connection connection;

    @Option(names = "--messages", defaultValue = "10000000", description = "Default: ${DEFAULT-VALUE}.")
    private long messages;

    @Option(names = "--length", defaultValue = "64", description = "Bytes, 8 or more. Default: ${DEFAULT-VALUE}.")
    private int length;

    @Override
    public Integer call()
    {
        if (messages < 1)
        {
            throw new UsageException("--messages is " + messages + ", it must be at least 1");
        }
        final IdleStrategy idle = new BackoffIdleStrategy();
        final BufferClaim claim = BufferClaim.allocate();
        try (Gannet gannet = connection.connect();
            ExclusivePublication publication = gannet.addExclusivePublication(connection.channel, STREAM))
        {
            if (length < Long.BYTES || length > publication.maxMessageLength())
            {
                throw new UsageException("--length is " + length + ", it must be from 8 to " +
                    publication.maxMessageLength());
            }
            long start = 0;
            long backPressured = 0;
            for (long number = 1; number <= messages; number++)
            {
                long result = publication.tryClaim(length, claim);
                boolean told = false;
                while (result == Publication.BACK_PRESSURED || result == Publication.NOT_CONNECTED)
                {
                    if (result == Publication.NOT_CONNECTED && !told)
                    {
                        System.err.println("waiting for a subscriber of " + connection.channel + " stream " + STREAM);
                        told = true;
                    }
                    backPressured += result == Publication.BACK_PRESSURED ? 1 : 0;
                    idle.idle();
                    result = publication.tryClaim(length, claim);
                }
                if (result < 0)
                {
                    throw new OperatorException("publishing ended: " + Publication.resultName(result));
                }
                idle.reset();
                start = start == 0 ? System.nanoTime() : start;
                claim.buffer().putLong(claim.offset(), number == messages ? LAST : number);
                claim.commit();
            }
            final double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("published %,d messages of %d bytes in %.2f s: %,.0f/s; no room %,d times%n",
                messages, length, seconds, messages / seconds, backPressured);
        }
        return 0;
    }
}

package io.gannet.samples.simple;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.MessageHeaderEncoder;
import io.gannet.marketdata.TopOfBookDecoder;
import io.gannet.marketdata.TopOfBookEncoder;
import io.gannet.samples.Cores;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Sends a TopOfBook to {@link Pong}, waits for its return, and so on; prints the round-trip times.
 */
@Command(name = "ping", description = "Measures round trips; needs pong.", mixinStandardHelpOptions = true)
final class Ping implements Callable<Integer>
{
    static final int PING_STREAM = 2001;
    static final int PONG_STREAM = 2002;

    @Mixin
    private Connection connection;

    @Option(names = "--messages", defaultValue = "100000", description = "1 or more. Default: ${DEFAULT-VALUE}.")
    private int messages;

    @Option(names = "--warm-up", defaultValue = "20000", description =
        "Round trips before those that are measured. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--patience", paramLabel = "SECONDS", defaultValue = "10", description =
        "How long to wait for pong, and for each answer. Default: ${DEFAULT-VALUE}.")
    private int patience;

    @Option(names = "--return-channel", paramLabel = "CHANNEL", description =
        "Of the way back; between hosts each endpoint= is the receiver's. Default: that of --channel.")
    private String returnChannel;

    private final TopOfBookEncoder encoder = new TopOfBookEncoder();
    private final TopOfBookDecoder decoder = new TopOfBookDecoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    // Resizes itself: a ping that was stopped for minutes has a time to record, too.
    private final Histogram roundTrips = new Histogram(1, TimeUnit.MINUTES.toNanos(1), 3);
    private long returned;

    @Override
    public Integer call()
    {
        check();
        final String back = returnChannel == null ? connection.channel : returnChannel;
        try (Gannet gannet = connection.connect(back);
            Subscription pongs = gannet.addSubscription(back, PONG_STREAM);
            ExclusivePublication pings = gannet.addExclusivePublication(connection.channel, PING_STREAM))
        {
            roundTrips.setAutoResize(true);
            final BufferClaim claim = BufferClaim.allocate();
            final FragmentHandler onPong = (buffer, offset, length, header) ->
            {
                decoder.wrapAndApplyHeader(buffer, offset, headerDecoder);
                roundTrips.recordValue(System.nanoTime() - decoder.sendingTime());
                returned = decoder.msgSeqNum();
            };
            for (long number = 1; number <= (long) warmUp + messages; number++)
            {
                if (number == warmUp + 1L)
                {
                    roundTrips.reset();
                }
                final long start = System.nanoTime();
                while (pings.tryClaim(MessageHeaderEncoder.ENCODED_LENGTH + TopOfBookEncoder.BLOCK_LENGTH, claim) < 0)
                {
                    checkPatience(start, "no pong is there; start: gannet sample pong");
                }
                encoder.wrapAndApplyHeader(claim.buffer(), claim.offset(), headerEncoder)
                    .msgSeqNum(number).sendingTime(System.nanoTime());
                claim.commit();
                while (returned < number)
                {
                    if (pongs.poll(onPong, 1) == 0)
                    {
                        checkPatience(start, "ping " + number + " did not come back");
                    }
                }
            }
        }
        System.out.printf("round trips of %d bytes in microseconds, %,d of them:%n",
            MessageHeaderEncoder.ENCODED_LENGTH + TopOfBookEncoder.BLOCK_LENGTH, messages);
        roundTrips.outputPercentileDistribution(System.out, 1, 1_000.0);
        return 0;
    }

    private void check()
    {
        if (messages < 1)
        {
            throw new UsageException("--messages is " + messages + ", it must be at least 1");
        }
        if (warmUp < 0)
        {
            throw new UsageException("--warm-up is " + warmUp + ", it must be 0 or more");
        }
        if (patience < 1)
        {
            throw new UsageException("--patience is " + patience + ", it must be at least 1 s");
        }
    }

    private void checkPatience(final long start, final String complaint)
    {
        Cores.pause(0);
        if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(patience))
        {
            throw new OperatorException(complaint + " (waited " + patience + " s)");
        }
    }
}

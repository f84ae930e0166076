package io.gannet.samples.marketdata.cli;

import io.gannet.cli.UsageException;
import io.gannet.samples.marketdata.publisher.PublisherSettings;
import io.gannet.samples.marketdata.publisher.SourceSupplier;
import io.gannet.samples.marketdata.source.FeedFile;
import io.gannet.samples.marketdata.source.GeneratedSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/**
 * What is published and how fast: options of the publisher, which the demo passes on.
 */
public final class SourceOptions
{
    @Option(names = "--input", paramLabel = "FILE", description =
        "Replay a Databento DBN (mbo) or a Nasdaq ITCH 5.0 file (plain, or MoldUDP64 in a pcap), also compressed. " +
        "Without it the market is generated.")
    private Path input;

    @Option(names = "--seed", defaultValue = "1", description = "Of the generated market. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--instruments", defaultValue = "8", description =
        "Of the generated market, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int instruments;

    @Option(names = "--events", defaultValue = "0", description =
        "Length of the generated market; 0: no end. Default: ${DEFAULT-VALUE}.")
    private long events;

    @Option(names = "--speed", paramLabel = "X|max", description =
        "Times the source's own pace, or max: as fast as the subscribers allow. Default: 1.")
    private String speed;

    @Option(names = "--rate", defaultValue = "0", description =
        "Events per second: of a file, evenly spaced, instead of its own pace; of the generated market, on average.")
    private double rate;

    @Option(names = "--loop", paramLabel = "N", description =
        "Play the source so often; 0: without end. Default: 1, in the demo 0.")
    private Integer loops;

    @Option(names = "--levels", description = "Publish changes of price levels beside those of orders.")
    private boolean levels;

    @Option(names = "--skip-every", paramLabel = "N", defaultValue = "0", description =
        "Leave out one message in N, to see subscribers recover; 0: none.")
    private int skipEvery;

    private static final double GENERATED_RATE = 20_000;

    /** The file, or null. */
    public Path input()
    {
        return input;
    }

    /** Uses a default pace for a file that the user gave none for. */
    public void paceFile(final double eventsPerSecond)
    {
        if (input != null && speed == null && rate == 0)
        {
            rate = eventsPerSecond;
        }
    }

    /** Uses a number of loops if the user gave none. */
    public void defaultLoops(final int count)
    {
        loops = loops == null ? Integer.valueOf(count) : loops;
    }

    /** Checks what can be checked before anything is started. */
    public void check() throws IOException
    {
        checkRanges();
        settings();
        supplier().open().close();
    }

    private void checkRanges()
    {
        if (!(rate >= 0))
        {
            throw new UsageException("--rate is " + rate + ", it must be above 0, or 0 for the source's own");
        }
        if (events < 0)
        {
            throw new UsageException("--events is " + events + ", it must be 0 or more");
        }
        if (loops != null && loops < 0)
        {
            throw new UsageException("--loop is " + loops + ", it must be 0 or more");
        }
        if (skipEvery < 0)
        {
            throw new UsageException("--skip-every is " + skipEvery + ", it must be 0 or more");
        }
    }

    /** Opens the source, once per loop. */
    SourceSupplier supplier()
    {
        if (input != null)
        {
            return () -> FeedFile.open(input);
        }
        final double average = rate > 0 ? rate : GENERATED_RATE;
        try
        {
            new GeneratedSource(seed, instruments, average, events).close();
        }
        catch (final IllegalArgumentException outOfRange)
        {
            throw new UsageException("--" + outOfRange.getMessage(), outOfRange);
        }
        return () -> new GeneratedSource(seed, instruments, average, events);
    }

    PublisherSettings settings()
    {
        return new PublisherSettings(speed(), input == null ? 0 : rate, loops == null ? 1 : loops, levels,
            TimeUnit.SECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(100), skipEvery);
    }

    private double speed()
    {
        if (speed == null)
        {
            return 1;
        }
        if (speed.equals("max"))
        {
            return Double.POSITIVE_INFINITY;
        }
        double value;
        try
        {
            value = Double.parseDouble(speed);
        }
        catch (final NumberFormatException notANumber)
        {
            value = 0;
        }
        if (!(value > 0))
        {
            throw new UsageException("--speed is " + speed + ", it must be a number above 0, or max");
        }
        return value;
    }

    /** The same options for a child process. */
    public List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>();
        if (input != null)
        {
            arguments.addAll(List.of("--input", input.toAbsolutePath().toString()));
        }
        arguments.addAll(List.of("--seed", String.valueOf(seed), "--instruments", String.valueOf(instruments),
            "--events", String.valueOf(events), "--rate", String.valueOf(rate),
            "--loop", String.valueOf(loops == null ? 1 : loops), "--skip-every", String.valueOf(skipEvery)));
        if (speed != null)
        {
            arguments.addAll(List.of("--speed", speed));
        }
        if (levels)
        {
            arguments.add("--levels");
        }
        return arguments;
    }
}

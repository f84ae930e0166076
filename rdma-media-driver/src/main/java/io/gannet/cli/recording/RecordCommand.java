package io.gannet.cli.recording;

import io.gannet.Gannet;
import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.recording.FullPolicy;
import io.gannet.recording.RecordedStream;
import io.gannet.recording.Recorder;
import io.gannet.recording.RecorderSettings;
import io.gannet.recording.SyncPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemEpochNanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet record}: a stream into files, until it is stopped.
 */
@Command(name = "record", description = {
    "Records a stream into files, until Ctrl-C. Started again with the same --out, it goes on with the " +
        "recording and says what lies between.",
    "Prints up to which position each session is recorded. What is below such a position is never lost " +
        "when the recorder is killed; with --sync interval or each neither when the machine fails."})
public final class RecordCommand implements Subcommand
{
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Mixin
    private Client client;

    @Option(names = "--channel", defaultValue = "gannet:ipc", description = "Default: ${DEFAULT-VALUE}.")
    private String channel;

    @Option(names = "--stream", required = true, description = "The stream's number.")
    private int stream;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Directory of the recording.")
    private Path out;

    @Option(names = "--segment", paramLabel = "BYTES", defaultValue = "256m",
        description = "A new file is begun after so much. Default: ${DEFAULT-VALUE}.")
    private String segment;

    @Option(names = "--keep", paramLabel = "BYTES",
        description = "Deletes the oldest files when there is more than that. Default: keeps all.")
    private String keep;

    @Option(names = "--buffer", paramLabel = "BYTES", defaultValue = "64m",
        description = "Memory between stream and disk. Default: ${DEFAULT-VALUE}.")
    private String buffer;

    @Option(names = "--sync", defaultValue = "never", paramLabel = "WHEN", description =
        "Forces data to the disk never, at an interval, or as often as the disk can; a position counts as recorded " +
        "after that. Default: ${DEFAULT-VALUE}.")
    private SyncPolicy sync;

    @Option(names = "--sync-interval", paramLabel = "TIME", defaultValue = "100ms",
        description = "Of --sync interval. Default: ${DEFAULT-VALUE}.")
    private String syncInterval;

    @Option(names = "--full", defaultValue = "stop", paramLabel = "WHAT", description =
        "When the disk is full: stop, or wait for room and let publishers wait. Default: ${DEFAULT-VALUE}.")
    private FullPolicy full;

    @Option(names = "--status", paramLabel = "TIME", defaultValue = "1s",
        description = "How often positions are printed that have changed. Default: ${DEFAULT-VALUE}.")
    private String status;

    @Option(names = "--until-end", description =
        "Ends when all publications have ended that there were since it began.")
    private boolean untilEnd;

    private final Map<RecordedStream, Long> printed = new HashMap<>();
    private boolean toldEnd;

    @Override
    public Integer call()
    {
        final RecorderSettings settings = settings();
        final long statusNanos = Quantity.duration("--status", status);
        try (Gannet gannet = client.connect("gannet record"))
        {
            final Recorder recorder = Recorder.start(gannet, settings, new Report());
            Report.line("recording %s stream %d into %s, sync %s", channel, stream, out, sync.name().toLowerCase(
                java.util.Locale.ROOT));
            final Thread hook = Thread.ofPlatform().name("gannet-shutdown").unstarted(() -> end(recorder));
            Runtime.getRuntime().addShutdownHook(hook);
            run(recorder, statusNanos);
            end(recorder);
            remove(hook);
            if (recorder.failure() != null)
            {
                throw new OperatorException(recorder.failure().getMessage() == null ?
                    recorder.failure().toString() : recorder.failure().getMessage(), recorder.failure());
            }
        }
        return 0;
    }

    private RecorderSettings settings()
    {
        Client.checkChannel(channel);
        final long bufferBytes = Quantity.size("--buffer", buffer);
        try
        {
            return new RecorderSettings(out, channel, stream, Quantity.size("--segment", segment),
                keep == null ? Long.MAX_VALUE : Quantity.size("--keep", keep),
                (int) Math.min(Integer.MAX_VALUE, bufferBytes), sync,
                Quantity.duration("--sync-interval", syncInterval), full, new SystemEpochNanoClock());
        }
        catch (final UsageException known)
        {
            throw known;
        }
        catch (final IllegalArgumentException wrong)
        {
            throw new UsageException("--" + wrong.getMessage(), wrong);
        }
    }

    private void run(final Recorder recorder, final long statusNanos)
    {
        long next = System.nanoTime();
        boolean ended = false;
        while (recorder.isRunning() && !ended)
        {
            if (System.nanoTime() - next >= 0)
            {
                next = System.nanoTime() + statusNanos;
                print(recorder);
            }
            ended = untilEnd && recorder.hasImagesThatAllEnded();
            LockSupport.parkNanos(Math.min(LOOK_NANOS, statusNanos));
        }
    }

    private synchronized void print(final Recorder recorder)
    {
        for (final RecordedStream each : recorder.streams())
        {
            final long position = each.recordedPosition();
            final Long before = printed.put(each, position);
            if (before == null ? each.isLive() : before != position)
            {
                Report.line("recorded session %d position %d", each.sessionId(), position);
            }
        }
    }

    private synchronized void end(final Recorder recorder)
    {
        recorder.close();
        print(recorder);
        if (!toldEnd)
        {
            toldEnd = true;
            Report.line("recorder stopped: %,d bytes written, waited %,d times for the disk",
                recorder.bytesWritten(), recorder.waits());
        }
    }

    private static void remove(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException stopping)
        {
            // It runs already.
            return;
        }
    }
}

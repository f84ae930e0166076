package io.gannet.perf.cli;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.recording.FullPolicy;
import io.gannet.recording.Recorder;
import io.gannet.recording.RecorderListener;
import io.gannet.recording.RecorderSettings;
import io.gannet.recording.RecordingReader;
import io.gannet.recording.SyncPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemEpochNanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf record}: how fast a stream goes into files and comes out of them, beside plain writes of as large
 * blocks to the same file system.
 */
@Command(name = "record", mixinStandardHelpOptions = true, description = {
    "Records a stream at full speed into a directory of its own, reads it, and writes as much plainly, in turn.",
    "The publisher commits its messages without filling them, so as to leave the processors to the recorder."})
public final class RecordCommand implements Callable<Integer>
{
    private static final String CHANNEL = "gannet:ipc?ring=64m";
    private static final int STREAM = 1;
    private static final int SEGMENT = 256 << 20;
    private static final int BUFFER = 64 << 20;
    private static final int BLOCK = 4 << 20;
    private static final double GB = 1e9;

    @Option(names = "--out", paramLabel = "DIR", required = true,
        description = "On the file system to be measured. A directory is made in it and removed.")
    private Path out;

    @Option(names = "--bytes", paramLabel = "MIB", defaultValue = "2048",
        description = "To be recorded in each round, in MiB. Default: ${DEFAULT-VALUE}.")
    private long mebibytes;

    @Option(names = "--length", defaultValue = "4096", description = "Of a message. Default: ${DEFAULT-VALUE}.")
    private int length;

    @Option(names = "--rounds", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--sync", defaultValue = "never",
        description = "never, interval or each. Default: ${DEFAULT-VALUE}.")
    private SyncPolicy sync;

    @Override
    public Integer call() throws IOException
    {
        if (mebibytes < 1 || rounds < 1 || length < 0)
        {
            throw new UsageException("--bytes and --rounds must be 1 or more, --length 0 or more");
        }
        final long bytes = mebibytes << 20;
        final Path directory = Files.createTempDirectory(out, "gannet-perf-record-");
        try
        {
            System.out.printf(Locale.ROOT, "%d MiB in messages of %d bytes, sync %s, in %s%n", mebibytes, length,
                sync.name().toLowerCase(Locale.ROOT), out);
            for (int round = 1; round <= rounds; round++)
            {
                final double plain = plain(directory.resolve("plain"), bytes);
                final Path recording = directory.resolve("recording-" + round);
                final double recorded = record(recording, bytes);
                final double read = read(recording);
                System.out.printf(Locale.ROOT,
                    "round %d: recorded %.2f GB/s, plain writes %.2f GB/s (%.0f %%), read and checked %.2f GB/s%n",
                    round, recorded, plain, 100 * recorded / plain, read);
                remove(recording);
            }
        }
        finally
        {
            remove(directory);
        }
        return 0;
    }

    /** Writes of 4 MiB blocks to files of a segment's size. */
    private double plain(final Path directory, final long bytes) throws IOException
    {
        Files.createDirectories(directory);
        final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        final long start = System.nanoTime();
        int number = 0;
        for (long written = 0; written < bytes; number++)
        {
            try (FileChannel file = FileChannel.open(directory.resolve("file-" + number),
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
            {
                for (long at = 0; at < SEGMENT && written < bytes; at += BLOCK, written += BLOCK)
                {
                    block.clear();
                    while (block.hasRemaining())
                    {
                        file.write(block);
                    }
                    if (sync == SyncPolicy.EACH)
                    {
                        file.force(false);
                    }
                }
                if (sync != SyncPolicy.NEVER)
                {
                    file.force(false);
                }
            }
        }
        final double seconds = (System.nanoTime() - start) / GB;
        remove(directory);
        return bytes / GB / seconds;
    }

    private double record(final Path recording, final long bytes) throws IOException
    {
        final RecorderSettings settings = new RecorderSettings(recording, CHANNEL, STREAM, SEGMENT, Long.MAX_VALUE,
            BUFFER, sync, TimeUnit.MILLISECONDS.toNanos(100), FullPolicy.STOP, new SystemEpochNanoClock());
        final Path shm = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-perf-");
        try (MediaDriver driver = MediaDriver.launch(
            DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, shm), line -> { });
            Gannet client = Gannet.connect(new Gannet.Context().directory(driver.directory()));
            Recorder recorder = Recorder.start(client, settings, new RecorderListener() { });
            ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM))
        {
            if (length > publication.maxMessageLength())
            {
                throw new UsageException("--length " + length + ": at most " + publication.maxMessageLength());
            }
            while (!publication.isConnected())
            {
                Thread.onSpinWait();
            }
            final BufferClaim claim = BufferClaim.allocate();
            final long start = System.nanoTime();
            long position = 0;
            while (position < bytes)
            {
                final long result = publication.tryClaim(length, claim);
                if (result > 0)
                {
                    claim.commit();
                    position = result;
                }
                else if (result == Publication.BACK_PRESSURED && recorder.isRunning())
                {
                    pause();
                }
                else
                {
                    throw new OperatorException("the recorder ended: " + recorder.failure());
                }
            }
            while (!isRecorded(recorder, position))
            {
                if (!recorder.isRunning())
                {
                    throw new OperatorException("the recorder ended: " + recorder.failure());
                }
                pause();
            }
            return position / GB / ((System.nanoTime() - start) / GB);
        }
        finally
        {
            remove(shm);
        }
    }

    private static boolean isRecorded(final Recorder recorder, final long position)
    {
        return recorder.streams().stream().anyMatch(stream -> stream.recordedPosition() >= position);
    }

    private static void pause()
    {
        java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
    }

    private static double read(final Path recording)
    {
        final long[] bytes = {0};
        final long start = System.nanoTime();
        try (RecordingReader reader = new RecordingReader(recording))
        {
            while (reader.poll((buffer, offset, count, header) -> bytes[0] += count, 1024) > 0)
            {
                Thread.onSpinWait();
            }
        }
        return bytes[0] / GB / ((System.nanoTime() - start) / GB);
    }

    private static void remove(final Path directory) throws IOException
    {
        if (!Files.exists(directory))
        {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory))
        {
            for (final Path path : tree.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(path);
            }
        }
    }
}

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
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
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
    "The publisher commits its messages without filling them, so as to leave the processors to the recorder.",
    "Processor time is that of the thread that writes, and of the one that polls: what a busy machine changes least."})
public final class RecordCommand implements Callable<Integer>
{
    private static final String CHANNEL = "gannet:ipc?ring=64m";
    private static final int STREAM = 1;
    private static final int SEGMENT = 256 << 20;
    private static final int BLOCK = 4 << 20;
    private static final double GB = 1e9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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

    @Option(names = "--buffer", paramLabel = "MIB", defaultValue = "64",
        description = "Between the two threads, in MiB, 1 to 1024. Default: ${DEFAULT-VALUE}.")
    private int bufferMebibytes;

    @Option(names = "--sync", defaultValue = "never",
        description = "never, interval or each. Default: ${DEFAULT-VALUE}.")
    private SyncPolicy sync;

    /**
     * What a round took.
     *
     * @param rate    GB/s.
     * @param writing processor time of the thread that writes, s/GB.
     * @param polling processor time of the thread that polls, s/GB.
     */
    private record Took(double rate, double writing, double polling)
    {
    }

    @Override
    public Integer call() throws IOException
    {
        if (mebibytes < 1 || rounds < 1 || length < 0 || bufferMebibytes < 1 || bufferMebibytes > 1024)
        {
            throw new UsageException(
                "--bytes and --rounds must be 1 or more, --length 0 or more, --buffer from 1 to 1024");
        }
        final long bytes = mebibytes << 20;
        final Path directory = Files.createTempDirectory(out, "gannet-perf-record-");
        try
        {
            System.out.printf(Locale.ROOT, "%d MiB in messages of %d bytes, sync %s, in %s%n", mebibytes, length,
                sync.name().toLowerCase(Locale.ROOT), out);
            for (int round = 1; round <= rounds; round++)
            {
                final Took plain = plain(directory.resolve("plain"), bytes);
                final Path recording = directory.resolve("recording-" + round);
                final Took recorded = record(recording, bytes);
                final double read = read(recording);
                System.out.printf(Locale.ROOT, "round %d: recorded %.2f GB/s (processor s/GB: writes %.2f, polls " +
                    "%.2f), plain writes %.2f GB/s (%.2f), ratio %.2f, read and checked %.2f GB/s%n", round,
                    recorded.rate, recorded.writing, recorded.polling, plain.rate, plain.writing,
                    recorded.rate / plain.rate, read);
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
    private Took plain(final Path directory, final long bytes) throws IOException
    {
        Files.createDirectories(directory);
        final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        final long worked = THREADS.getCurrentThreadCpuTime();
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
        final double working = THREADS.getCurrentThreadCpuTime() - worked;
        remove(directory);
        return new Took(bytes / GB / seconds, working / bytes, 0);
    }

    private Took record(final Path recording, final long bytes) throws IOException
    {
        final RecorderSettings settings = new RecorderSettings(recording, CHANNEL, STREAM, SEGMENT, Long.MAX_VALUE,
            bufferMebibytes << 20, sync, TimeUnit.MILLISECONDS.toNanos(100), FullPolicy.STOP,
            new SystemEpochNanoClock());
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
            final double seconds = (System.nanoTime() - start) / GB;
            return new Took(position / GB / seconds, working("gannet-recorder-write") / position,
                working("gannet-recorder-poll") / position);
        }
        finally
        {
            remove(shm);
        }
    }

    /** Nanoseconds. */
    private static double working(final String thread)
    {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
            .filter(info -> info != null && info.getThreadName().equals(thread))
            .mapToLong(info -> THREADS.getThreadCpuTime(info.getThreadId())).sum();
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

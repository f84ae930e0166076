package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * A driver in this process, and a directory for recordings.
 */
final class RecordingFixture implements AutoCloseable
{
    static final String CHANNEL = "gannet:ipc?ring=256k";
    static final int STREAM = 77;
    static final int SEGMENT = 1 << 20;

    final Path directory = TestDirectory.create("recording");
    final Path recording = directory.resolve("recorded");
    final Events events = new Events();
    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final MediaDriver driver = MediaDriver.launch(
        DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory.resolve("driver")), line -> { });

    Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory.resolve("driver")).errorHandler(errors::add)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }

    RecorderSettings settings()
    {
        return new RecorderSettings(recording, CHANNEL, STREAM, SEGMENT, Long.MAX_VALUE, SEGMENT, SyncPolicy.NEVER,
            TimeUnit.MILLISECONDS.toNanos(10), FullPolicy.STOP, new SystemEpochNanoClock());
    }

    Recorder record(final Gannet client)
    {
        return Recorder.start(client, settings(), events);
    }

    static void awaitRecorded(final Recorder recorder, final int session, final long position)
    {
        Await.until("session " + session + " to be recorded up to " + position, () ->
        {
            if (recorder.failure() != null)
            {
                throw new AssertionError(recorder.failure());
            }
            return recorder.streams().stream().anyMatch(stream ->
                stream.sessionId() == session && stream.recordedPosition() >= position);
        });
    }

    @Override
    public void close()
    {
        driver.close();
        TestDirectory.remove(directory);
        assertThat(errors).isEmpty();
    }
}

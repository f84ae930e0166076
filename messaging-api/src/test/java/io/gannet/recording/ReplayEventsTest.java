package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.AvailableImageHandler;
import io.gannet.Gannet;
import io.gannet.GapHandler;
import io.gannet.Subscription;
import io.gannet.UnavailableImageHandler;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Images that come, are cut off, end and come again at the worst moments of a {@link ReplaySubscription}: what a test's
 * subscription and recording say, in the order that it says them. Each message of each publisher is handed on once and
 * in order, and what is not is told.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReplayEventsTest
{
    private static final int SESSION = 5;
    /** Of which no image comes, so that the recording is read as long as the test is. */
    private static final int OTHER = 6;
    private static final int STREAM = 1;
    private static final int OTHER_STREAM = 2;
    private static final int NEXT_STREAM = 3;
    private static final int FIRST = 1;
    private static final int SECOND = 2;

    @TempDir
    private Path directory;

    private final List<String> got = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private ScriptedRecording recording;
    private AvailableImageHandler available;
    private UnavailableImageHandler unavailable;
    private GapHandler gap;

    @BeforeEach
    void record()
    {
        recording = new ScriptedRecording(directory);
    }

    @AfterEach
    void close() throws IOException
    {
        recording.close();
    }

    /** Adds a subscription whose handlers the test calls. */
    private Gannet client()
    {
        final Subscription subscription = (Subscription) Proxy.newProxyInstance(Subscription.class.getClassLoader(),
            new Class<?>[]{Subscription.class}, (proxy, method, arguments) ->
                method.getReturnType() == boolean.class ? Boolean.FALSE : null);
        return (Gannet) Proxy.newProxyInstance(Gannet.class.getClassLoader(), new Class<?>[]{Gannet.class},
            (proxy, method, arguments) ->
            {
                assertThat(method.getName()).isEqualTo("addSubscription");
                available = (AvailableImageHandler) arguments[2];
                unavailable = (UnavailableImageHandler) arguments[3];
                gap = (GapHandler) arguments[4];
                return subscription;
            });
    }

    private ReplaySubscription replay(final ReplayFrom from)
    {
        return new ReplaySubscription(client(), directory, from, new RecordingListener()
        {
            @Override
            public void onGap(final int session, final long from, final long to, final Reason reason)
            {
                gaps.add(session + " " + from / ScriptedRecording.STEP + " " + to / ScriptedRecording.STEP);
            }
        }, 60, TimeUnit.SECONDS);
    }

    private void poll(final ReplaySubscription replay, final int limit)
    {
        replay.poll((buffer, offset, length, header) -> got.add(ScriptedRecording.text(buffer.getLong(offset))), limit);
    }

    private void await(final ReplaySubscription replay, final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadline).as("got %s, gaps %s", got, gaps).isNegative();
            poll(replay, 10);
            LockSupport.parkNanos(100_000);
        }
    }

    /** Long enough for it to hand on what it should not. */
    private void pollOn(final ReplaySubscription replay)
    {
        for (int i = 0; i < 50; i++)
        {
            poll(replay, 100);
        }
    }

    private static List<String> messages(final int publisher, final int from, final int to)
    {
        return IntStream.range(from, to).mapToObj(number -> ScriptedRecording.text(publisher, number)).toList();
    }

    private static List<String> both(final List<String> first, final List<String> second)
    {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private void gap(final int from, final int to)
    {
        gap.onGap(null, SESSION, (long) from * ScriptedRecording.STEP, (long) to * ScriptedRecording.STEP);
    }

    /** It is cut off again while it still reads what it missed the first time. */
    @Test
    void whatIsMissedWhileAGapIsReadIsReadToo()
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 100);
        try (ReplaySubscription replay = replay(ReplayFrom.live()))
        {
            final ScriptedImage first = new ScriptedImage(SESSION, FIRST, 10).publish(20);
            available.onAvailableImage(first);
            await(replay, () -> got.size() == 10);
            unavailable.onUnavailableImage(first.breakOff());
            gap(20, 40);
            final ScriptedImage second = new ScriptedImage(SESSION, FIRST, 40).publish(50);
            available.onAvailableImage(second);
            await(replay, () -> got.size() >= 12);
            assertThat(second.next()).isEqualTo(40);
            unavailable.onUnavailableImage(second.breakOff());
            gap(40, 60);
            available.onAvailableImage(new ScriptedImage(SESSION, FIRST, 60).publish(70));
            await(replay, () -> got.size() >= 60 || !gaps.isEmpty());
            assertThat(got).isEqualTo(messages(FIRST, 10, 70));
            assertThat(gaps).isEmpty();
        }
    }

    /** A gap that is told while its image is still there, and behind which no image comes. */
    @Test
    void whatAnImageLacksAtItsEndIsRead()
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 50);
        try (ReplaySubscription replay = replay(ReplayFrom.live()))
        {
            final ScriptedImage image = new ScriptedImage(SESSION, FIRST, 0).publish(20);
            available.onAvailableImage(image);
            await(replay, () -> got.size() == 20);
            gap(20, 50);
            pollOn(replay);
            unavailable.onUnavailableImage(image.breakOff());
            await(replay, () -> got.size() == 50);
            assertThat(got).isEqualTo(messages(FIRST, 0, 50));
            assertThat(gaps).isEmpty();
        }
    }

    /** What its image brought does not come from the recording again, however far behind that is. */
    @Test
    void aSessionThatEndsWhileTheRecordingIsStillReadComesOnce()
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 50).start(OTHER, OTHER_STREAM, 0);
        try (ReplaySubscription replay = replay(ReplayFrom.start()))
        {
            await(replay, () -> available != null);
            final ScriptedImage image = new ScriptedImage(SESSION, FIRST, 50).publish(60);
            available.onAvailableImage(image);
            await(replay, () -> got.size() == 60);
            unavailable.onUnavailableImage(image);
            pollOn(replay);
            recording.messages(SESSION, STREAM, FIRST, 50, 60).end(SESSION, STREAM, 60);
            pollOn(replay);
            assertThat(replay.isLive()).isFalse();
            assertThat(got).isEqualTo(messages(FIRST, 0, 60));
            // And one that comes anew is no continuation, wherever it begins.
            available.onAvailableImage(new ScriptedImage(SESSION, SECOND, 0).publish(30));
            recording.start(SESSION, NEXT_STREAM, 0).messages(SESSION, NEXT_STREAM, SECOND, 0, 30);
            await(replay, () -> got.size() >= 90);
            pollOn(replay);
            assertThat(got).isEqualTo(both(messages(FIRST, 0, 60), messages(SECOND, 0, 30)));
            assertThat(gaps).isEmpty();
        }
    }

    /** Its host was lost, and the next publisher of that session begins below what the one before had reached. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void aSessionThatBeginsAnewIsNotTakenForTheOneBefore(final int join)
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 50);
        try (ReplaySubscription replay = replay(ReplayFrom.live()))
        {
            final ScriptedImage first = new ScriptedImage(SESSION, FIRST, 0).publish(50);
            available.onAvailableImage(first);
            await(replay, () -> got.size() == 50);
            unavailable.onUnavailableImage(first.breakOff());
            available.onAvailableImage(new ScriptedImage(SESSION, SECOND, join).publish(80));
            await(replay, () -> got.size() >= 130 - join);
            assertThat(got).isEqualTo(both(messages(FIRST, 0, 50), messages(SECOND, join, 80)));
            assertThat(gaps).isEmpty();
        }
    }

    /** The recorder is behind; the image had nothing more, and another publisher of that session has begun already. */
    @Test
    void aSessionThatBeganAnewWaitsUntilTheOneBeforeIsRead()
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 50);
        try (ReplaySubscription replay = replay(ReplayFrom.start()))
        {
            await(replay, () -> available != null);
            final ScriptedImage first = new ScriptedImage(SESSION, FIRST, 60);
            available.onAvailableImage(first);
            pollOn(replay);
            unavailable.onUnavailableImage(first);
            available.onAvailableImage(new ScriptedImage(SESSION, SECOND, 0).publish(20));
            final long start = System.nanoTime();
            await(replay, () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(400));
            assertThat(got).isEqualTo(messages(FIRST, 0, 50));
            recording.messages(SESSION, STREAM, FIRST, 50, 60).end(SESSION, STREAM, 60)
                .start(SESSION, NEXT_STREAM, 0).messages(SESSION, NEXT_STREAM, SECOND, 0, 10);
            await(replay, () -> got.size() >= 80);
            pollOn(replay);
            assertThat(got).isEqualTo(both(messages(FIRST, 0, 60), messages(SECOND, 0, 20)));
            assertThat(gaps).isEmpty();
        }
    }

    /** As the one above, but the recorder dies: what it owes is told, and the new one goes on. */
    @Test
    void whatADeadRecorderOwesIsTold()
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 50);
        try (ReplaySubscription replay = replay(ReplayFrom.start()))
        {
            await(replay, () -> available != null);
            final ScriptedImage first = new ScriptedImage(SESSION, FIRST, 60);
            available.onAvailableImage(first);
            pollOn(replay);
            unavailable.onUnavailableImage(first);
            available.onAvailableImage(new ScriptedImage(SESSION, SECOND, 0).publish(20));
            recording.close();
            await(replay, () -> got.size() >= 70);
            assertThat(got).isEqualTo(both(messages(FIRST, 0, 50), messages(SECOND, 0, 20)));
            assertThat(gaps).containsExactly("5 50 60");
        }
    }

    /** A gap of the recorder between where it was read and where the image begins, or over that. */
    @ParameterizedTest
    @ValueSource(ints = {70, 90})
    void aGapOfTheRecorderBeforeTheImageIsTold(final int end)
    {
        recording.start(SESSION, STREAM, 0).messages(SESSION, STREAM, FIRST, 0, 50);
        try (ReplaySubscription replay = replay(ReplayFrom.start()))
        {
            await(replay, () -> available != null);
            available.onAvailableImage(new ScriptedImage(SESSION, FIRST, 80).publish(100));
            pollOn(replay);
            recording.gap(SESSION, STREAM, 50, end).messages(SESSION, STREAM, FIRST, end, 100);
            await(replay, () -> !got.isEmpty() && got.getLast().equals("1:99"));
            final int first = Math.min(end, 80);
            assertThat(got).isEqualTo(both(messages(FIRST, 0, 50), messages(FIRST, first, 100)));
            assertThat(gaps).containsExactly("5 50 " + first);
        }
    }
}

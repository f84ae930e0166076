package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.StreamStage.Deed;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Publications, subscriptions, clients and drivers come and go, readers stop for a while and are cut off, frames are
 * damaged, all in the middle of polls and offers: a subscription that is there at the end has each position of each
 * stream since it joined, once, as a message or as a gap that it was told of, and goes on. More:
 * {@code -Dgannet.account.seeds=N -Dgannet.account.seed=FIRST}.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class StreamAccountTest
{
    private static final int SEEDS = Integer.getInteger("gannet.account.seeds", 4);
    private static final long FIRST_SEED = Long.getLong("gannet.account.seed", 1);
    private static final int STEPS = 120;
    private static final int REMOTE_STEPS = 60;
    /** Offers between two steps at most. */
    private static final int PACE = 200;
    private static final int REMOTE_PACE = 20_000;
    private static final int[] STREAMS = {1, 2};
    private static final Pattern DAMAGE = Pattern.compile(
        "can't read the stream|damaged|no longer goes to|could not be taken over");
    private static final Deed[] DEEDS = {
        Deed.SUBSCRIBE, Deed.SUBSCRIBE, Deed.UNSUBSCRIBE, Deed.PUBLISH, Deed.PUBLISH, Deed.UNPUBLISH, Deed.STAND,
        Deed.STAND, Deed.DAMAGE, Deed.DAMAGE, Deed.SUBSCRIBE, Deed.SUBSCRIBE, Deed.UNSUBSCRIBE, Deed.PUBLISH,
        Deed.PUBLISH, Deed.UNPUBLISH, Deed.STAND, Deed.STAND, Deed.REPLACE_CLIENT, Deed.RESTART_DRIVER};
    /** Between hosts clients and drivers stay, unless {@code -Dgannet.account.restarts=true}. */
    private static final Deed[] REMOTE_DEEDS = Boolean.getBoolean("gannet.account.restarts") ? DEEDS :
        Stream.of(DEEDS).filter(deed -> deed.compareTo(Deed.REPLACE_CLIENT) < 0).toArray(Deed[]::new);

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private MediaDriver driver;

    static LongStream seeds()
    {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    /** Half as many, as each takes three times as long. */
    static LongStream remoteSeeds()
    {
        return seeds().limit((SEEDS + 1) / 2);
    }

    /** The second stream waits for the slowest reader, the first one cuts it off. */
    private static String local(final int stream)
    {
        return "gannet:ipc?ring=64k" + (stream == 1 ? "|slow=drop" : "");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachPositionOfThisHostComesOrIsToldToBeLost(final long seed)
    {
        final Path directory = TestDirectory.create("account");
        launch(directory);
        try (StreamStage stage = new StreamStage(() ->
        {
            driver.close();
            launch(directory);
        }))
        {
            stage.add(directory, true);
            stage.add(directory, true);
            stage.add(directory, false);
            stage.add(directory, false);
            play(stage, seed, DEEDS, STEPS, PACE, StreamAccountTest::local);
        }
        finally
        {
            driver.close();
            TestDirectory.remove(directory);
        }
    }

    private void launch(final Path directory)
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, ThreadingMode.SHARED), log::add);
    }

    @ParameterizedTest
    @MethodSource("remoteSeeds")
    void eachPositionOfAnotherHostComesOrIsToldToBeLost(final long seed)
    {
        final Random which = new Random(seed);
        try (RdmaHost here = new RdmaHost("account-here"); RdmaHost there = new RdmaHost("account-there");
            StreamStage stage = new StreamStage(() ->
            {
                final RdmaHost host = which.nextBoolean() ? here : there;
                host.closeDriver();
                host.start();
            }))
        {
            stage.add(here.directory(), true);
            stage.add(here.directory(), false);
            stage.add(there.directory(), false);
            play(stage, seed, REMOTE_DEEDS, REMOTE_STEPS, REMOTE_PACE,
                stream -> here.control(4620) + "|ring=64k|image-timeout=1m");
        }
    }

    private void play(
        final StreamStage stage,
        final long seed,
        final Deed[] deeds,
        final int count,
        final int pace,
        final IntFunction<String> channel)
    {
        final Random random = new Random(seed);
        try
        {
            for (int i = 0; i < count; i++)
            {
                final int stream = STREAMS[random.nextInt(STREAMS.length)];
                steps.add(stage.act(deeds[random.nextInt(deeds.length)], random, channel.apply(stream), stream));
                stage.awaitOffers(random.nextInt(pace));
            }
            stage.awaitAll(random, channel, STREAMS);
        }
        catch (final AssertionError failure)
        {
            throw new AssertionError("seed " + seed + ": " + failure.getMessage() + stage + "\nsteps " + steps +
                "\nlog " + log, failure);
        }
        assertThat(stage.faults()).isEmpty();
        assertThat(stage.told()).allMatch(text -> DAMAGE.matcher(text).find());
    }
}

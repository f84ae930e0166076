package io.gannet.driver;

import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * kill -9 at random moments, of anybody, while checked messages flow: survivors go on, and nothing is left at the end.
 * More rounds: {@code -Dgannet.kill.rounds=200}; the same again: {@code -Dgannet.kill.seed=N}.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class RandomKillIT
{
    private static final String CHANNEL = "gannet:ipc?ring=256k";
    private static final long SOME = 2_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final long seed = Long.getLong("gannet.kill.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<TestProcess> publishers = new ArrayList<>();
    private final List<TestProcess> subscribers = new ArrayList<>();
    private TestProcess driver;

    @Test
    void survivorsGoOnAndNothingIsLeft()
    {
        System.err.println("RandomKillIT: seed " + seed);
        driver = harness.startDriver();
        for (int i = 0; i < 2; i++)
        {
            subscribers.add(harness.startSubscriber());
            publishers.add(publisher());
        }
        final int rounds = Integer.getInteger("gannet.kill.rounds", 6);
        for (int round = 0; round < rounds; round++)
        {
            everybodyMoves();
            harness.awaitProgress(publishers.getFirst(), random.nextInt(1_000));
            killSomebody();
        }
        everybodyMoves();
        publishers.forEach(TestProcess::kill);
        subscribers.forEach(TestProcess::kill);
        harness.await("everything to go, seed " + seed, () -> list("clients").isEmpty() && list("rings").isEmpty());
    }

    private void everybodyMoves()
    {
        publishers.forEach(publisher -> harness.awaitProgress(publisher, SOME));
        subscribers.forEach(subscriber -> harness.awaitProgress(subscriber, SOME));
    }

    private void killSomebody()
    {
        final int victim = random.nextInt(5);
        if (victim < 2)
        {
            publishers.remove(random.nextInt(publishers.size())).kill();
            publishers.add(publisher());
        }
        else if (victim < 4)
        {
            subscribers.remove(random.nextInt(subscribers.size())).kill();
            subscribers.add(harness.startSubscriber());
        }
        else
        {
            driver.kill();
            driver = harness.startDriver();
        }
    }

    private TestProcess publisher()
    {
        return harness.startPublisher(random.nextBoolean(), CHANNEL);
    }

    private List<String> list(final String folder)
    {
        return TestDirectory.list(harness.directory().resolve(folder));
    }
}

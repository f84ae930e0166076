package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.client.CloseRace;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The races of {@code CloseRaceTest} with publisher and subscriber on two hosts; nothing is left on either. The full
 * run: {@code -Dgannet.test.rounds=1000}.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class RdmaCloseRaceTest
{
    private static final int ROUNDS = Integer.getInteger("gannet.test.rounds", 10);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverIsInsideSeesAClosedThingAndNeverAFault(final boolean fanOut) throws InterruptedException
    {
        final long seed = fanOut ? 2 : 1;
        final Random random = new Random(seed);
        try (RdmaHost from = new RdmaHost("race-from"); RdmaHost to = new RdmaHost("race-to"))
        {
            final String channel = (fanOut ? from.control(4500) : to.channel(4500)) + "|ring=64k";
            final CloseRace race = new CloseRace(from::connect, to::connect, channel);
            for (int round = 0; round < ROUNDS; round++)
            {
                race.round(random);
                assertThat(race.problems()).as("seed %d round %d", seed, round).isEmpty();
            }
            from.awaitNoRings();
            to.awaitNoRings();
        }
    }
}

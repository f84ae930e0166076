package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.SendLedger;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PauseWatchTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PauseWatch watch = new PauseWatch();

    @Test
    void cyclesOneAfterTheOtherAreNoPause()
    {
        for (long now = -500 * MS; now < 500 * MS; now += 90 * MS)
        {
            assertThat(watch.begin(now)).isZero();
        }
    }

    @Test
    void timeThatTheAgentWasKeptFromRunningIsOne()
    {
        watch.begin(0);
        assertThat(watch.begin(1_500 * MS)).isEqualTo(1_400 * MS);
        assertThat(watch.begin(1_501 * MS)).isZero();
    }

    @Test
    void aWaitThatWasWantedIsNone()
    {
        watch.begin(0);
        watch.waits(0, 1_000 * MS);
        assertThat(watch.begin(1_050 * MS)).isZero();
        watch.waits(1_050 * MS, 1_000 * MS);
        assertThat(watch.begin(2_650 * MS)).isEqualTo(500 * MS);
        watch.waits(2_650 * MS, Long.MAX_VALUE);
        assertThat(watch.begin(60_000 * MS)).isZero();
    }

    @Test
    void requestsAreNotStalledByThePauseOfWhoPostedThem()
    {
        final SendLedger ledger = new SendLedger(64, MS);
        ledger.post(0);
        ledger.wasAway(watchedPause());
        assertThat(ledger.stalledFor(2_000 * MS)).isEqualTo(100 * MS);
    }

    private long watchedPause()
    {
        watch.begin(0);
        return watch.begin(2_000 * MS);
    }
}

package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendLedgerTest
{
    private static final long TAIL_DELAY = 40_000;

    @Test
    void completionFreesItsSlotAndAllBefore()
    {
        final SendLedger ledger = new SendLedger(16, TAIL_DELAY);
        assertThat(ledger.free()).isEqualTo(15);
        for (int i = 0; i < 15; i++)
        {
            ledger.post(0);
        }
        assertThat(ledger.free()).isZero();
        assertThat(ledger.complete(8, 1)).isTrue();
        assertThat(ledger.free()).isEqualTo(8);
        assertThat(ledger.outstanding()).isEqualTo(7);
    }

    @Test
    void completionOfNothingOutstandingIsRefused()
    {
        final SendLedger ledger = new SendLedger(16, TAIL_DELAY);
        assertThat(ledger.complete(0, 0)).isFalse();
        assertThat(ledger.complete(1, 0)).isFalse();
        ledger.post(0);
        ledger.post(0);
        assertThat(ledger.complete(2, 0)).isTrue();
        assertThat(ledger.complete(2, 0)).isFalse();
        assertThat(ledger.complete(1, 0)).isFalse();
        assertThat(ledger.complete(3, 0)).isFalse();
    }

    @Test
    void tailIsDueOnlyBehindUnsignaledWorkAndOnlyAfterTheDelay()
    {
        final SendLedger ledger = new SendLedger(256, TAIL_DELAY);
        assertThat(ledger.isTailDue(1_000_000)).isFalse();
        ledger.post(1_000_000);
        assertThat(ledger.isTailDue(1_000_000 + TAIL_DELAY - 1)).isFalse();
        assertThat(ledger.isTailDue(1_000_000 + TAIL_DELAY)).isTrue();
        ledger.postSignaled(1_000_000 + TAIL_DELAY);
        assertThat(ledger.isTailDue(2_000_000)).isFalse();
    }

    @Test
    void fiftyThousandMessagesPerSecondSignalAtMostOneOfSixteenAndReclaimWithinFiftyMicrosecondsOfIdle()
    {
        final SendLedger ledger = new SendLedger(256, TAIL_DELAY);
        final long interval = 20_000;
        final long roundTrip = 6_000;
        final int messages = 10_000;
        long lastPost = 0;
        long completionAt = -1;
        int completes = 0;
        long idleSince = -1;
        for (long now = 0; now < messages * interval + 100_000; now += 1_000)
        {
            if (completionAt >= 0 && now >= completionAt)
            {
                ledger.complete(completes, now);
                completionAt = -1;
            }
            if (now < messages * interval && now % interval == 0)
            {
                if (ledger.post(now) == SendFlags.SIGNALED)
                {
                    completionAt = now + roundTrip;
                    completes = ledger.sequence();
                }
                lastPost = now;
            }
            else if (ledger.isTailDue(now))
            {
                ledger.postSignaled(now);
                completionAt = now + roundTrip;
                completes = ledger.sequence();
            }
            if (ledger.outstanding() == 0 && idleSince < 0 && now > lastPost && now >= messages * interval)
            {
                idleSince = now;
            }
        }

        assertThat(ledger.signaledCount() * 16).isLessThanOrEqualTo(ledger.posted());
        assertThat(idleSince - lastPost).isBetween(0L, 50_000L);
    }

    @Test
    void refusedRequestsAreTakenBackAndStillConfirmed()
    {
        final SendLedger ledger = new SendLedger(16, TAIL_DELAY);
        for (int i = 0; i < 4; i++)
        {
            ledger.post(0);
        }
        ledger.refused(1);
        assertThat(ledger.outstanding()).isEqualTo(3);
        assertThat(ledger.isTailDue(TAIL_DELAY)).isTrue();
    }

    @Test
    void stallIsTimedFromTheFirstPostOrTheLastCompletion()
    {
        final SendLedger ledger = new SendLedger(16, TAIL_DELAY);
        assertThat(ledger.stalledFor(500)).isZero();
        ledger.post(1_000);
        ledger.post(2_000);
        assertThat(ledger.stalledFor(5_000)).isEqualTo(4_000);
        ledger.complete(1, 6_000);
        assertThat(ledger.stalledFor(7_000)).isEqualTo(1_000);
        ledger.complete(2, 8_000);
        assertThat(ledger.stalledFor(9_000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64, 256})
    void aSenderThatObeysNeverOverrunsTheQueueAndNeverSticks(final int depth)
    {
        final SplittableRandom random = new SplittableRandom(depth);
        final SendLedger ledger = new SendLedger(depth, TAIL_DELAY);
        final java.util.ArrayDeque<Integer> signaled = new java.util.ArrayDeque<>();
        long now = 0;
        for (int step = 0; step < 100_000; step++)
        {
            now += random.nextInt(3_000);
            for (int i = random.nextInt(20); i > 0 && ledger.free() > 0; i--)
            {
                if (ledger.post(now) == SendFlags.SIGNALED)
                {
                    signaled.add(ledger.sequence());
                }
            }
            assertThat(ledger.outstanding()).isLessThan(depth);
            assertThat(ledger.free() > 0 || !signaled.isEmpty()).as("full and nothing to come").isTrue();
            if (random.nextInt(3) == 0 && !signaled.isEmpty())
            {
                assertThat(ledger.complete(signaled.poll(), now)).isTrue();
            }
        }
    }
}

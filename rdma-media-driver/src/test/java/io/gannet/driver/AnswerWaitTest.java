package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerWaitTest
{
    private static final long NEVER = Long.MAX_VALUE;

    private long now;
    private long answeredAt = NEVER;
    private long waited;
    private final AnswerWait wait = new AnswerWait(() -> now >= answeredAt, () -> now += 100);

    /** One delivery; says whether the answer was seen, and how long that took. */
    private boolean deliver(final long answerAfter)
    {
        answeredAt = answerAfter == NEVER ? NEVER : now + answerAfter;
        final long before = now;
        final boolean seen = wait.await();
        waited = now - before;
        return seen;
    }

    @Test
    void answerThatComesSoonIsSeenEachTime()
    {
        for (int i = 0; i < 1_000; i++)
        {
            assertThat(deliver(1_000)).isTrue();
            assertThat(waited).isBetween(1_000L, 1_200L);
        }
    }

    @Test
    void oneLookIsBounded()
    {
        assertThat(deliver(NEVER)).isFalse();
        assertThat(waited).isBetween(AnswerWait.LONGEST, AnswerWait.LONGEST + 300);
    }

    @Test
    void looksThatFindNothingBecomeRare()
    {
        for (int i = 0; i < 1_000; i++)
        {
            deliver(NEVER);
        }
        final long before = now;
        int seen = 0;
        for (int i = 0; i < 100 * (AnswerWait.MOST_SKIPPED + 1); i++)
        {
            seen += deliver(NEVER) ? 1 : 0;
        }
        assertThat(seen).isZero();
        assertThat(now - before).isLessThan(101 * (AnswerWait.LONGEST + 300));
    }

    @Test
    void answersThatComeSoonAgainAreFoundAgain()
    {
        for (int i = 0; i < 1_000; i++)
        {
            deliver(NEVER);
        }
        int missed = 0;
        while (!deliver(1_000))
        {
            assertThat(++missed).isLessThanOrEqualTo(AnswerWait.MOST_SKIPPED);
        }
        assertThat(deliver(1_000)).isTrue();
    }
}

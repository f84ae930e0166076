package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamingPolicyTest
{
    private static final long FAST = 32;
    private static final long SLOW = 500;

    private final StreamingPolicy policy = new StreamingPolicy();
    private long position;
    private long nanos = 1;

    /** Edge windows at so many nanoseconds per 32 bytes, until streaming or the count is reached. */
    private int windows(final long nanosPer32, final int count)
    {
        int done = 0;
        while (done < count && !policy.isStreaming())
        {
            policy.onWindow(position, nanos);
            position += StreamingPolicy.WINDOW;
            nanos += StreamingPolicy.WINDOW / 32 * nanosPer32;
            done++;
        }
        return done;
    }

    private void startTrial()
    {
        windows(FAST, 10_000);
        assertThat(policy.isStreaming()).isTrue();
    }

    private void missDeadline(final long available)
    {
        assertThat(policy.waitFor(available, nanos)).isTrue();
        nanos += StreamingPolicy.MAX_WAIT_NANOS + 1;
        assertThat(policy.waitFor(available, nanos)).isFalse();
    }

    @Test
    void neverTriesAtASlowRate()
    {
        windows(SLOW, 1000);
        assertThat(policy.isStreaming()).isFalse();
    }

    @Test
    void triesAfterAFewFastWindows()
    {
        assertThat(windows(FAST, 100)).isLessThan(5);
        assertThat(policy.isStreaming()).isTrue();
    }

    @Test
    void holdsBackUntilTheGateIsReached()
    {
        startTrial();
        assertThat(policy.waitFor(0, nanos)).isTrue();
        assertThat(policy.waitFor(StreamingPolicy.GATE - 32, nanos + 10)).isTrue();
        assertThat(policy.waitFor(StreamingPolicy.GATE, 0)).isFalse();
        assertThat(policy.isStreaming()).isTrue();
    }

    @Test
    void neverHoldsBackForLongerThanItsDeadline()
    {
        startTrial();
        assertThat(policy.waitFor(100, nanos)).isTrue();
        assertThat(policy.waitFor(100, nanos + StreamingPolicy.MAX_WAIT_NANOS)).isFalse();
        assertThat(policy.isStreaming()).as("a failed trial ends it").isFalse();
    }

    @Test
    void triesExponentiallyLessOftenAfterFailures()
    {
        startTrial();
        int last = 0;
        for (int i = 0; i < 8; i++)
        {
            missDeadline(100);
            assertThat(policy.isStreaming()).isFalse();
            final int windows = windows(FAST, 100_000);
            assertThat(windows).isGreaterThanOrEqualTo(last);
            last = windows;
        }
        assertThat(last).isGreaterThan(100);
    }

    @Test
    void endsAfterThreeMissesInARowOnceAccepted()
    {
        startTrial();
        policy.waitFor(StreamingPolicy.GATE, 0);
        policy.waitFor(StreamingPolicy.GATE, 0);
        missDeadline(StreamingPolicy.GATE / 2);
        missDeadline(StreamingPolicy.GATE / 2);
        assertThat(policy.isStreaming()).isTrue();
        policy.waitFor(StreamingPolicy.GATE, 0);
        missDeadline(StreamingPolicy.GATE / 2);
        missDeadline(StreamingPolicy.GATE / 2);
        assertThat(policy.isStreaming()).isTrue();
        missDeadline(StreamingPolicy.GATE / 2);
        assertThat(policy.isStreaming()).isFalse();
    }

    @Test
    void endsAtOnceWhenTheStreamHasStopped()
    {
        startTrial();
        policy.waitFor(StreamingPolicy.GATE, 0);
        policy.waitFor(StreamingPolicy.GATE, 0);
        missDeadline(100);
        assertThat(policy.isStreaming()).isFalse();
    }

    @Test
    void judgesNoRateByPollsThatFoundABacklog()
    {
        for (int i = 0; i < 100_000; i++)
        {
            position += StreamingPolicy.WINDOW;
            policy.onCaughtUp(StreamingPolicy.FEW + 1, position);
        }
        assertThat(policy.isStreaming()).isFalse();
    }
}

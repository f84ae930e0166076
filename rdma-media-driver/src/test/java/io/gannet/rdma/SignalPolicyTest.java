package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalPolicyTest
{
    @ParameterizedTest
    @CsvSource({"256, 0, 32", "256, 76, 32", "256, 77, 16", "256, 179, 16", "256, 180, 8", "256, 255, 8",
        "64, 0, 16", "64, 20, 16", "64, 45, 8", "16, 0, 4", "4, 0, 1", "100, 0, 16"})
    void intervalFollowsLoadAndNeverExceedsAQuarterOfTheQueue(
        final int depth, final int outstanding, final int interval)
    {
        final SignalPolicy policy = new SignalPolicy(depth);

        policy.nextFlags(outstanding);

        assertThat(policy.interval()).isEqualTo(interval);
        assertThat(policy.interval()).isLessThanOrEqualTo(depth / 4);
    }

    @Test
    void oneOfEachIntervalIsSignaled()
    {
        final SignalPolicy policy = new SignalPolicy(256);
        int signaled = 0;
        for (int i = 1; i <= 320; i++)
        {
            final boolean is = policy.nextFlags(0) == SendFlags.SIGNALED;
            assertThat(is).isEqualTo(i % 32 == 0);
            signaled += is ? 1 : 0;
        }
        assertThat(signaled).isEqualTo(10);
    }

    @Test
    void fallingLoadKeepsItsIntervalUntilTenPercentBelowTheBound()
    {
        final SignalPolicy policy = new SignalPolicy(100 * 4);
        policy.nextFlags(280);
        assertThat(policy.interval()).isEqualTo(8);
        policy.nextFlags(240);
        assertThat(policy.interval()).isEqualTo(8);
        policy.nextFlags(239);
        assertThat(policy.interval()).isEqualTo(16);
        policy.nextFlags(80);
        assertThat(policy.interval()).isEqualTo(16);
        policy.nextFlags(79);
        assertThat(policy.interval()).isEqualTo(32);
    }

    @Test
    void loadThatSwingsAroundABoundDoesNotFlutter()
    {
        final SignalPolicy policy = new SignalPolicy(400);
        policy.nextFlags(121);
        for (int i = 0; i < 100; i++)
        {
            policy.nextFlags(i % 2 == 0 ? 119 : 121);
            assertThat(policy.interval()).isEqualTo(16);
        }
    }

    @Test
    void loadThatVanishesReturnsToTheLongestIntervalAtOnce()
    {
        final SignalPolicy policy = new SignalPolicy(400);
        policy.nextFlags(390);
        policy.nextFlags(0);
        assertThat(policy.interval()).isEqualTo(32);
    }

    @Test
    void requestSignaledForAnotherReasonStartsTheCountAgain()
    {
        final SignalPolicy policy = new SignalPolicy(16);
        policy.nextFlags(0);
        policy.nextFlags(0);
        policy.onSignaled();
        for (int i = 0; i < 3; i++)
        {
            assertThat(policy.nextFlags(0)).isEqualTo(SendFlags.NONE);
        }
        assertThat(policy.nextFlags(0)).isEqualTo(SendFlags.SIGNALED);
    }

    @Test
    void queueTooSmallToSignalAQuarterIsRefusedByValue()
    {
        assertThatThrownBy(() -> new SignalPolicy(3)).hasMessageContaining("3");
    }

    @Test
    void aFixedIntervalDoesNotLookAtTheLoadButKeepsToAQuarterOfTheQueue()
    {
        final SignalPolicy each = new SignalPolicy(256, 1);
        final SignalPolicy wide = new SignalPolicy(64, 32);
        for (int i = 1; i <= 64; i++)
        {
            assertThat(each.nextFlags(i * 3)).isEqualTo(SendFlags.SIGNALED);
            assertThat(wide.nextFlags(60)).isEqualTo(i % 16 == 0 ? SendFlags.SIGNALED : SendFlags.NONE);
        }
    }
}

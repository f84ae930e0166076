package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InlinePolicyTest
{
    @Test
    void upToTheThresholdBytesGoInline()
    {
        final InlinePolicy policy = new InlinePolicy(400, InlinePolicy.DEFAULT_THRESHOLD);

        assertThat(policy.flags(0)).isEqualTo(SendFlags.INLINE);
        assertThat(policy.flags(220)).isEqualTo(SendFlags.INLINE);
        assertThat(policy.flags(221)).isEqualTo(SendFlags.NONE);
    }

    @Test
    void neverMoreThanTheQueuePairWasGranted()
    {
        final InlinePolicy policy = new InlinePolicy(96, 220);

        assertThat(policy.limit()).isEqualTo(96);
        assertThat(policy.flags(96)).isEqualTo(SendFlags.INLINE);
        assertThat(policy.flags(97)).isEqualTo(SendFlags.NONE);
    }

    @Test
    void thresholdZeroTurnsItOffForAllThatHasBytes()
    {
        assertThat(new InlinePolicy(220, 0).flags(1)).isEqualTo(SendFlags.NONE);
    }

    @Test
    void negativeThresholdIsRefusedByValue()
    {
        assertThatThrownBy(() -> new InlinePolicy(220, -3)).hasMessageContaining("-3");
    }
}

package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is left of a chain of which the device has taken a part. */
class SendProgressTest
{
    private final StreamCounters counters = new StreamCounters();
    private final SendProgress progress = new SendProgress(0);

    private void add(final int bytes, final boolean last)
    {
        progress.addRequest();
        progress.wrote(bytes);
        counters.bytes += bytes;
        if (last)
        {
            counters.messages += progress.runFrames();
            progress.endRun();
        }
    }

    @Test
    void aRunThatIsGoneOnWithHasItsOwnFrames()
    {
        progress.beginChain();
        progress.run(128, 1);
        add(96, false);
        add(32, true);
        progress.run(640, 4);
        add(512, true);
        assertThat(counters.messages).isEqualTo(5);
        progress.undoBehind(1, counters);
        assertThat(counters.messages).isZero();
        assertThat(counters.bytes).isEqualTo(96);
        assertThat(progress.receivesUsed()).isZero();
        progress.beginChain();
        assertThat(progress.isBetweenRuns()).isFalse();
        assertThat(progress.runEnd()).isEqualTo(128);
        add(32, true);
        assertThat(counters.messages).isEqualTo(1);
        progress.run(640, 4);
        add(512, true);
        assertThat(counters.messages).isEqualTo(5);
        assertThat(progress.sent()).isEqualTo(640);
    }
}

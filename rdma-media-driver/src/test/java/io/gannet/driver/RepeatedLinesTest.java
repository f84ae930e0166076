package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepeatedLinesTest
{
    private final List<String> printed = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5;      // the clock may pass the sign
    private final RepeatedLines lines = new RepeatedLines(printed::add, () -> now);

    private void after(final long seconds)
    {
        now += TimeUnit.SECONDS.toNanos(seconds);
        lines.onTime(now);
    }

    @Test
    void whatComesAgainIsPrintedOnceAMinuteWithItsCount()
    {
        lines.print("error: a");
        for (int i = 0; i < 4_711; i++)
        {
            lines.print("error: a");
        }
        lines.print("error: b");
        assertThat(printed).containsExactly("error: a", "error: b");
        after(59);
        assertThat(printed).hasSize(2);
        after(1);
        assertThat(printed).containsExactly("error: a", "error: b", "error: a (again 4711 times in 60 s)");
        after(600);
        assertThat(printed).hasSize(3);
        lines.print("error: b");
        after(60);
        assertThat(printed).hasSize(4).last().isEqualTo("error: b (again 1 times in 60 s)");
    }

    @Test
    void aFloodOfDifferentLinesEndsWithOneThatSaysSo()
    {
        for (int i = 0; i < 5_000; i++)
        {
            lines.print("error: " + i);
        }
        assertThat(printed).hasSize(1_001).last().asString().contains("1000 different errors", "gannet errors");
    }
}

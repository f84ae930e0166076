package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RepeatedLinesTest
{
    private final List<String> printed = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);      // the clock may pass the sign
    private final RepeatedLines lines = new RepeatedLines(printed::add, now::get);

    private void after(final long seconds)
    {
        lines.onTime(now.addAndGet(TimeUnit.SECONDS.toNanos(seconds)));
    }

    /** As a driver's conductor does. */
    private void minutes(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            after(60);
        }
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
    void aFloodOfDifferentLinesEndsWithOneThatSaysSoAndTheirNumberOnceAMinute()
    {
        for (int i = 0; i < 5_000; i++)
        {
            lines.print("error: " + i);
        }
        assertThat(printed).hasSize(1_001).last().asString().contains("1000 different errors");
        after(60);
        assertThat(printed).hasSize(1_002).last().isEqualTo("error: 4000 other errors were not printed");
        after(60);
        assertThat(printed).hasSize(1_002);
    }

    /** Each with a client's number in it, say: a service runs for years. */
    @Test
    void yearsOfDifferentLinesSilenceNone()
    {
        for (int day = 0; day < 3 * 365; day++)
        {
            lines.print("error: client " + day);
            assertThat(printed).hasSize(2 * day + 1).last().isEqualTo("error: client " + day);
            lines.print("error: each day");
            assertThat(printed).hasSize(2 * day + 2).last().isEqualTo("error: each day");
            minutes(62);
        }
    }

    @Test
    void afterAFloodAndAnHourNewLinesArePrintedAgain()
    {
        for (int i = 0; i < 2_000; i++)
        {
            lines.print("error: " + i);
        }
        minutes(62);
        lines.print("error: 1999");
        assertThat(printed).last().isEqualTo("error: 1999");
        lines.print("error: 0");
        assertThat(printed).last().isEqualTo("error: 0");
    }

    @Test
    void linesOfSeveralThreadsAreAllCounted() throws InterruptedException
    {
        final int threads = 4;
        final int each = 20_000;
        lines.print("error: a");
        final List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++)
        {
            all.add(Thread.ofPlatform().start(() ->
            {
                for (int line = 0; line < each; line++)
                {
                    lines.print("error: a");
                    if (line % 100 == 0)
                    {
                        after(60);
                    }
                }
            }));
        }
        for (final Thread thread : all)
        {
            thread.join();
        }
        after(60);
        final Pattern again = Pattern.compile("error: a \\(again (\\d+) times in -?\\d+ s\\)");
        long count = 0;
        for (final String line : printed.subList(1, printed.size()))
        {
            final Matcher matcher = again.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            count += Long.parseLong(matcher.group(1));
        }
        assertThat(printed).first().isEqualTo("error: a");
        assertThat(count).isEqualTo((long) threads * each);
    }
}

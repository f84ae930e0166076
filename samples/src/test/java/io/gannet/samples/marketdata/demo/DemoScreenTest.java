package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.marketdata.cli.StatusLine;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Of processes that report at times of their own. */
final class DemoScreenTest
{
    /** A process that has said these lines, and ended. */
    private static Child child(final String name, final StatusLine... lines) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (final StatusLine line : lines)
        {
            text.append(line).append('\n');
        }
        final Child child = Child.start(name, List.of("printf", "%s", text.toString()));
        assertThat(child.await(60, TimeUnit.SECONDS)).isTrue();
        return child;
    }

    private static StatusLine status(final long at, final long messages)
    {
        return new StatusLine().put(StatusLine.AT, at).put("messages", messages).put("state", "in sync");
    }

    @Test
    void nobodyIsShownToHaveReceivedMoreThanWasPublished() throws IOException
    {
        try (Child publisher = child("publisher", status(50, 500), status(100, 1_000));
            Child late = child("A", status(40, 400), status(90, 900), status(110, 1_100), status(130, 1_300));
            Child same = child("B", status(100, 1_000));
            Child early = child("C", status(105, 1_050)))
        {
            final DemoScreen screen = new DemoScreen(null, null, publisher, List.of(late, same, early));
            screen.update();
            assertThat(screen.line(1)).contains("published 1,000 ", "A: 900,", "B: 1,000,", "C: starting");
        }
    }

    @Test
    void theTimeOfALineIsThatOfTheMonotonicClock()
    {
        final long before = System.nanoTime();
        assertThat(StatusLine.parse(new StatusLine().now().toString()).number(StatusLine.AT))
            .isBetween(before, System.nanoTime());
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code slow=drop} between hosts: who does not poll is cut off and told exactly what it misses; nobody else notices.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaDropTest
{
    private static final int STREAM = 10;
    /** More than three times round a ring of 256 KiB. */
    private static final int MESSAGES = 4_000;
    /** Messages: a small part of the ring. */
    private static final int FAR = 50;

    private final NumberedMessages messages = new NumberedMessages();
    private final List<Long> positions = new ArrayList<>();

    private record Gap(long from, long to)
    {
    }

    @Test
    void aHostThatDoesNotPollIsCutOffAndTheSubscriberOnThePublishersHostGoesOn()
    {
        try (RdmaHost from = new RdmaHost("drop-from"); RdmaHost slow = new RdmaHost("drop-slow");
            Gannet publisher = from.connect(); Gannet sleeper = slow.connect())
        {
            final String channel = slow.channel(4400);
            try (Subscription local = publisher.addSubscription(channel, STREAM))
            {
                cutOff(channel, publisher, sleeper, new Checker(local, 0));
            }
        }
    }

    @Test
    void aHostThatDoesNotPollIsCutOffAndTheOtherHostsGoOn()
    {
        try (RdmaHost from = new RdmaHost("drop-from"); RdmaHost slow = new RdmaHost("drop-slow");
            RdmaHost other = new RdmaHost("drop-other"); Gannet publisher = from.connect();
            Gannet sleeper = slow.connect(); Gannet reader = other.connect())
        {
            final String channel = from.control(4401);
            final List<Gap> gaps = new CopyOnWriteArrayList<>();
            try (Subscription remote = reader.addSubscription(channel, STREAM, image -> { }, image -> { },
                (subscription, session, gapFrom, gapTo) -> gaps.add(new Gap(gapFrom, gapTo))))
            {
                cutOff(channel, publisher, sleeper, new Checker(remote, 0));
            }
            assertThat(gaps).as("gaps of the host that polls").isEmpty();
        }
    }

    private void cutOff(
        final String channel, final Gannet publisher, final Gannet sleeper, final Checker reader)
    {
        final List<Gap> gaps = new CopyOnWriteArrayList<>();
        try (Publication publication = publisher.addPublication(channel + "|ring=256k|slow=drop", STREAM);
            Subscription slow = sleeper.addSubscription(channel, STREAM, image -> { }, image -> { },
                (subscription, session, gapFrom, gapTo) -> gaps.add(new Gap(gapFrom, gapTo))))
        {
            Await.until("all images", () -> publication.isConnected() && slow.isConnected());
            reader.awaitImage();
            positions.add(publication.position());
            offer(publication, MESSAGES, reader);
            reader.awaitNext(MESSAGES);
            // It comes to itself: what it has, then the gap, then the live stream without another gap.
            final Checker late = new Checker(slow, 0).gaps(next -> behind(gaps, next));
            Await.until("the image anew", () ->
            {
                late.poll();
                return !gaps.isEmpty() && slow.isConnected() &&
                    slow.images().getFirst().position() >= gaps.getFirst().to();
            });
            assertThat(gaps).hasSize(1);
            assertThat(gaps.getFirst()).as("the gap begins behind the last message that came")
                .isEqualTo(new Gap(positions.get(late.next()), publication.position()));
            offer(publication, MESSAGES + 1, reader);
            Await.until("the message behind the gap", () ->
            {
                late.poll();
                return late.next() == MESSAGES + 1;
            });
            offer(publication, MESSAGES + 100, reader, late);
            reader.awaitNext(MESSAGES + 100);
            late.awaitNext(MESSAGES + 100);
            assertThat(gaps).hasSize(1);
        }
    }

    /** The message behind the gap that begins at that of the number; the same if none does. */
    private int behind(final List<Gap> gaps, final int next)
    {
        return gaps.stream().filter(gap -> gap.from() == positions.get(next))
            .mapToInt(gap -> positions.indexOf(gap.to())).findFirst().orElse(next);
    }

    private void offer(final Publication publication, final int end, final Checker... checkers)
    {
        for (int i = positions.size() - 1; i < end; i++)
        {
            messages.offer(publication, i, List.of(checkers));
            positions.add(publication.position());
            final int number = i;
            for (final Checker checker : checkers)
            {
                // Nobody but the one that does not poll may be far behind, however slow this machine is just now.
                Await.until("message " + number + " or nearly", () ->
                {
                    checker.poll();
                    return checker.next() > number - FAR;
                });
            }
        }
    }
}

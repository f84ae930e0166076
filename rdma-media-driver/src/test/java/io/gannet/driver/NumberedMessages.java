package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages whose length and bytes follow from their number, and who checks that they come whole, in order and without a
 * gap.
 */
final class NumberedMessages
{
    private static final int LONGEST = 3_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONGEST]);

    /** Offers one message; checkers poll meanwhile. */
    void offer(final Publication publication, final int number, final List<Checker> checkers)
    {
        Await.until("room for message " + number, () ->
        {
            if (tryOffer(publication, number) > 0)
            {
                return true;
            }
            checkers.forEach(Checker::poll);
            return false;
        });
    }

    /** Offers all messages of a range and waits until all checkers have them. */
    void pass(final Publication publication, final int from, final int to, final Checker... checkers)
    {
        for (int i = from; i < to; i++)
        {
            offer(publication, i, List.of(checkers));
        }
        for (final Checker checker : checkers)
        {
            checker.awaitNext(to);
        }
    }

    long tryOffer(final Publication publication, final int number)
    {
        return publication.offer(message, 0, fill(message, number));
    }

    private static int fill(final UnsafeBuffer buffer, final int number)
    {
        final int length = number % 50 == 49 ? LONGEST - number % 700 : 4 + number % 300;
        for (int at = 4; at < length; at++)
        {
            buffer.putByte(at, (byte) (number * 31 + at));
        }
        buffer.putInt(0, number);
        return length;
    }

    /** Polls a subscription and checks what comes. */
    static final class Checker
    {
        private final UnsafeBuffer expected = new UnsafeBuffer(new byte[LONGEST]);
        private final UnsafeBuffer seen = new UnsafeBuffer(0, 0);
        private final Subscription subscription;
        private IntUnaryOperator behindGap = IntUnaryOperator.identity();
        private boolean anyStart;
        private int next;

        Checker(final Subscription subscription, final int next)
        {
            this.subscription = subscription;
            this.next = next;
        }

        void poll()
        {
            subscription.poll((buffer, offset, length, header) -> check(buffer, offset, length), 256);
        }

        private void check(final DirectBuffer buffer, final int offset, final int length)
        {
            seen.wrap(buffer, offset, length);
            if (anyStart && seen.getInt(0) > next)
            {
                next = seen.getInt(0);
            }
            if (seen.getInt(0) != next)
            {
                next = behindGap.applyAsInt(next);
            }
            final int expectedLength = fill(expected, next);
            if (length != expectedLength || seen.compareTo(new UnsafeBuffer(expected, 0, length)) != 0)
            {
                throw new AssertionError("instead of message " + next + " came " + length + " bytes of message " +
                    seen.getInt(0));
            }
            next++;
        }

        void awaitImage()
        {
            Await.until("an image", subscription::isConnected);
        }

        /**
         * Allows gaps.
         *
         * @param skip gets the message that should come and does not; returns the one behind the gap, or the same.
         */
        Checker gaps(final IntUnaryOperator skip)
        {
            behindGap = skip;
            return this;
        }

        /** Takes the first message that comes as the one that should, and each that is further on than should. */
        Checker anyStart()
        {
            anyStart = true;
            return this;
        }

        /** Number of the message that comes next. */
        int next()
        {
            return next;
        }

        void awaitNext(final int number)
        {
            Await.until("message " + (number - 1), () ->
            {
                poll();
                return next >= number;
            });
            assertThat(next).isEqualTo(number);
        }
    }
}

package io.gannet.samples.marketdata.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.samples.marketdata.book.Checksum;
import io.gannet.samples.marketdata.book.OrderBook;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class GeneratedSourceTest
{
    static LongStream seeds()
    {
        return LongStream.of(1, 2, -7);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyEventAppliesToABookThatIsNeverCrossedNorEmpty(final long seed)
    {
        final GeneratedSource source = new GeneratedSource(seed, 4, 50_000, 60_000);
        final List<OrderBook> books = new ArrayList<>();
        source.instruments().forEach(instrument -> books.add(new OrderBook(1024)));
        final Map<FeedEvent.Type, Long> counts = new EnumMap<>(FeedEvent.Type.class);
        final FeedEvent event = new FeedEvent();
        long priority = 0;
        long time = 0;
        long filled = 0;
        while (source.next(event))
        {
            counts.merge(event.type, 1L, Long::sum);
            final OrderBook book = books.get(event.instrument);
            final boolean bid = event.side == FeedEvent.Side.BID;
            final int order = book.find(event.orderId);
            switch (event.type)
            {
                case ADD -> assertThat(book.add(event.orderId, bid, event.price, event.quantity, priority++)).isTrue();
                case MODIFY -> assertThat(book.change(event.orderId, bid, event.price, event.quantity, priority++))
                    .isTrue();
                case CANCEL ->
                {
                    assertThat(book.quantity(order)).isEqualTo(event.quantity);
                    assertThat(book.delete(event.orderId)).isTrue();
                }
                case TRADE -> filled += event.quantity;
                case FILL ->
                {
                    assertThat(book.quantity(order)).isGreaterThanOrEqualTo(event.quantity);
                    assertThat(book.price(order)).isEqualTo(event.price);
                    assertThat(book.isBid(order)).isEqualTo(bid);
                    filled -= event.quantity;
                }
                default -> throw new AssertionError(event.type);
            }
            assertThat(event.paceTime).isGreaterThanOrEqualTo(time);
            time = event.paceTime;
            if (event.endOfEvent)
            {
                assertThat(filled).isZero();
                if (!event.opening)
                {
                    assertThat(book.levels(true)).isPositive();
                    assertThat(book.levels(false)).isPositive();
                    assertThat(book.isCrossed()).isFalse();
                }
            }
        }
        assertThat(counts.keySet()).contains(FeedEvent.Type.ADD, FeedEvent.Type.MODIFY, FeedEvent.Type.CANCEL,
            FeedEvent.Type.TRADE, FeedEvent.Type.FILL);
        books.forEach(book -> assertThat(book.size()).isBetween(50, 4_000));
    }

    @Test
    void theSameSeedGivesTheSameFeedAndAnotherSeedAnother()
    {
        assertThat(hash(7)).isEqualTo(hash(7)).isNotEqualTo(hash(8));
    }

    /** A value that changes only when the generator does: recordings and their checksums depend on it. */
    @Test
    void theFeedOfASeedNeverChanges()
    {
        assertThat(Long.toHexString(hash(1))).isEqualTo("bfcaa693a568da33");
    }

    @Test
    void eventsComeAtTheRateAskedForAndInBursts()
    {
        final GeneratedSource source = new GeneratedSource(11, 3, 10_000, 150_000);
        final FeedEvent event = new FeedEvent();
        final int[] perBin = new int[6_000];
        long first = -1;
        long last = -1;
        long decisions = 0;
        while (source.next(event))
        {
            if (!event.opening && event.endOfEvent)
            {
                first = first < 0 ? event.paceTime : first;
                last = event.paceTime;
                perBin[(int) ((last - first) / 10_000_000)]++;
                decisions++;
            }
        }
        final double seconds = (last - first) / 1e9;
        assertThat(decisions / seconds).isBetween(9_000.0, 11_000.0);
        final int bins = (int) (seconds * 100);
        double variance = 0;
        final double mean = (double) decisions / bins;
        for (int i = 0; i < bins; i++)
        {
            variance += (perBin[i] - mean) * (perBin[i] - mean) / bins;
        }
        // A Poisson process has variance = mean; this one must be far from it.
        assertThat(variance / mean).isGreaterThan(5);
    }

    @Test
    void refusesSettingsOutOfRange()
    {
        assertThatThrownBy(() -> new GeneratedSource(1, 0, 1, 0)).hasMessageContaining("instruments is 0");
        assertThatThrownBy(() -> new GeneratedSource(1, 1, Double.NaN, 0)).hasMessageContaining("rate is NaN");
    }

    private static long hash(final long seed)
    {
        final GeneratedSource source = new GeneratedSource(seed, 3, 20_000, 20_000);
        final FeedEvent event = new FeedEvent();
        long hash = Checksum.START;
        while (source.next(event))
        {
            hash = Checksum.add(hash, event.type.name().charAt(0));
            hash = Checksum.add(hash, event.orderId);
            hash = Checksum.add(hash, event.price);
            hash = Checksum.add(hash, event.quantity);
            hash = Checksum.add(hash, event.paceTime);
        }
        return hash;
    }
}

package io.gannet.samples.marketdata.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class OrderBookTest
{
    private static final long TICK = 250_000_000L;

    static LongStream seeds()
    {
        return LongStream.range(1, 21);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void equalsTheSlowBookAfterEveryOperation(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final OrderBook book = new OrderBook(16);
        final SlowBook slow = new SlowBook();
        final int range = 1 + random.nextInt(120);
        for (int step = 0; step < 2_000; step++)
        {
            final long id = random.nextInt(300);
            final SlowBook.Order order = new SlowBook.Order(id, random.nextBoolean(),
                TICK * (random.nextInt(range) - range / 2), random.nextInt(10), step);
            final int what = random.nextInt(100);
            final boolean accepted;
            final boolean expected;
            if (what < 45)
            {
                accepted = book.add(id, order.bid(), order.price(), order.quantity(), step);
                expected = slow.add(order);
            }
            else if (what < 60)
            {
                accepted = book.change(id, order.bid(), order.price(), order.quantity(), step);
                expected = slow.change(order);
            }
            else if (what < 75 && slow.get(id) != null)
            {
                final SlowBook.Order old = slow.get(id);
                final long quantity = random.nextInt(20);
                accepted = book.change(id, old.bid(), old.price(), quantity, old.priority());
                expected = slow.change(new SlowBook.Order(id, old.bid(), old.price(), quantity, old.priority()));
            }
            else if (what < 99 || random.nextInt(5) > 0)
            {
                accepted = book.delete(id);
                expected = slow.delete(id);
            }
            else
            {
                book.clear();
                slow.clear();
                accepted = expected = true;
            }
            assertThat(accepted).as("step %d", step).isEqualTo(expected);
            assertThat(book.checksum()).as("step %d", step).isEqualTo(slow.checksum());
            assertThat(book.size()).isEqualTo(slow.all().size());
            assertSameLevels(book, slow, true);
            assertSameLevels(book, slow, false);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aLevelBookFedWithLevelChangesHasTheDepthOfTheOrderBook(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final OrderBook book = new OrderBook(16);
        final LevelBook depth = new LevelBook();
        for (int step = 0; step < 3_000; step++)
        {
            final long id = random.nextInt(200);
            final boolean bid = (id & 1) == 0;
            final long price = TICK * random.nextInt(90);
            final int handle = book.find(id);
            final long before = handle == OrderBook.NONE ? price : book.price(handle);
            if (random.nextInt(3) > 0)
            {
                if (!book.add(id, bid, price, 1 + random.nextInt(9), step))
                {
                    book.change(id, bid, price, 1 + random.nextInt(9), step);
                }
            }
            else
            {
                book.delete(id);
            }
            copyLevel(book, depth, bid, before);
            copyLevel(book, depth, bid, price);
            assertThat(depth.depthChecksum()).isEqualTo(book.depthChecksum());
        }
        assertThat(depth.levels(true)).isPositive();
        depth.clear();
        book.clear();
        assertThat(depth.depthChecksum()).isEqualTo(book.depthChecksum());
    }

    @Test
    void anOrderThatOnlyShrinksKeepsItsPlace()
    {
        final OrderBook book = new OrderBook(16);
        book.add(1, true, 100, 10, 1);
        book.add(2, true, 100, 10, 2);
        assertThat(book.change(1, true, 100, 4, 1)).isTrue();
        assertThat(book.orderId(book.firstOrder(true, 0))).isEqualTo(1);
        assertThat(book.change(1, true, 100, 14, 3)).isTrue();
        assertThat(book.orderId(book.firstOrder(true, 0))).isEqualTo(2);
        assertThat(book.levelQuantity(true, 0)).isEqualTo(24);
    }

    @Test
    void theChecksumTellsBooksApartThatDifferOnlyInTheOrderOfService()
    {
        final OrderBook one = new OrderBook(16);
        final OrderBook other = new OrderBook(16);
        one.add(1, true, 100, 10, 1);
        one.add(2, true, 100, 10, 2);
        other.add(2, true, 100, 10, 1);
        other.add(1, true, 100, 10, 2);
        assertThat(one.checksum()).isNotEqualTo(other.checksum());
        assertThat(one.depthChecksum()).isEqualTo(other.depthChecksum());
    }

    private static void copyLevel(final OrderBook book, final LevelBook depth, final boolean bid, final long price)
    {
        final int index = book.levelIndex(bid, price);
        if (index == OrderBook.NONE)
        {
            depth.delete(bid, price);
        }
        else
        {
            depth.set(bid, price, book.levelQuantity(bid, index), book.levelOrders(bid, index));
        }
    }

    private static void assertSameLevels(final OrderBook book, final SlowBook slow, final boolean bid)
    {
        final List<String> expected = new ArrayList<>();
        for (final Map.Entry<Long, List<SlowBook.Order>> level : slow.side(bid).entrySet())
        {
            final long sum = level.getValue().stream().mapToLong(SlowBook.Order::quantity).sum();
            expected.add(level.getKey() + " " + sum + " " + level.getValue().size());
        }
        final List<String> actual = new ArrayList<>();
        for (int i = 0; i < book.levels(bid); i++)
        {
            actual.add(book.levelPrice(bid, i) + " " + book.levelQuantity(bid, i) + " " + book.levelOrders(bid, i));
        }
        assertThat(actual).isEqualTo(expected);
    }
}

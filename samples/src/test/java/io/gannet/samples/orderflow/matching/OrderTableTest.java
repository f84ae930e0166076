package io.gannet.samples.orderflow.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders are found by session and ClOrdID, however many there are, have been, and were renamed. */
final class OrderTableTest
{
    private static final int CAPACITY = 40_000;
    private static final int SESSIONS = 50;
    private static final int INDEX_BITS = 14;

    private record Key(int session, long clOrdId)
    {
    }

    private final OrderTable table = new OrderTable(CAPACITY);
    private final Map<Key, Integer> slots = new HashMap<>();
    private final List<Key> live = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyLiveOrderIsFoundAndNoOther(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        // Fills it to the last place, beyond every growth of the index, empties it, and fills it again.
        for (final int goal : new int[]{CAPACITY, 0, CAPACITY / 2})
        {
            while (table.size() != goal)
            {
                step(random, table.size() < goal ? 8 : 2);
            }
            check(random);
        }
    }

    /** Clients number as they like: in steps, or with a date in front, in which alone their orders differ. */
    @ParameterizedTest
    @MethodSource("shifts")
    void ordersAreSpreadOverTheIndexInWhateverBitsTheirKeysDiffer(final int shift)
    {
        for (final int stride : new int[] {1, 3, 1_000})
        {
            assertThat(probes(i -> OrderTable.home(7, Long.rotateLeft((long) i * stride, shift), 64 - INDEX_BITS)))
                .as("numbers, stride %d", stride).isLessThan(2);
            assertThat(probes(i -> OrderTable.home(Integer.rotateLeft(i * stride, shift), 5, 64 - INDEX_BITS)))
                .as("sessions, stride %d", stride).isLessThan(2);
        }
    }

    static IntStream shifts()
    {
        return IntStream.range(0, Long.SIZE);
    }

    /** Looks by insertion, on the average; a good hash has 1.2 at a load of a quarter. */
    private static double probes(final IntUnaryOperator home)
    {
        final boolean[] taken = new boolean[1 << INDEX_BITS];
        final int orders = taken.length / 4;
        long probes = 0;
        for (int i = 0; i < orders; i++)
        {
            int at = home.applyAsInt(i);
            probes++;
            while (taken[at])
            {
                at = (at + 1) & (taken.length - 1);
                probes++;
            }
            taken[at] = true;
        }
        return (double) probes / orders;
    }

    private void step(final SplittableRandom random, final int addsOfTen)
    {
        if (live.isEmpty() || (random.nextInt(10) < addsOfTen && !table.isFull()))
        {
            final Key key = newKey(random);
            slots.put(key, table.add(key.session, key.clOrdId));
            live.add(key);
            return;
        }
        final int which = random.nextInt(live.size());
        final Key key = live.get(which);
        final int slot = slots.remove(key);
        if (random.nextBoolean())
        {
            final Key renamed = new Key(key.session, newKey(random).clOrdId + 1_000_000_000L);
            if (!slots.containsKey(renamed))
            {
                table.rename(slot, renamed.clOrdId);
                slots.put(renamed, slot);
                live.set(which, renamed);
                return;
            }
        }
        table.remove(slot);
        live.set(which, live.getLast());
        live.removeLast();
    }

    private Key newKey(final SplittableRandom random)
    {
        Key key;
        do
        {
            key = new Key(1 + random.nextInt(SESSIONS), random.nextInt(1_000_000));
        }
        while (slots.containsKey(key));
        return key;
    }

    private void check(final SplittableRandom random)
    {
        assertThat(table.size()).isEqualTo(slots.size());
        slots.forEach((key, slot) -> assertThat(table.byClOrdId(key.session, key.clOrdId)).isEqualTo(slot));
        for (int i = 0; i < 10_000; i++)
        {
            final Key key = newKey(random);
            assertThat(table.byClOrdId(key.session, key.clOrdId)).isEqualTo(OrderTable.NONE);
        }
    }
}

package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.Access;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What a stranger would have to guess is random: numbers of queue pairs, keys, PSNs and ids are all over their range,
 * follow no order, and are others in each NIC.
 */
class IdentifiersTest
{
    private static final int COUNT = 64;
    private static final int QUARTER_OF_QPNS = 1 << 22;

    private static <T> List<T> with(final Function<RoceDevice, List<T>> draw)
    {
        try (RoceDevice device = RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random())))
        {
            return draw.apply(device);
        }
    }

    private static void assertRandom(final List<? extends Number> one, final List<? extends Number> other)
    {
        final Set<Number> all = new HashSet<>(one);
        all.addAll(other);
        // of 24 bits and 128 draws one pair in two thousand runs is equal; two pairs are not
        assertThat(all.size()).isGreaterThanOrEqualTo(2 * COUNT - 1);
        int ascending = 0;
        for (int i = 1; i < COUNT; i++)
        {
            ascending += one.get(i).longValue() > one.get(i - 1).longValue() ? 1 : 0;
        }
        assertThat(ascending).as("steps upwards of %s", one).isBetween(8, COUNT - 8);
    }

    @Test
    void numbersOfQueuePairsAreRandom()
    {
        final List<Integer> numbers = with(IdentifiersTest::queuePairs);
        assertRandom(numbers, with(IdentifiersTest::queuePairs));
        assertThat(numbers.stream().map(number -> number / QUARTER_OF_QPNS).distinct()).hasSize(4);
    }

    private static List<Integer> queuePairs(final RoceDevice device)
    {
        final ProtectionDomain domain = device.allocateProtectionDomain();
        final CompletionQueue queue = device.createCompletionQueue(8, null);
        final List<RoceQueuePair> queuePairs = new ArrayList<>();
        for (int i = 0; i < COUNT; i++)
        {
            queuePairs.add(device.createQueuePair(domain, new QpAttributes(queue, queue, 1, 1, 0, 0)));
        }
        final List<Integer> numbers = queuePairs.stream().map(RoceQueuePair::number).toList();
        queuePairs.forEach(RoceQueuePair::close);
        queue.close();
        domain.close();
        return numbers;
    }

    @Test
    void keysAreRandom()
    {
        final List<Integer> keys = with(IdentifiersTest::keys);
        assertRandom(keys, with(IdentifiersTest::keys));
        assertThat(keys).doesNotContain(0);
    }

    private static List<Integer> keys(final RoceDevice device)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(64);
            final ProtectionDomain domain = device.allocateProtectionDomain();
            final List<MemoryRegion> regions = new ArrayList<>();
            for (int i = 0; i < COUNT; i++)
            {
                regions.add(domain.register(memory.address(), 64, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            }
            final List<Integer> keys = regions.stream().map(MemoryRegion::rkey).toList();
            regions.forEach(MemoryRegion::close);
            domain.close();
            return keys;
        }
    }

    @Test
    void sequenceNumbersAndIdsAreRandom()
    {
        assertRandom(with(device -> draw(device.identifiers()::psn)), with(device -> draw(device.identifiers()::psn)));
        assertRandom(
            with(device -> draw(device.identifiers()::commId)), with(device -> draw(device.identifiers()::commId)));
        assertRandom(with(device -> draw(device.identifiers()::transactionId)),
            with(device -> draw(device.identifiers()::transactionId)));
        assertThat(with(device -> List.of(device.identifiers().caGuid())))
            .isNotEqualTo(with(device -> List.of(device.identifiers().caGuid())));
    }

    private static List<Long> draw(final Supplier<? extends Number> next)
    {
        final List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < COUNT; i++)
        {
            drawn.add(next.get().longValue());
        }
        return drawn;
    }
}

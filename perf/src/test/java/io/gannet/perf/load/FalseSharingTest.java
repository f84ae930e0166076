package io.gannet.perf.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.perf.peer.Padding;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a thread stores to with each message is 128 bytes, a line and its neighbour, from anything else: the heap may
 * put any object before and behind.
 */
class FalseSharingTest
{
    private static final long DISTANCE = 128;
    private static final int PAYLOAD_BLOCK = 256;

    @ParameterizedTest
    @ValueSource(strings = {"load.Outbound", "load.Checker", "peer.PolledState"})
    void whatAThreadStoresToLiesApart(final String name) throws ClassNotFoundException
    {
        final List<Field> fields = fields(Class.forName("io.gannet.perf." + name));
        final List<Field> stored = fields.stream().filter(FalseSharingTest::isStoredTo).toList();
        final long end = end(fields);

        assertThat(stored).isNotEmpty().allSatisfy(field ->
        {
            assertThat(offset(field)).isGreaterThanOrEqualTo(DISTANCE);
            assertThat(end - offset(field)).isGreaterThanOrEqualTo(DISTANCE + Long.BYTES);
            assertThat(fields.stream().filter(other -> !isStoredTo(other) && !isPadding(other)))
                .allSatisfy(other -> assertThat(Math.abs(offset(other) - offset(field)))
                    .as("%s beside %s", other, field).isGreaterThanOrEqualTo(DISTANCE));
        });
    }

    @Test
    void aHistogramsCountersLieApartFromWhatFollows()
    {
        final List<Field> fields = fields(PaddedHistogram.class);
        final List<Field> counters = fields.stream()
            .filter(field -> List.of("totalCount", "maxValue", "minNonZeroValue").contains(field.getName())).toList();

        assertThat(counters).hasSize(3).allSatisfy(field ->
        {
            assertThat(end(fields) - offset(field)).isGreaterThanOrEqualTo(DISTANCE + Long.BYTES);
            assertThat(offset(field)).isGreaterThanOrEqualTo(Long.BYTES * 8);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 96, 256, 264, 1024})
    void aPayloadHasItsBlocksForItself(final int size)
    {
        final UnsafeBuffer payload = new Outbound(null, 0, size).payload();

        assertThat(payload.capacity()).isEqualTo(size);
        assertThat(payload.addressOffset() % PAYLOAD_BLOCK).isZero();
        assertThat(payload.byteBuffer().capacity() % PAYLOAD_BLOCK).isZero();
    }

    private static List<Field> fields(final Class<?> leaf)
    {
        final List<Field> fields = new ArrayList<>();
        for (Class<?> type = leaf; type != Object.class; type = type.getSuperclass())
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (!Modifier.isStatic(field.getModifiers()))
                {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    private static boolean isPadding(final Field field)
    {
        return field.getDeclaringClass() == Padding.class || field.getName().matches("after[0-9]{2}");
    }

    private static boolean isStoredTo(final Field field)
    {
        return !isPadding(field) && !Modifier.isFinal(field.getModifiers());
    }

    private static long end(final List<Field> fields)
    {
        return fields.stream().filter(FalseSharingTest::isPadding).mapToLong(field -> offset(field) + Long.BYTES)
            .max().orElse(0);
    }

    private static long offset(final Field field)
    {
        return UnsafeApi.objectFieldOffset(field);
    }
}

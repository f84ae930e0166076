package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a thread stores to all the time is a line and its neighbour from anything else: the JVM orders fields. */
class PaddingTest
{
    private static final long DISTANCE = 128;

    @ParameterizedTest
    @ValueSource(classes = {ExclusiveProducer.class, ConcurrentProducer.class, RingReader.class, GatingMinimum.class})
    void stateLiesApartFromTheOtherFieldsAndFromOtherObjects(final Class<?> type)
    {
        final Class<?> state = type.getSuperclass();
        final List<Field> fields = instanceFields(type);
        final List<Field> stored =
            instanceFields(state).stream().filter(field -> !isPadding(field)).toList();
        final long end = Stream.concat(fields.stream(), instanceFields(state).stream())
            .mapToLong(PaddingTest::end).max().orElseThrow();

        assertThat(state.getSuperclass()).isEqualTo(Padding.class);
        assertThat(stored).isNotEmpty().allSatisfy(field ->
        {
            assertThat(UnsafeApi.objectFieldOffset(field)).as("from the start, %s", field).isGreaterThan(DISTANCE);
            assertThat(end - end(field)).as("to the end, %s", field).isGreaterThanOrEqualTo(DISTANCE);
            assertThat(fields).allSatisfy(other -> assertThat(
                Math.abs(UnsafeApi.objectFieldOffset(other) - UnsafeApi.objectFieldOffset(field)))
                .as("%s beside %s", other, field).isGreaterThanOrEqualTo(DISTANCE));
        });
    }

    private static List<Field> instanceFields(final Class<?> type)
    {
        return Arrays.stream(type.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers()))
            .toList();
    }

    private static boolean isPadding(final Field field)
    {
        return field.getName().matches("after[0-9]{2}");
    }

    private static long end(final Field field)
    {
        return UnsafeApi.objectFieldOffset(field) + (field.getType() == long.class ? Long.BYTES : 1);
    }
}

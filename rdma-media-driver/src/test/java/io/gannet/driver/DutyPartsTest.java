package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DutyPartsTest
{
    private final List<String> done = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();

    @Test
    void aPartThatThrowsInEveryCycleKeepsNoOtherFromItsWork()
    {
        final DutyParts parts = new DutyParts(errors::add, now -> work("first " + now), now ->
        {
            throw new IllegalStateException("cycle " + now);
        }, now -> work("last " + now));
        for (int now = 1; now <= 3; now++)
        {
            assertThat(parts.doWork(now)).isEqualTo(2);
        }
        assertThat(done).containsExactly("first 1", "last 1", "first 2", "last 2", "first 3", "last 3");
        assertThat(errors).extracting(Throwable::getMessage).containsExactly("cycle 1", "cycle 2", "cycle 3");
    }

    @Test
    void anErrorEndsTheCycle()
    {
        final DutyParts parts = new DutyParts(errors::add, now ->
        {
            throw new InternalError("truncated");
        }, now -> work("last"));
        assertThatThrownBy(() -> parts.doWork(1)).isInstanceOf(InternalError.class);
        assertThat(done).isEmpty();
        assertThat(errors).isEmpty();
    }

    private int work(final String what)
    {
        done.add(what);
        return 1;
    }
}

package io.gannet.perf.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What must hold whatever the parameters are: nothing gets faster by more bytes, slower hardware or a fuller queue.
 */
class MonotonicityTest
{
    /** More of these is faster; of the path MTU neither holds. */
    private static final Set<Parameter> FASTER = EnumSet.of(Parameter.DMA_READS_IN_FLIGHT, Parameter.WQES_PER_FETCH,
        Parameter.PCIE_BYTES, Parameter.WIRE_BYTES, Parameter.RECEIVES_AHEAD, Parameter.BLUE_FLAME_BYTES);

    private static final int[] SIZES = {0, 32, 64, 128, 220, 221, 256, 512, 984, 1024, 4096, 4097, 65_536, 1 << 20};
    private static final double NOISE = 0.01;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void moreBytesNeverArriveSooner(final boolean inline)
    {
        final ClosedForm form = new ClosedForm(Hardware.defaults());
        rises(Arrays.stream(SIZES).filter(bytes -> !inline || bytes <= 984).boxed().toList(),
            bytes -> form.oneWayNanos(bytes, inline), 1e-9);
    }

    @ParameterizedTest
    @EnumSource(Parameter.class)
    void slowerHardwareIsNeverFaster(final Parameter parameter)
    {
        if (parameter == Parameter.MTU)
        {
            return;
        }
        final boolean faster = FASTER.contains(parameter);
        final List<Double> slowing = Stream.of(parameter.low(), parameter.value(), parameter.high())
            .sorted((a, b) -> faster ? Double.compare(b, a) : Double.compare(a, b)).toList();
        for (final int bytes : SIZES)
        {
            for (final boolean inline : new boolean[] {bytes <= 984, false})
            {
                rises(slowing, value -> new ClosedForm(Hardware.defaults().with(parameter, value))
                    .oneWayNanos(bytes, inline), 1e-9);
                rises(slowing, value -> 1 / new ClosedForm(Hardware.defaults().with(parameter, value))
                    .mostPerSecond(bytes, inline, 16, 8), 1e-9);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Parameter.class)
    void slowerHardwareNeverCarriesMore(final Parameter parameter)
    {
        if (parameter == Parameter.MTU)
        {
            return;
        }
        final boolean faster = FASTER.contains(parameter);
        final List<Double> slowing = Stream.of(parameter.low(), parameter.high())
            .sorted((a, b) -> faster ? Double.compare(b, a) : Double.compare(a, b)).toList();
        for (final int chain : new int[] {1, 16})
        {
            rises(slowing, value -> WriteSimulation.run(Hardware.defaults().with(parameter, value),
                Workload.saturated(512, 2_000).posting(chain, 0)).elapsed(), NOISE);
        }
    }

    @Test
    void inlineNeverLosesBelowItsThresholdAndNewerBusesNeverLose()
    {
        for (int bytes = 0; bytes <= 984; bytes++)
        {
            double before = Double.MAX_VALUE;
            for (final PcieGeneration generation : PcieGeneration.values())
            {
                final ClosedForm form = new ClosedForm(generation.applyTo(Hardware.defaults()));
                assertThat(form.oneWayNanos(bytes, true)).isLessThanOrEqualTo(
                    form.oneWayNanos(Math.max(1, bytes), false));
                assertThat(form.oneWayNanos(bytes, false)).isLessThan(before);
                before = form.oneWayNanos(bytes, false);
            }
        }
    }

    @Test
    void longerChainsAndDeeperQueuesNeverCarryLess()
    {
        final Hardware hardware = Hardware.defaults();
        rises(List.of(16, 8, 4, 2, 1), chain -> WriteSimulation.run(hardware,
            Workload.saturated(128, 4_000).posting(chain, 0)).elapsed(), NOISE);
        for (final int interval : intervals())
        {
            rises(List.of(1024, 256, 64, 32, 16), depth -> WriteSimulation.run(hardware,
                Workload.saturated(128, 4_000).posting(16, 0).queue(depth, interval)).elapsed(), NOISE);
        }
    }

    @Test
    void fewerCompletionsNeverCostTheSenderMore()
    {
        for (final int chain : new int[] {1, 16})
        {
            rises(List.of(32, 16, 8, 1), interval -> WriteSimulation.run(Hardware.defaults(),
                Workload.saturated(128, 8_000).posting(chain, 0).queue(1024, interval)).senderNanos(), NOISE);
        }
    }

    @ParameterizedTest
    @MethodSource("quantiles")
    void moreLoadNeverShortensTheWait(final double quantile)
    {
        rises(List.of(0.1, 1.0, 2.0, 3.0, 4.0, 4.8), rate -> WriteSimulation.run(Hardware.defaults(),
            Workload.saturated(128, 20_000).at(rate * 1e6)).latency(quantile), NOISE);
    }

    private static List<Double> quantiles()
    {
        return List.of(0.5, 0.9, 0.99);
    }

    private static int[] intervals()
    {
        return new int[] {1, 8, 16, Workload.ADAPTIVE};
    }

    private static <T> void rises(final List<T> steps, final ToDoubleFunction<T> function, final double tolerance)
    {
        double before = 0;
        for (final T step : steps)
        {
            final double value = function.applyAsDouble(step);
            assertThat(value).as("at %s of %s", step, steps).isGreaterThanOrEqualTo(before * (1 - tolerance));
            before = value;
        }
    }
}

package io.gannet.perf.jmh;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The foreign-function interface by itself, around a C function that does next to nothing: by name, by an address that
 * is an argument, as the verbs' hot calls are made, and both without the change of the thread's state.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class CallBench
{
    private static final FunctionDescriptor SHAPE =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MemorySegment ABS = Linker.nativeLinker().defaultLookup().findOrThrow("abs");
    private static final MethodHandle BY_NAME = Linker.nativeLinker().downcallHandle(ABS, SHAPE);
    private static final MethodHandle BY_NAME_CRITICAL =
        Linker.nativeLinker().downcallHandle(ABS, SHAPE, Linker.Option.critical(false));
    private static final MethodHandle BY_ADDRESS = Linker.nativeLinker().downcallHandle(SHAPE);
    private static final MethodHandle BY_ADDRESS_CRITICAL =
        Linker.nativeLinker().downcallHandle(SHAPE, Linker.Option.critical(false));

    private final MemorySegment address = MemorySegment.ofAddress(ABS.address());
    private int value = -7;

    /** As an ordinary call. */
    @Benchmark
    public int byName() throws Throwable
    {
        return (int) BY_NAME.invokeExact(value);
    }

    /** Must be short and never block. */
    @Benchmark
    public int byNameCritical() throws Throwable
    {
        return (int) BY_NAME_CRITICAL.invokeExact(value);
    }

    /** Through a function pointer. */
    @Benchmark
    public int byAddress() throws Throwable
    {
        return (int) BY_ADDRESS.invokeExact(address, value);
    }

    /** Through a function pointer; must be short and never block. */
    @Benchmark
    public int byAddressCritical() throws Throwable
    {
        return (int) BY_ADDRESS_CRITICAL.invokeExact(address, value);
    }
}

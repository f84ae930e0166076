package io.gannet.samples.marketdata.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * Takes a child process out of its terminal's process group by setsid(2): Ctrl-C reaches the parent alone, which then
 * ends its children in order.
 */
public final class ChildSession
{
    private ChildSession()
    {
    }

    /** Begins a session. Without effect in a process that has one of its own. */
    public static void begin()
    {
        final Linker linker = Linker.nativeLinker();
        try
        {
            final int ignored = (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("setsid"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT)).invokeExact();
        }
        catch (final RuntimeException | Error problem)
        {
            throw problem;
        }
        catch (final Throwable problem)
        {
            throw new IllegalStateException(problem);
        }
    }
}

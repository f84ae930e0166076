package io.gannet.driver.stream.simulation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Code that can be left at any call of {@link #leave()} and resumed later, or never, on the caller's thread. It is the
 * JDK's continuation below virtual threads, which has no public name: the JVM needs
 * {@code --add-exports java.base/jdk.internal.vm=ALL-UNNAMED}.
 */
final class Coroutine
{
    private static final MethodHandle NEW;
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;
    private static final MethodHandle IS_DONE;
    private static final Object SCOPE;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            final Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
            final Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
            SCOPE = lookup.findConstructor(scope, MethodType.methodType(void.class, String.class)).invoke("gannet");
            NEW = lookup.findConstructor(continuation, MethodType.methodType(void.class, scope, Runnable.class))
                .asType(MethodType.methodType(Object.class, Object.class, Runnable.class));
            RUN = lookup.findVirtual(continuation, "run", MethodType.methodType(void.class))
                .asType(MethodType.methodType(void.class, Object.class));
            YIELD = lookup.findStatic(continuation, "yield", MethodType.methodType(boolean.class, scope))
                .asType(MethodType.methodType(boolean.class, Object.class));
            IS_DONE = lookup.findVirtual(continuation, "isDone", MethodType.methodType(boolean.class))
                .asType(MethodType.methodType(boolean.class, Object.class));
        }
        catch (final Throwable ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Object continuation;

    Coroutine(final Runnable body)
    {
        try
        {
            continuation = (Object) NEW.invokeExact(SCOPE, body);
        }
        catch (final Throwable ex)
        {
            throw unexpected(ex);
        }
    }

    /** Runs the body until it is left or ends. An exception of the body comes out here. */
    void resume()
    {
        try
        {
            RUN.invokeExact(continuation);
        }
        catch (final Throwable ex)
        {
            throw unexpected(ex);
        }
    }

    boolean isDone()
    {
        try
        {
            return (boolean) IS_DONE.invokeExact(continuation);
        }
        catch (final Throwable ex)
        {
            throw unexpected(ex);
        }
    }

    /** Leaves the running body; returns when it is resumed. */
    static void leave()
    {
        try
        {
            final boolean left = (boolean) YIELD.invokeExact(SCOPE);
            if (!left)
            {
                throw new IllegalStateException("the coroutine is pinned");
            }
        }
        catch (final Throwable ex)
        {
            throw unexpected(ex);
        }
    }

    private static RuntimeException unexpected(final Throwable ex)
    {
        if (ex instanceof final Error error)
        {
            throw error;
        }
        return ex instanceof final RuntimeException runtime ? runtime : new IllegalStateException(ex);
    }
}

package io.gannet.rdma.verbs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Template of the class that a provider gets, see {@link HotCalls}: its functions come as the class's data. Never used
 * itself.
 */
final class BoundCalls extends HotCalls
{
    private static final List<MethodHandle> HANDLES = handles();
    private static final MethodHandle POLL_PLAIN = HANDLES.get(0);
    private static final MethodHandle POLL_CRITICAL = HANDLES.get(1);
    private static final MethodHandle SEND_PLAIN = HANDLES.get(2);
    private static final MethodHandle SEND_CRITICAL = HANDLES.get(3);
    private static final MethodHandle RECEIVE_PLAIN = HANDLES.get(4);
    private static final MethodHandle RECEIVE_CRITICAL = HANDLES.get(5);
    private static final MethodHandle NOTIFY_PLAIN = HANDLES.get(6);

    @SuppressWarnings("unchecked")
    private static List<MethodHandle> handles()
    {
        try
        {
            return MethodHandles.classData(MethodHandles.lookup(), "_", List.class);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Override
    int poll(final boolean critical, final long queue, final int count, final long completions)
    {
        try
        {
            return critical ?
                (int) POLL_CRITICAL.invokeExact(queue, count, completions) :
                (int) POLL_PLAIN.invokeExact(queue, count, completions);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    @Override
    int postSend(final boolean critical, final long queuePair, final long first, final long bad)
    {
        try
        {
            return critical ?
                (int) SEND_CRITICAL.invokeExact(queuePair, first, bad) :
                (int) SEND_PLAIN.invokeExact(queuePair, first, bad);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    @Override
    int postReceive(final boolean critical, final long queuePair, final long first, final long bad)
    {
        try
        {
            return critical ?
                (int) RECEIVE_CRITICAL.invokeExact(queuePair, first, bad) :
                (int) RECEIVE_PLAIN.invokeExact(queuePair, first, bad);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }

    @Override
    int requestNotification(final long queue)
    {
        try
        {
            return (int) NOTIFY_PLAIN.invokeExact(queue, 0);
        }
        catch (final Throwable problem)
        {
            throw unexpected(problem);
        }
    }
}

package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvAsyncEvent;
import static io.gannet.rdma.verbs.Abi.IbvContext;
import static io.gannet.rdma.verbs.Abi.IbvQp;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.os.Descriptors;
import io.gannet.rdma.AsyncEventType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.UnsafeApi;

/**
 * The asynchronous events of one {@code ibv_context}. librdmacm opens a device once per process, so that several
 * {@link VerbsDevice}s share the context: whoever reads an event hands it to all.
 */
final class AsyncEvents
{
    private static final Map<Long, AsyncEvents> OPEN = new HashMap<>();

    private final RdmaLibrary library;
    private final long context;
    private final MemorySegment slot = Arena.ofAuto().allocate(IbvAsyncEvent.SIZE, 8);
    private final List<Subscription> subscriptions = new ArrayList<>();

    private AsyncEvents(final RdmaLibrary library, final long context)
    {
        this.library = library;
        this.context = context;
        Descriptors.setNonBlocking(UnsafeApi.getInt(context + IbvContext.ASYNC_FD));
    }

    static Subscription subscribe(final RdmaLibrary library, final long context)
    {
        synchronized (OPEN)
        {
            final AsyncEvents events = OPEN.computeIfAbsent(context, key -> new AsyncEvents(library, key));
            final Subscription subscription = new Subscription(events);
            events.subscriptions.add(subscription);
            return subscription;
        }
    }

    private void read()
    {
        synchronized (OPEN)
        {
            while (library.getAsyncEvent.succeeds(context, slot.address(), 0))
            {
                final int value = UnsafeApi.getInt(slot.address() + IbvAsyncEvent.EVENT_TYPE);
                final long element = UnsafeApi.getLong(slot.address() + IbvAsyncEvent.ELEMENT);
                final AsyncEventType type = type(value);
                if (type != null)
                {
                    final Event event = new Event(type, number(type, element), element);
                    subscriptions.forEach(subscription -> subscription.events.add(event));
                }
                library.ackAsyncEvent.succeeds(slot.address(), 0, 0);
            }
        }
    }

    private static int number(final AsyncEventType type, final long element)
    {
        return switch (type)
        {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST -> UnsafeApi.getInt(element + IbvQp.QP_NUM);
            case PORT_ACTIVE, PORT_ERR, GID_CHANGE -> (int) element;
            default -> 0;
        };
    }

    /** {@return the type, or null for what concerns nobody here, as subnet managers and shared receive queues} */
    private static AsyncEventType type(final int value)
    {
        return switch (value)
        {
            case Value.EVENT_CQ_ERR -> AsyncEventType.CQ_ERR;
            case Value.EVENT_QP_FATAL -> AsyncEventType.QP_FATAL;
            case Value.EVENT_QP_REQ_ERR -> AsyncEventType.QP_REQ_ERR;
            case Value.EVENT_QP_ACCESS_ERR -> AsyncEventType.QP_ACCESS_ERR;
            case Value.EVENT_COMM_EST -> AsyncEventType.COMM_EST;
            case Value.EVENT_DEVICE_FATAL -> AsyncEventType.DEVICE_FATAL;
            case Value.EVENT_PORT_ACTIVE -> AsyncEventType.PORT_ACTIVE;
            case Value.EVENT_PORT_ERR -> AsyncEventType.PORT_ERR;
            case Value.EVENT_GID_CHANGE -> AsyncEventType.GID_CHANGE;
            default -> null;
        };
    }

    /**
     * An event, acknowledged already.
     *
     * @param number  of the queue pair or port, or 0.
     * @param element address of what it concerns, only to be compared.
     */
    record Event(AsyncEventType type, int number, long element)
    {
    }

    /** One device's view. */
    static final class Subscription
    {
        private final AsyncEvents source;
        private final Queue<Event> events = new ConcurrentLinkedQueue<>();

        private Subscription(final AsyncEvents source)
        {
            this.source = source;
        }

        /** {@return the next event, or null} */
        Event next()
        {
            return events.poll();
        }

        /** Reads what has come. */
        void read()
        {
            source.read();
        }

        /** {@return whether this was the last view of the context} */
        boolean close()
        {
            synchronized (OPEN)
            {
                source.subscriptions.remove(this);
                if (source.subscriptions.isEmpty())
                {
                    OPEN.remove(source.context);
                }
                return source.subscriptions.isEmpty();
            }
        }
    }
}

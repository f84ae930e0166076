package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;

/**
 * Asks another host's driver what its host is like, over a device that nobody else uses meanwhile. For one thread,
 * which it keeps until there is an answer.
 */
public final class PeerQuestion implements AutoCloseable
{
    private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Until the peer has looked at its host. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MIN_RNR_TIMER = 1;
    private static final String NO_ANSWER = "no answer";

    private final RdmaDevice device;
    private final InetSocketAddress peer;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final Queue<CmEvent> events = new ArrayDeque<>();
    private CmId id;

    /** Why there is no answer, by what an operator has to do. */
    public enum Failure
    {
        /** Nothing came back, or there is no way. */
        NO_ANSWER,
        /** The host is there, and nobody listens at the port. */
        NOBODY_LISTENS,
        /** Somebody refused without a word that is known here. */
        REFUSED,
        /** A driver of a version before this question. */
        OLD_DRIVER,
        /** A driver whose answer this version does not read. */
        NEW_DRIVER,
        /** An answer that can't be one. */
        GARBAGE
    }

    /** There is no answer. */
    public static final class UnansweredException extends Exception
    {
        private static final long serialVersionUID = 1L;

        private final Failure failure;

        public UnansweredException(final Failure failure, final String message)
        {
            super(message);
            this.failure = failure;
        }

        public Failure failure()
        {
            return failure;
        }
    }

    /**
     * @param peer a resolved address.
     * @throws RdmaException if the device has nothing left for it.
     */
    public PeerQuestion(final RdmaDevice device, final InetSocketAddress peer)
    {
        this.device = device;
        this.peer = peer;
        domain = device.allocateProtectionDomain();
        queue = device.createCompletionQueue(2, null);
    }

    /**
     * Asks until the whole answer is there.
     *
     * @param timeoutNanos most time to take.
     * @return what the host says of itself, its checksum checked.
     * @throws UnansweredException with what came instead.
     */
    public byte[] ask(final long timeoutNanos) throws UnansweredException
    {
        final long deadline = System.nanoTime() + timeoutNanos;
        byte[] whole = new byte[0];
        HostReply first = null;
        int received = 0;
        while (first == null || received < whole.length)
        {
            final HostReply reply = part(received, deadline);
            if (reply == null || first == null || reply.crc() != first.crc() || reply.total() != first.total())
            {
                // The host has looked at itself anew, or is about to.
                final boolean fresh = reply != null && reply.offset() == 0;
                first = fresh ? reply : null;
                whole = new byte[fresh ? reply.total() : 0];
                received = 0;
                if (!fresh)
                {
                    continue;
                }
            }
            if (reply.offset() != received || (reply.part().capacity() == 0 && received < whole.length))
            {
                throw new UnansweredException(Failure.GARBAGE, "it answers with bytes from " + reply.offset() +
                    " when asked for those from " + received);
            }
            reply.part().getBytes(0, whole, received, reply.part().capacity());
            received += reply.part().capacity();
        }
        if (HostReply.crc(whole) != first.crc())
        {
            throw new UnansweredException(Failure.GARBAGE, "the checksum of its answer is wrong");
        }
        return whole;
    }

    /** One question; null if it is to be asked again from the start. */
    private HostReply part(final int offset, final long deadline) throws UnansweredException
    {
        String problem = NO_ANSWER;
        while (System.nanoTime() - deadline < 0)
        {
            final long end = Math.min(deadline - System.nanoTime(), ATTEMPT_NANOS) + System.nanoTime();
            try
            {
                final CmEvent event = attempt(offset, end);
                if (event != null && event.type() == CmEventType.REJECTED)
                {
                    final HostReply reply = onRejected(event);
                    if (reply == null)
                    {
                        work(System.nanoTime() + RETRY_NANOS);
                    }
                    return reply;
                }
                problem = event == null ? problem : event.type().text();
                if (event != null)
                {
                    work(System.nanoTime() + RETRY_NANOS);
                }
            }
            catch (final RdmaException failure)
            {
                if (failure.errno() != Errno.ETIMEDOUT)
                {
                    throw new UnansweredException(Failure.NO_ANSWER, failure.getMessage());
                }
            }
            finally
            {
                closeId();
            }
        }
        throw new UnansweredException(Failure.NO_ANSWER, problem);
    }

    private CmEvent attempt(final int offset, final long end)
    {
        id = device.connectionManager().createId();
        id.resolve(peer, (int) TimeUnit.NANOSECONDS.toMillis(ATTEMPT_NANOS));
        final CmEvent resolved = next(end);
        if (resolved == null || resolved.type() != CmEventType.ROUTE_RESOLVED)
        {
            return resolved;
        }
        id.createQueuePair(domain, new QpAttributes(queue, queue, 1, 1, 0, MIN_RNR_TIMER));
        id.connect(ConnectParameters.DEFAULT, new HostRequest(offset).encode());
        return next(end);
    }

    /** The next event of the identifier that says something, or null at the end of the time. */
    private CmEvent next(final long end)
    {
        while (System.nanoTime() - end < 0)
        {
            work(System.nanoTime());
            for (CmEvent event = events.poll(); event != null; event = events.poll())
            {
                if (event.type() == CmEventType.CONNECT_REQUEST)
                {
                    event.id().close();
                }
                else if (event.id() != null && event.id().equals(id) && event.type() != CmEventType.ADDR_CHANGE &&
                    event.type() != CmEventType.TIMEWAIT_EXIT)
                {
                    return event;
                }
            }
        }
        return null;
    }

    /** Moves the device until a time, once at least. */
    private void work(final long until)
    {
        do
        {
            final int moved = device.doWork() + device.connectionManager().pollEvents(events::add);
            if (moved == 0)
            {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        while (System.nanoTime() - until < 0);
    }

    private static HostReply onRejected(final CmEvent event) throws UnansweredException
    {
        if (HostReply.isOne(event.privateData()))
        {
            try
            {
                return HostReply.decode(event.privateData());
            }
            catch (final SetupException ex)
            {
                throw new UnansweredException(
                    ex.refusal() == SetupRefusal.VERSION ? Failure.NEW_DRIVER : Failure.GARBAGE, ex.getMessage());
            }
        }
        final int refusal = SetupRefusal.decode(event.privateData(), SetupRefusal.ANY);
        final boolean unheard = event.status() == CmEvent.STATUS_INVALID_SERVICE_ID;
        return switch (refusal)
        {
            case SetupRefusal.NOT_READY -> null;
            case SetupRefusal.UNKNOWN -> throw new UnansweredException(
                unheard ? Failure.NOBODY_LISTENS : Failure.REFUSED,
                unheard ? "nobody listens there" : "refused without a word of Gannet's, reason " + event.status());
            case SetupRefusal.MALFORMED, SetupRefusal.VERSION -> throw new UnansweredException(
                Failure.OLD_DRIVER, "the driver there does not know the question");
            default -> throw new UnansweredException(Failure.REFUSED, SetupRefusal.describe(refusal));
        };
    }

    private void closeId()
    {
        if (id != null)
        {
            if (id.queuePair() != null)
            {
                id.queuePair().close();
            }
            id.close();
            id = null;
        }
    }

    /** Gives what it has back to the device. */
    @Override
    public void close()
    {
        closeId();
        events.stream().filter(event -> event.type() == CmEventType.CONNECT_REQUEST)
            .forEach(event -> event.id().close());
        events.clear();
        queue.close();
        domain.close();
    }
}

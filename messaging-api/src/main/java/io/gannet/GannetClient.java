package io.gannet;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.GannetDirectory;
import io.gannet.os.OsException;
import io.gannet.protocol.PublicationKind;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.status.CountersReader;

/** The client as the application sees it; its conductor does the work. */
final class GannetClient implements Gannet
{
    private static final int NO_THREAD = 217;
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MIN_COUNTER_TYPE = 1000;

    private final Context context;
    private final ClientConductor conductor;
    private final OperationWait waits;
    private final AtomicBoolean closed = new AtomicBoolean();
    private ConductorThread thread;
    private AgentInvoker invoker;

    private GannetClient(final Context context, final ClientConductor conductor)
    {
        this.context = context;
        this.conductor = conductor;
        waits = new OperationWait(conductor, conductor.link());
    }

    static Gannet connect(final Context settings)
    {
        JvmFlags.check();
        HotFence.isByMembarrier();
        final Context context = settings.clone();
        final GannetDirectory directory = new GannetDirectory(context.directory());
        final DriverProbe found = waitForDriver(directory, context.driverTimeout());
        final GannetClient client = create(context, directory, found);
        try
        {
            client.start();
            client.waits.await(client.conductor.connect(found), "connect to " + found.text());
            return client;
        }
        catch (final RuntimeException ex)
        {
            client.close();
            throw ex;
        }
    }

    private static GannetClient create(
        final Context context, final GannetDirectory directory, final DriverProbe found)
    {
        try
        {
            final ClientFile file = ClientFile.create(directory, context.name());
            return new GannetClient(
                context, new ClientConductor(context, events -> new DriverLink(directory, file, events)));
        }
        catch (final ControlException ex)
        {
            found.driver().close();
            found.control().close();
            throw new GannetException("cannot make this client's file: " + ex.getMessage(), ex);
        }
    }

    private static DriverProbe waitForDriver(final GannetDirectory directory, final long patience)
    {
        final long start = System.nanoTime();
        long pause = FIRST_PAUSE;
        while (true)
        {
            final DriverProbe found = DriverProbe.look(directory);
            if (found.state() == DriverState.RUNNING)
            {
                return found;
            }
            if (found.state() == DriverState.WRONG_VERSION)
            {
                throw new VersionMismatchException(found.text());
            }
            final long waited = System.nanoTime() - start;
            if (waited >= patience || Thread.currentThread().isInterrupted())
            {
                throw new DriverUnavailableException(found.state(), "no driver to connect to after " +
                    TimeUnit.NANOSECONDS.toMillis(waited) + " ms: " + found.text(), null);
            }
            LockSupport.parkNanos(Math.min(pause, patience - waited));
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    private void start()
    {
        if (context.useConductorInvoker())
        {
            invoker = new AgentInvoker(context.errorHandler(), null, conductor);
            invoker.start();
        }
        else
        {
            final ConductorThread made = new ConductorThread(conductor, context);
            try
            {
                made.start();
            }
            catch (final OsException shortage)
            {
                throw new GannetException(NO_THREAD, shortage.getMessage(), shortage);
            }
            thread = made;
        }
    }

    private void checkOpen(final String what)
    {
        if (conductor.isInside())
        {
            throw new IllegalStateException("cannot " + what + " from a handler of this client's conductor, " +
                "which would wait for itself: use another thread");
        }
        if (closed.get() || conductor.isTerminated())
        {
            throw new ClientClosedException("cannot " + what + ": the client is closed" + conductor.end());
        }
    }

    private Object add(final Registration registration)
    {
        return waits.await(conductor.add(registration), "add " + registration);
    }

    @Override
    public Publication addPublication(final String channel, final int streamId)
    {
        checkOpen("add a publication");
        return (RingPublication) add(new PublicationRegistration(
            conductor, PublicationKind.CONCURRENT, Channel.parse(channel), streamId));
    }

    @Override
    public ExclusivePublication addExclusivePublication(final String channel, final int streamId)
    {
        checkOpen("add a publication");
        return (RingPublication) add(new PublicationRegistration(
            conductor, PublicationKind.EXCLUSIVE, Channel.parse(channel), streamId));
    }

    @Override
    public Subscription addSubscription(final String channel, final int streamId)
    {
        return addSubscription(channel, streamId, context.availableImageHandler(),
            context.unavailableImageHandler(), context.gapHandler());
    }

    @Override
    public Subscription addSubscription(
        final String channel,
        final int streamId,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable)
    {
        return addSubscription(channel, streamId, available, unavailable, context.gapHandler());
    }

    @Override
    public Subscription addSubscription(
        final String channel,
        final int streamId,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable,
        final GapHandler gap)
    {
        checkOpen("add a subscription");
        return (RingSubscription) add(new SubscriptionRegistration(
            conductor,
            Channel.parse(channel),
            streamId,
            Objects.requireNonNull(available, "available"),
            Objects.requireNonNull(unavailable, "unavailable"),
            Objects.requireNonNull(gap, "gap")));
    }

    @Override
    public Counter addCounter(final int typeId, final String label)
    {
        return addCounter(typeId, new byte[0], label);
    }

    @Override
    public Counter addCounter(
        final int typeId,
        final DirectBuffer keyBuffer,
        final int keyOffset,
        final int keyLength,
        final String label)
    {
        if (keyLength < 0 || keyLength > CountersReader.MAX_KEY_LENGTH)
        {
            throw new IllegalArgumentException("counter key of " + keyLength + " bytes: 0 to " +
                CountersReader.MAX_KEY_LENGTH + " are possible");
        }
        keyBuffer.boundsCheck(keyOffset, keyLength);
        final byte[] key = new byte[keyLength];
        keyBuffer.getBytes(keyOffset, key);
        return addCounter(typeId, key, label);
    }

    private Counter addCounter(final int typeId, final byte[] key, final String label)
    {
        if (typeId < MIN_COUNTER_TYPE)
        {
            throw new IllegalArgumentException("counter type " + typeId + ": an application's start at " +
                MIN_COUNTER_TYPE);
        }
        final int length = Objects.requireNonNull(label, "label").getBytes(StandardCharsets.UTF_8).length;
        if (length > CountersReader.MAX_LABEL_LENGTH)
        {
            throw new IllegalArgumentException("counter label of " + length + " bytes: at most " +
                CountersReader.MAX_LABEL_LENGTH + " are possible");
        }
        checkOpen("add a counter");
        return (MappedCounter) add(new CounterRegistration(conductor, typeId, key, label));
    }

    @Override
    public CountersReader countersReader()
    {
        checkOpen("read counters");
        return conductor.control().countersReader();
    }

    @Override
    public long clientId()
    {
        return conductor.clientId();
    }

    @Override
    public DriverState driverState()
    {
        return conductor.link().driverState();
    }

    @Override
    public AgentInvoker conductorInvoker()
    {
        return invoker;
    }

    @Override
    public boolean isClosed()
    {
        return closed.get();
    }

    @Override
    public void close()
    {
        if (!closed.compareAndSet(false, true))
        {
            return;
        }
        conductor.submit(conductor::closeAll);
        if (conductor.isInside())
        {
            return;
        }
        if (thread != null)
        {
            thread.awaitEnd();
        }
        else
        {
            closeByInvoking();
        }
    }

    private void closeByInvoking()
    {
        final long start = System.nanoTime();
        while (!conductor.isTerminated())
        {
            if (conductor.doWork() == 0 && !conductor.isTerminated())
            {
                if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(ConductorThread.MORE_THAN_A_CLOSE_MILLIS))
                {
                    conductor.reportHeldUpClose();
                    return;
                }
                LockSupport.parkNanos(FIRST_PAUSE);
            }
        }
        if (invoker != null)
        {
            invoker.close();
        }
    }

    @Override
    public String toString()
    {
        return "client " + context.name() + " in " + context.directory() + (closed.get() ? ", closed" : "");
    }
}

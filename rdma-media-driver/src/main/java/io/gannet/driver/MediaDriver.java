package io.gannet.driver;

import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.DriverInfo;
import io.gannet.control.GannetDirectory;
import io.gannet.errors.ErrorCodes;
import io.gannet.errors.OperatorError;
import io.gannet.os.Descriptors;
import io.gannet.os.FileSystem;
import io.gannet.os.OsException;
import io.gannet.rdma.RdmaDevice;
import io.gannet.ring.Bell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.concurrent.SystemEpochClock;

/**
 * A media driver: makes and ends the streams of one directory for all clients that connect there. Runs in a process of
 * its own ({@code gannet driver}) or embedded in an application.
 * <p>
 * One driver at a time serves a directory. Streams outlive it: when it is closed or dies, clients go on publishing and
 * polling on this host, and the next driver of the directory takes over what they hold.
 * <p>
 * Thread-safe, but for {@link #doWork()}.
 */
public final class MediaDriver implements AutoCloseable
{
    private static final int ERROR_LOG_LENGTH = 256 * 1024;
    /** For a conductor that is at something else. */
    private static final long FIRST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DriverConfiguration configuration;
    private final GannetDirectory directory;
    private final List<Path> made;
    private final DriverFile driverFile;
    private final ControlFile controlFile;
    private final ResourceExecutor resources;
    private final DriverErrors errors;
    private final Streams streams;
    private final RingFactory rings;
    private final DriverThreads threads;
    private final DeviceSlot engine;
    private final DriverHealth health;
    private final ConductorInbox inbox;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean closed;

    private MediaDriver(
        final DriverConfiguration configuration,
        final Consumer<String> log,
        final DriverService.Factory factory,
        final HostNames names,
        final HostAnswers answers)
        throws IOException
    {
        final Addresses addresses = new Addresses(names);
        this.configuration = configuration;
        directory = new GannetDirectory(configuration.get(DriverOptions.DIRECTORY));
        RingBudget.checkDescriptors(Descriptors.limit());
        made = directory.prepare(configuration.get(DriverOptions.ACCESS) == FileAccess.GROUP);
        driverFile = acquire();
        final boolean threaded = configuration.get(DriverOptions.THREADING) != ThreadingMode.INVOKER;
        ControlFile control = null;
        DeviceSlot opened = null;
        Clients clients = null;
        Streams adopting = null;
        try
        {
            control = createControlFile();
            controlFile = control;
            final DriverCounters counters =
                new DriverCounters(control.countersManager());
            health = new DriverHealth(new DirectoryWatch(directory, driverFile, control), log);
            errors = new DriverErrors(
                control.errorLog(SystemEpochClock.INSTANCE), counters.system(SystemCounter.ERRORS), log, health);
            inbox = new ConductorInbox(errors);
            final RingStorage storage = RingStorage.of(configuration, directory);
            final RingBudget budget = new RingBudget(configuration, storage, control.length());
            rings = new RingFactory(directory, storage, addresses);
            resources = new ResourceExecutor(inbox, threaded);
            final RingMaker maker = new RingMaker(rings, budget, resources, addresses, driverFile.epoch());
            if (storage.isHuge() && maker.shortage() != null)
            {
                errors.tell("publications with rings of the default size will be refused: " + maker.shortage());
            }
            opened = DeviceSlot.create(
                configuration, maker, resources, inbox, addresses, driverFile, errors, counters, answers);
            engine = opened;
            final BrokenImages broken = rings.brokenImages(errors);
            streams = new Streams(
                maker, this::wake, broken, new RingCounters(counters), errors,
                engine == null ? null : engine.remote());
            adopting = streams;
            if (engine != null)
            {
                engine.connect(streams);
            }
            clients = new Clients(directory, configuration, errors, counters, streams,
                new SessionFactory(configuration, driverFile.epoch(), streams, counters, errors));
            final DriverConductor conductor = new DriverConductor(
                driverFile, inbox, clients, streams, engine, health, errors,
                configuration.get(DriverOptions.LIVENESS_INTERVAL));
            final Adoption adoption = new Adoption(
                rings, budget, streams, broken, errors, counters.system(SystemCounter.RINGS_ADOPTED));
            clients.scan();
            clients.releaseGone(adoption.run());
            final Sleeper bell = engine == null ? new ConductorBell(driverFile.bell()) : engine.conductorBell();
            inbox.bell(bell);
            final List<DriverService> services = new ArrayList<>(
                factory.create(new DriverService.Context(configuration, resources, inbox, counters, errors)));
            if (engine != null)
            {
                services.addAll(engine.services());
            }
            threads = new DriverThreads(configuration, conductor, bell, services, counters, errors, health);
        }
        catch (final RuntimeException | IOException | Error failure)
        {
            if (control != null)
            {
                control.close();
            }
            if (opened != null)
            {
                opened.abandon();
            }
            if (clients != null)
            {
                clients.close();
            }
            if (adopting != null)
            {
                // With their locks, for a driver that is started in this process next.
                adopting.rings().forEach(StreamRing::unmap);
            }
            leaveNothing();
            throw failure;
        }
    }

    private DriverFile acquire()
    {
        try
        {
            return DriverFile.acquire(directory, version());
        }
        catch (final ControlException refused)
        {
            if (refused.reason() != ControlException.Reason.IN_USE)
            {
                // Else the other driver, started at the same time, uses them.
                GannetDirectory.removeMade(made);
            }
            throw refused;
        }
    }

    /** A start that was refused is no driver that was stopped, to whoever looks. */
    private void leaveNothing()
    {
        driverFile.abandon(directory);
        GannetDirectory.removeMade(made);
    }

    private ControlFile createControlFile()
    {
        final int counters = configuration.get(DriverOptions.MAX_COUNTERS);
        try
        {
            return ControlFile.create(directory, driverFile.info(), counters, ERROR_LOG_LENGTH);
        }
        catch (final ControlException failure)
        {
            if (ErrorCodes.of(failure) != OperatorError.NO_ROOM)
            {
                throw failure;
            }
            final FileSystem fileSystem = FileSystem.of(directory.path());
            throw new DriverException(OperatorError.NO_ROOM, "no room for the control file in " + directory + ": " +
                DriverOptions.MAX_COUNTERS + "=" + counters + " takes " +
                ControlFile.fileLength(counters, ERROR_LOG_LENGTH) + " bytes, " + fileSystem.availableBytes() +
                " of " + fileSystem.totalBytes() + " are available: lower " + DriverOptions.MAX_COUNTERS +
                ", stop clients, or enlarge the file system", failure);
        }
    }

    /**
     * Starts a driver with every option at its default or as the environment says.
     *
     * @return the driver, ready for clients.
     */
    public static MediaDriver launch()
    {
        return launch(DriverConfiguration.defaults().withEnvironment(System.getenv()));
    }

    /**
     * Starts a driver that prints its errors to standard error.
     *
     * @param configuration of the driver.
     * @return the driver, ready for clients.
     * @throws DriverException if it can't start; the message is one line for the operator.
     */
    public static MediaDriver launch(final DriverConfiguration configuration)
    {
        return launch(configuration, line -> System.err.println("gannet driver: " + line));
    }

    /**
     * Starts a driver.
     *
     * @param configuration of the driver.
     * @param log           gets each distinct error, and news of clients, as one line; called by the driver's threads.
     * @return the driver, ready for clients.
     * @throws DriverException if it can't start; the message is one line for the operator.
     */
    public static MediaDriver launch(final DriverConfiguration configuration, final Consumer<String> log)
    {
        return launch(configuration, log, DriverService.Factory.NONE);
    }

    /**
     * Starts a driver with services of its caller plugged into its threads.
     *
     * @param configuration of the driver.
     * @param log           gets each distinct error, and news of clients, as one line; called by the driver's threads.
     * @param services      makes the services.
     * @return the driver, ready for clients.
     * @throws DriverException if it can't start; the message is one line for the operator.
     */
    public static MediaDriver launch(
        final DriverConfiguration configuration, final Consumer<String> log, final DriverService.Factory services)
    {
        return launch(configuration, log, services, HostNames.SYSTEM, HostAnswers.ofThisHost());
    }

    /** For tests: with look-ups of its own, on a host that is like what it says. */
    static MediaDriver launch(
        final DriverConfiguration configuration,
        final Consumer<String> log,
        final DriverService.Factory services,
        final HostNames names,
        final HostAnswers answers)
    {
        try
        {
            final MediaDriver driver =
                new MediaDriver(configuration, Objects.requireNonNull(log, "log"), services, names, answers);
            driver.start();
            return driver;
        }
        catch (final ControlException | OsException e)
        {
            throw DriverException.of(e);
        }
        catch (final IOException e)
        {
            throw new DriverException(ErrorCodes.of(e),
                "cannot start in " + configuration.get(DriverOptions.DIRECTORY) + ": " + e, e);
        }
    }

    /** The directory that clients name to connect to this driver. */
    public Path directory()
    {
        return directory.path();
    }

    /** What this driver runs with. */
    public DriverConfiguration configuration()
    {
        return configuration;
    }

    /** Who this driver is: process, version, epoch. */
    public DriverInfo info()
    {
        return driverFile.info();
    }

    /** The device that carries rdma channels now, such as {@code roce:127.0.0.1}; none; or auto until it is opened. */
    public String device()
    {
        final RdmaDevice device = engine == null ? null : engine.device();
        return device != null ? device.name() : DriverOptions.DEVICE.print(configuration.get(DriverOptions.DEVICE));
    }

    /**
     * One duty cycle of all agents, in threading mode {@link ThreadingMode#INVOKER}. To be called by one thread, at
     * least every 100 ms.
     *
     * @return how much was done; 0 when there was nothing to do, or the driver is closed.
     * @throws DriverException       once, when the driver has closed by itself; see {@link #failure()}.
     * @throws IllegalStateException in the other threading modes.
     */
    public int doWork()
    {
        if (!threads.isInvoked())
        {
            throw new IllegalStateException("threading is " + configuration.get(DriverOptions.THREADING) +
                ", this driver runs by itself; doWork() is for threading=invoker");
        }
        if (closed)
        {
            return 0;
        }
        int work = 0;
        try
        {
            work = threads.invoke();
        }
        catch (final Exception | InternalError failure)     // InternalError: a mapped file was truncated
        {
            errors.onError(failure);
        }
        if (health.hasFailed())
        {
            close();
            throw health.failure();
        }
        return work;
    }

    /**
     * Why this driver closed by itself: its directory or a file in it was removed, replaced or truncated, so that no
     * client could reach it any more. Any thread.
     *
     * @return null if it didn't.
     */
    public DriverException failure()
    {
        return health.failure();
    }

    /**
     * Waits until the driver is closed, by {@link #close()} or by itself. Any thread.
     *
     * @throws InterruptedException if the thread is interrupted.
     */
    public void awaitEnd() throws InterruptedException
    {
        ended.await();
    }

    /**
     * Waits until what was published before the call has been consumed by the subscribers of other hosts that are
     * connected, or until the time is over; the driver goes on serving meanwhile. Before {@link #close()}, so that
     * nobody has to wait for the next driver of the directory to get it. Any thread but the driver's.
     *
     * @param timeoutNanos most time to take.
     * @return bytes that are still to be consumed, as far as is known; they stay in their rings, for the next driver.
     * @throws IllegalStateException in threading mode {@link ThreadingMode#INVOKER}.
     */
    public long drain(final long timeoutNanos)
    {
        if (threads.isInvoked())
        {
            throw new IllegalStateException("threading is invoker, so that nobody would step the driver meanwhile");
        }
        if (engine == null)
        {
            return 0;
        }
        final long deadline = System.nanoTime() + Math.max(timeoutNanos, FIRST_LOOK_NANOS);
        final long end = System.nanoTime() + timeoutNanos;
        final AtomicReference<Drain> drain = new AtomicReference<>();
        final AtomicLong left = new AtomicLong();
        do
        {
            final CountDownLatch looked = new CountDownLatch(1);
            inbox.execute(() ->
            {
                if (drain.get() == null)
                {
                    drain.set(new Drain(streams.rings()));
                }
                left.set(drain.get().left());
                looked.countDown();
            });
            try
            {
                if (!looked.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS) || left.get() == 0)
                {
                    break;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                break;
            }
        }
        while (end - System.nanoTime() > 0 && !health.hasFailed() && ended.getCount() > 0);
        return left.get();
    }

    /**
     * Stops the driver. Its clients' streams and their files stay for the driver that comes next in the directory; the
     * files of clients that are gone are removed. Idempotent.
     */
    @Override
    public void close()
    {
        close(false);
    }

    private synchronized void close(final boolean refused)
    {
        if (closed)
        {
            return;
        }
        closed = true;
        threads.close();
        resources.close();
        streams.rings().forEach(rings::unmap);
        if (engine != null)
        {
            engine.closeBells();
        }
        if (refused)
        {
            leaveNothing();
        }
        else
        {
            trim();
            driverFile.close();
        }
        controlFile.close();
        ended.countDown();
    }

    private void trim()
    {
        try
        {
            controlFile.trim();
        }
        catch (final InternalError truncated)
        {
            // By somebody else, and then it takes no memory either.
        }
    }

    /** For tests. */
    Streams streams()
    {
        return streams;
    }

    /** For tests: what replicates, null if there is no device. */
    DeviceSlot engine()
    {
        return engine;
    }

    private void start()
    {
        if (!threads.isInvoked())
        {
            health.whenFailed(() -> Thread.ofPlatform().name("gannet-end").start(this::close));
        }
        try
        {
            resources.start();
            threads.start();
        }
        catch (final OsException shortage)
        {
            close(true);
            throw shortage;
        }
        driverFile.running();
    }

    /** Wakes who sleeps until a ring has more; the sender does so at the pipe. */
    private void wake(final long bellAddress, final long waiters)
    {
        Bell.FUTEX_WAKER.wake(bellAddress, waiters);
        if ((waiters & Bell.WAITER_PIPE) != 0)
        {
            driverFile.pipe().signal();
        }
    }

    static String version()
    {
        final String version = MediaDriver.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}

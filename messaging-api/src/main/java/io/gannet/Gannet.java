package io.gannet;

import io.gannet.control.GannetDirectory;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/**
 * A client's connection to the media driver of its directory: makes publications, subscriptions and counters, and
 * closes them when it is closed. Thread-safe.
 * <p>
 * Needs the JVM flags {@code --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --enable-native-access=ALL-UNNAMED},
 * or the manifest entries {@code Add-Exports: java.base/jdk.internal.misc} and {@code Enable-Native-Access:
 * ALL-UNNAMED} in the jar that is run.
 * <p>
 * <b>Driver restart.</b> The client outlives its driver: streams on this host go on, and when a driver is back it is
 * told what this client holds. See {@link DriverListener}.
 */
public interface Gannet extends AutoCloseable
{
    /**
     * Connects with the settings of {@code new Context()}.
     */
    static Gannet connect()
    {
        return connect(new Context());
    }

    /**
     * Connects to the driver of the context's directory, waiting for one that isn't up yet up to
     * {@link Context#driverTimeout()}.
     *
     * @param context used by one client; a copy is made.
     * @throws DriverUnavailableException if there was no driver in time; the message says what was found instead.
     * @throws VersionMismatchException   if client and driver speak no common version.
     * @throws IllegalStateException      if a JVM flag is missing; the message has the exact flags.
     */
    static Gannet connect(final Context context)
    {
        return GannetClient.connect(context);
    }

    /**
     * Adds a publication for any number of threads. All publications of equal channel and stream in the directory,
     * also those of other processes, share one session and one ring.
     *
     * @param channel  such as {@code gannet:ipc}, see {@link Channel}.
     * @param streamId any number.
     * @throws IllegalArgumentException if the channel is malformed.
     * @throws RegistrationException    if the driver refuses.
     * @throws DriverTimeoutException   if the driver didn't answer in time; nothing was added.
     * @throws ClientClosedException    if this client is closed.
     * @throws IllegalStateException    if called from a handler of this client's conductor.
     */
    Publication addPublication(String channel, int streamId);

    /** See {@link #addPublication(String, int)}. */
    default Publication addPublication(final Channel channel, final int streamId)
    {
        return addPublication(channel.toString(), streamId);
    }

    /**
     * Adds a publication for one thread, with a session and ring of its own. Errors as for
     * {@link #addPublication(String, int)}.
     */
    ExclusivePublication addExclusivePublication(String channel, int streamId);

    /** See {@link #addExclusivePublication(String, int)}. */
    default ExclusivePublication addExclusivePublication(final Channel channel, final int streamId)
    {
        return addExclusivePublication(channel.toString(), streamId);
    }

    /**
     * Adds a subscription with the context's handlers. It sees every publication of the channel and stream from the
     * position that the publication has when the driver joins it. Errors as for
     * {@link #addPublication(String, int)}.
     *
     * @param channel with {@code session-id=} only that session is seen.
     */
    Subscription addSubscription(String channel, int streamId);

    /** See {@link #addSubscription(String, int)}. */
    default Subscription addSubscription(final Channel channel, final int streamId)
    {
        return addSubscription(channel.toString(), streamId);
    }

    /**
     * Adds a subscription with handlers of its own, see {@link #addSubscription(String, int)}. None of them may be
     * null.
     */
    Subscription addSubscription(
        String channel, int streamId, AvailableImageHandler available, UnavailableImageHandler unavailable);

    /**
     * Adds a subscription with handlers of its own, see {@link #addSubscription(String, int)}. None of them may be
     * null.
     */
    Subscription addSubscription(
        String channel,
        int streamId,
        AvailableImageHandler available,
        UnavailableImageHandler unavailable,
        GapHandler gap);

    /**
     * Adds a counter that this application writes.
     *
     * @param typeId in the application's numbering, 1000 or more.
     * @param label  for people, at most 380 bytes.
     * @throws IllegalArgumentException if an argument is out of range. Other errors as for
     *         {@link #addPublication(String, int)}.
     */
    Counter addCounter(int typeId, String label);

    /**
     * Adds a counter with a key for programs, see {@link #addCounter(int, String)}.
     *
     * @param keyBuffer the key's bytes, copied; at most 112.
     */
    Counter addCounter(int typeId, DirectBuffer keyBuffer, int keyOffset, int keyLength, String label);

    /**
     * All counters of the driver now connected, for reading. Get it anew after a driver restart; an old one shows the
     * last values of its driver. It must not be used after the client was closed and is garbage.
     */
    CountersReader countersReader();

    /** Names this client in its directory. */
    long clientId();

    /** State of the driver as this client last saw it. */
    DriverState driverState();

    /**
     * Runs the client's conductor where {@link Context#useConductorInvoker(boolean)} is set, else null. It must be
     * invoked at least every 100 ms.
     */
    AgentInvoker conductorInvoker();

    /** Whether {@link #close()} was called. */
    boolean isClosed();

    /**
     * Closes all that was added, gives back all memory, and tells the driver. Threads that are in an offer or poll
     * return from it; a claim that is open can still be committed. Idempotent; any thread, but a handler of this
     * client's conductor.
     */
    @Override
    void close();

    /** Settings of one client, all with defaults. Not thread-safe. */
    final class Context implements Cloneable
    {
        private static final long DEFAULT_DRIVER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

        private Path directory = GannetDirectory.ofUser().path();
        private String name = ClientNames.ofProcess();
        private long driverTimeoutNanos = DEFAULT_DRIVER_TIMEOUT_NANOS;
        private boolean useConductorInvoker;
        private ThreadFactory threadFactory = ClientNames::daemonThread;
        private IdleStrategy offerIdleStrategy;
        private ErrorHandler errorHandler = ClientNames::printError;
        private AvailableImageHandler availableImageHandler = image -> {};
        private UnavailableImageHandler unavailableImageHandler = image -> {};
        private GapHandler gapHandler = (subscription, sessionId, from, to) -> {};
        private DriverListener driverListener = new DriverListener() {};

        /** The driver's directory: {@code gannet.dir}, else GANNET_DIR, else {@code /dev/shm/gannet-<user>}. */
        public Path directory()
        {
            return directory;
        }

        /** See {@link #directory()}. */
        public Context directory(final Path value)
        {
            directory = Objects.requireNonNull(value, "directory");
            return this;
        }

        /** What others see as this client's name; the main class by default. At most 188 bytes are kept. */
        public String name()
        {
            return name;
        }

        /** See {@link #name()}. */
        public Context name(final String value)
        {
            name = Objects.requireNonNull(value, "name");
            return this;
        }

        /** Longest wait for a driver, and for its answer to a command; 10 s by default. In nanoseconds. */
        public long driverTimeout()
        {
            return driverTimeoutNanos;
        }

        /**
         * See {@link #driverTimeout()}.
         *
         * @throws IllegalArgumentException if not 1 ms to 1 hour.
         */
        public Context driverTimeout(final long value, final TimeUnit unit)
        {
            final long nanos = unit.toNanos(value);
            if (nanos < TimeUnit.MILLISECONDS.toNanos(1) || nanos > TimeUnit.HOURS.toNanos(1))
            {
                throw new IllegalArgumentException("driver time-out of " + value + " " + unit +
                    ": 1 ms to 1 hour is possible");
            }
            driverTimeoutNanos = nanos;
            return this;
        }

        /** Whether the application runs the conductor by {@link #conductorInvoker()}; a thread does by default. */
        public boolean useConductorInvoker()
        {
            return useConductorInvoker;
        }

        /** See {@link #useConductorInvoker()}. */
        public Context useConductorInvoker(final boolean value)
        {
            useConductorInvoker = value;
            return this;
        }

        /** Makes the conductor's thread; a daemon by default. */
        public ThreadFactory threadFactory()
        {
            return threadFactory;
        }

        /** See {@link #threadFactory()}. */
        public Context threadFactory(final ThreadFactory value)
        {
            threadFactory = Objects.requireNonNull(value, "threadFactory");
            return this;
        }

        /**
         * How an offer with a deadline waits; must be usable by all threads that offer. Null, the default: spins a
         * little, then yields, then sleeps shortly.
         */
        public IdleStrategy offerIdleStrategy()
        {
            return offerIdleStrategy;
        }

        /** See {@link #offerIdleStrategy()}. */
        public Context offerIdleStrategy(final IdleStrategy value)
        {
            offerIdleStrategy = value;
            return this;
        }

        /**
         * Told what went wrong outside any call, such as an exception of an image handler; called by the conductor.
         * Prints to standard error by default.
         */
        public ErrorHandler errorHandler()
        {
            return errorHandler;
        }

        /** See {@link #errorHandler()}. */
        public Context errorHandler(final ErrorHandler value)
        {
            errorHandler = Objects.requireNonNull(value, "errorHandler");
            return this;
        }

        /** For subscriptions that are added without one; does nothing by default. */
        public AvailableImageHandler availableImageHandler()
        {
            return availableImageHandler;
        }

        /** See {@link #availableImageHandler()}. */
        public Context availableImageHandler(final AvailableImageHandler value)
        {
            availableImageHandler = Objects.requireNonNull(value, "availableImageHandler");
            return this;
        }

        /** For subscriptions that are added without one; does nothing by default. */
        public UnavailableImageHandler unavailableImageHandler()
        {
            return unavailableImageHandler;
        }

        /** See {@link #unavailableImageHandler()}. */
        public Context unavailableImageHandler(final UnavailableImageHandler value)
        {
            unavailableImageHandler = Objects.requireNonNull(value, "unavailableImageHandler");
            return this;
        }

        /** For subscriptions that are added without one; does nothing by default. */
        public GapHandler gapHandler()
        {
            return gapHandler;
        }

        /** See {@link #gapHandler()}. */
        public Context gapHandler(final GapHandler value)
        {
            gapHandler = Objects.requireNonNull(value, "gapHandler");
            return this;
        }

        /** Told about the driver going and coming; does nothing by default. */
        public DriverListener driverListener()
        {
            return driverListener;
        }

        /** See {@link #driverListener()}. */
        public Context driverListener(final DriverListener value)
        {
            driverListener = Objects.requireNonNull(value, "driverListener");
            return this;
        }

        @Override
        public Context clone()
        {
            try
            {
                return (Context) super.clone();
            }
            catch (final CloneNotSupportedException ex)
            {
                throw new AssertionError(ex);
            }
        }
    }
}

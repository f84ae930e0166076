package io.gannet.monitor;

import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Looks at a directory again and again, through restarts of its driver. Files are mapped to be read, and stay mapped as
 * long as they are the directory's, so that a look is a few loads and stat(2). Thread-safe: looks that come sooner than
 * {@link #INTERVAL_NANOS} after another get what that one found, however many want one.
 */
public final class DriverWatch implements AutoCloseable
{
    /** Shortest time between two looks. The driver samples positions each 100 ms. */
    public static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GannetDirectory directory;
    private final long maxAgeMillis;
    private final Kept<DriverFile> driver;
    private final Kept<ControlFile> control;
    private Observation last;

    /**
     * @param maxAgeMillis since the last heartbeat of a driver that is healthy.
     */
    public DriverWatch(final GannetDirectory directory, final long maxAgeMillis)
    {
        this.directory = directory;
        this.maxAgeMillis = maxAgeMillis;
        driver = new Kept<>(directory.driver(), () -> DriverFile.open(directory, false), DriverFile::close);
        control = new Kept<>(directory.control(), () -> ControlFile.open(directory, false), ControlFile::close);
    }

    /** The directory that is looked at. */
    public GannetDirectory directory()
    {
        return directory;
    }

    /** What is there now. */
    public synchronized Observation look()
    {
        final long now = System.nanoTime();
        if (last == null || now - last.nanos() >= INTERVAL_NANOS)
        {
            last = observe(now);
        }
        return last;
    }

    private Observation observe(final long now)
    {
        final Health health = health();
        if (health.life() == Life.MISSING)
        {
            return new Observation(directory, health, null, now, List.of());
        }
        try
        {
            final ControlFile file = control.current();
            if (!file.isWhole())
            {
                return unreadable(health, now, directory.control() + " was truncated. Start the driver again");
            }
            return new Observation(
                directory, health, file.driver(), now, CounterScan.of(file.countersReader()));
        }
        catch (final ControlException none)
        {
            // A driver that is starting for the first time has none yet.
            return health.life() == Life.STARTING && none.reason() == ControlException.Reason.MISSING ?
                new Observation(directory, health, null, now, List.of()) :
                unreadable(health, now, none.getMessage());
        }
        catch (final InternalError truncated)
        {
            control.drop();
            return unreadable(health, now, directory.control() + " was truncated. Start the driver again");
        }
    }

    private Observation unreadable(final Health health, final long now, final String why)
    {
        return new Observation(directory, health.life() == Life.RUNNING || health.life() == Life.UNREADABLE ?
            Health.unreadable(why) : health, null, now, List.of());
    }

    private Health health()
    {
        try
        {
            return Health.of(driver.current(), directory, maxAgeMillis, false);
        }
        catch (final ControlException none)
        {
            return Health.none(none, directory);
        }
        catch (final InternalError truncated)
        {
            driver.drop();
            return Health.unreadable(directory.driver() + " was truncated. Start the driver again");
        }
    }

    @Override
    public synchronized void close()
    {
        driver.drop();
        control.drop();
    }

    /** A file that is open as long as it is the one that has the name. */
    private static final class Kept<T>
    {
        private final Path path;
        private final Supplier<T> open;
        private final java.util.function.Consumer<T> close;
        private T file;
        private Object key;

        Kept(final Path path, final Supplier<T> open, final java.util.function.Consumer<T> close)
        {
            this.path = path;
            this.open = open;
            this.close = close;
        }

        T current()
        {
            // Asked for before it is opened: if another comes between, it is opened once more at the next look.
            final Object now = key();
            if (file == null || now == null || !now.equals(key))
            {
                drop();
                file = open.get();
                key = now;
            }
            return file;
        }

        private Object key()
        {
            try
            {
                return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            }
            catch (final IOException gone)
            {
                return null;
            }
        }

        void drop()
        {
            if (file != null)
            {
                close.accept(file);
                file = null;
            }
        }
    }
}

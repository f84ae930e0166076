package io.gannet.monitor;

import io.gannet.control.ControlException;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import java.util.concurrent.TimeUnit;

/**
 * Whether a driver lives, is ready and turns.
 *
 * @param healthy  the answer.
 * @param life     how it is.
 * @param pid      of the driver, 0 if it isn't known.
 * @param ageNanos of its last heartbeat, -1 if it isn't known.
 * @param text     one line for people.
 */
public record Health(boolean healthy, Life life, long pid, long ageNanos, String text)
{
    /** Milliseconds since the conductor's last heartbeat that are healthy, unless somebody says otherwise. */
    public static final long DEFAULT_MAX_AGE_MILLIS = 5000;

    /**
     * Looks at a directory once.
     *
     * @param maxAgeMillis since the last heartbeat of one that is healthy.
     * @param live         whether one that is starting is healthy too.
     */
    public static Health of(final GannetDirectory where, final long maxAgeMillis, final boolean live)
    {
        try (DriverFile driver = DriverFile.open(where, false))
        {
            return of(driver, where, maxAgeMillis, live);
        }
        catch (final ControlException none)
        {
            return none(none, where);
        }
    }

    /** As above, of a file that is open. */
    public static Health of(
        final DriverFile driver, final GannetDirectory where, final long maxAgeMillis, final boolean live)
    {
        // The clock of the heartbeat is the host's, in containers too.
        final long age = Math.max(0, System.nanoTime() - driver.heartbeat());
        final long pid = driver.info().pid();
        final String text = driver.info() + " in " + where;
        final boolean starting = !driver.isRunning();
        if (!driver.isAlive())
        {
            final boolean stopped = driver.isCleanlyClosed();
            return new Health(false, stopped ? Life.STOPPED : Life.DEAD, pid, -1,
                text + (stopped ? " was stopped" : " died") + ". Start it again");
        }
        if (starting)
        {
            return new Health(live, Life.STARTING, pid, age, text + " is still starting");
        }
        final long millis = TimeUnit.NANOSECONDS.toMillis(age);
        final boolean turns = millis <= maxAgeMillis;
        return new Health(turns, turns ? Life.RUNNING : Life.SILENT, pid, age, text +
            (turns ? "" : ": its last heartbeat was " + millis + " ms ago, at most " + maxAgeMillis +
            " are healthy. It may be stopped, swapped out or without processor time: look at gannet doctor"));
    }

    /** Of a directory in which no driver can be found. */
    static Health none(final ControlException reason, final GannetDirectory where)
    {
        return reason.reason() == ControlException.Reason.MISSING ?
            new Health(false, Life.MISSING, 0, -1,
                "no driver was ever started in " + where + ". Start one: gannet driver --dir " + where) :
            unreadable(reason.getMessage());
    }

    static Health unreadable(final String why)
    {
        return new Health(false, Life.UNREADABLE, 0, -1, why);
    }
}

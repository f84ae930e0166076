package io.gannet.cli;

import io.gannet.control.ControlException;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet health}: whether a driver serves its directory; reads one file and uses no network. A probe of
 * Kubernetes or a monitoring system runs it.
 */
@Command(name = "health", sortOptions = false,
    description = "Tells in one line whether a driver lives, is ready and turns. Reads one file.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:a driver lives, is ready and its conductor turns", "1:it does not, and the line says why",
        "2:wrong command line"})
public final class HealthCommand implements Subcommand
{
    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--max-age", paramLabel = "MS", defaultValue = "5000",
        description = "Milliseconds since its conductor's last heartbeat, above which a driver isn't healthy. " +
            "Default: ${DEFAULT-VALUE}.")
    private long maxAgeMillis;

    @Option(names = "--live", description = "A driver that is still starting is healthy too: for a liveness probe.")
    private boolean live;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call()
    {
        if (maxAgeMillis < 100 || maxAgeMillis > 3_600_000)
        {
            throw new UsageException("--max-age " + maxAgeMillis + ": 100 to 3600000 ms are possible");
        }
        final GannetDirectory where = directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
        final Health health = health(where);
        System.out.println(json ? json(where, health) : (health.healthy ? "healthy: " : "unhealthy: ") + health.text);
        System.out.flush();
        return health.healthy ? 0 : 1;
    }

    /**
     * What was found.
     *
     * @param state as {@code gannet stat} names it; or missing, unreadable, silent.
     * @param pid   of the driver, 0 if it isn't known.
     * @param age   of its last heartbeat, in nanoseconds, -1 if it isn't known.
     */
    private record Health(boolean healthy, String state, long pid, long age, String text)
    {
        static Health without(final String state, final String text)
        {
            return new Health(false, state, 0, -1, text);
        }
    }

    private Health health(final GannetDirectory where)
    {
        try (DriverFile driver = DriverFile.open(where, false))
        {
            // The clock of the heartbeat is the host's, in containers too.
            final long age = Math.max(0, System.nanoTime() - driver.heartbeat());
            final String text = driver.info() + " in " + where;
            final boolean starting = !driver.isRunning();
            if (!driver.isAlive())
            {
                return new Health(false, driver.isCleanlyClosed() ? "stopped" : "dead", driver.info().pid(), -1,
                    text + (driver.isCleanlyClosed() ? " was stopped" : " died") + ". Start it again");
            }
            if (starting)
            {
                return new Health(live, "starting", driver.info().pid(), age, text + " is still starting");
            }
            final long millis = TimeUnit.NANOSECONDS.toMillis(age);
            final boolean turns = millis <= maxAgeMillis;
            return new Health(turns, turns ? "running" : "silent", driver.info().pid(), age, text +
                (turns ? "" : ": its last heartbeat was " + millis + " ms ago, at most " + maxAgeMillis +
                " are healthy. It may be stopped, swapped out or without processor time: look at gannet doctor"));
        }
        catch (final ControlException none)
        {
            return none.reason() == ControlException.Reason.MISSING ?
                Health.without("missing", "no driver was ever started in " + where +
                    ". Start one: gannet driver --dir " + where) :
                Health.without("unreadable", none.getMessage());
        }
    }

    private static String json(final GannetDirectory where, final Health health)
    {
        return new Json().object()
            .name("directory").value(where.toString())
            .name("healthy").value(health.healthy)
            .name("state").value(health.state)
            .name("pid").value(health.pid)
            .name("heartbeatAgeNanos").value(health.age)
            .name("text").value(health.text)
            .end().text().toString();
    }
}

package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import io.gannet.monitor.Health;
import io.gannet.text.Json;
import java.nio.file.Path;
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

    @Option(names = "--max-age", paramLabel = "MS", defaultValue = "" + Health.DEFAULT_MAX_AGE_MILLIS,
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
        checkMaxAge(maxAgeMillis);
        final GannetDirectory where = directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
        final Health health = Health.of(where, maxAgeMillis, live);
        System.out.println(json ? json(where, health) :
            (health.healthy() ? "healthy: " : "unhealthy: ") + health.text());
        System.out.flush();
        return health.healthy() ? 0 : 1;
    }

    static void checkMaxAge(final long millis)
    {
        if (millis < 100 || millis > 3_600_000)
        {
            throw new UsageException("--max-age " + millis + ": 100 to 3600000 ms are possible");
        }
    }

    private static String json(final GannetDirectory where, final Health health)
    {
        return new Json().object()
            .name("directory").value(where.toString())
            .name("healthy").value(health.healthy())
            .name("state").value(health.life().toString())
            .name("pid").value(health.pid())
            .name("heartbeatAgeNanos").value(health.ageNanos())
            .name("text").value(health.text())
            .end().text().toString();
    }
}

package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import io.gannet.monitor.DriverWatch;
import io.gannet.monitor.Health;
import io.gannet.monitor.top.Top;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet top}: a driver's streams, threads and NIC on a terminal, live.
 */
@Command(name = "top", sortOptions = false,
    description = "Shows a driver live: streams with their rates, how far behind each reader is and who holds " +
        "publishers back; duty cycles of its threads; counters of its NIC. Keys: q quits, h tells the others. Reads " +
        "the files of the driver's directory; the driver may come, go and come again.")
public final class TopCommand implements Subcommand
{
    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--interval", paramLabel = "MS", defaultValue = "1000",
        description = "Milliseconds between two looks, 100 to 60000. Default: ${DEFAULT-VALUE}.")
    private long intervalMillis;

    @Option(names = "--ascii", description = "Uses no characters but ASCII; so it does where the locale has no UTF-8.")
    private boolean ascii;

    @Option(names = "--no-colour", description = "Uses no colours; so it does where NO_COLOR is set.")
    private boolean noColour;

    @Override
    public Integer call()
    {
        if (intervalMillis < 100 || intervalMillis > 60_000)
        {
            throw new UsageException("--interval " + intervalMillis + ": 100 to 60000 ms are possible");
        }
        final GannetDirectory where = directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
        try (DriverWatch watch = new DriverWatch(where, Health.DEFAULT_MAX_AGE_MILLIS))
        {
            final Top top = new Top(watch, TimeUnit.MILLISECONDS.toNanos(intervalMillis));
            if (!top.isPossible() || "dumb".equals(System.getenv("TERM")))
            {
                throw new OperatorException("gannet top needs a terminal that can move its cursor, for input and " +
                    "output. Elsewhere: gannet streams --watch, gannet stat --watch --json");
            }
            top.run(!noColour && System.getenv("NO_COLOR") == null, ascii || !isUtf8());
        }
        return 0;
    }

    private static boolean isUtf8()
    {
        final String charset = System.getProperty("native.encoding", "").toUpperCase(Locale.ROOT);
        return "UTF-8".equals(charset) || "UTF8".equals(charset);
    }
}

package io.gannet.cli;

import io.gannet.control.ControlException;
import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import io.gannet.control.PrintableText;
import io.gannet.doctor.Doctor;
import io.gannet.doctor.Result;
import io.gannet.doctor.Severity;
import io.gannet.text.Json;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet doctor}: looks at the host.
 */
@Command(name = "doctor", sortOptions = false,
    description = "Looks at this host for what RDMA and low latency need. Each finding says what was found, what is " +
        "expected, why it matters and the command that mends it.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing to mend", "1:it failed, and the last line says why", "2:wrong command line",
        "3:warnings at worst", "4:errors"})
public final class DoctorCommand implements Subcommand
{
    private static final int WARNINGS = 3;
    private static final int ERRORS = 4;
    private static final int MAX_TEXT = 1_000;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Option(names = "--local", description = "Leaves out what only matters to RDMA.")
    private boolean local;

    @Option(names = "--root", paramLabel = "DIR", defaultValue = "/",
        description = "Looks at a copy of another host's /sys and /proc below DIR. Output of its tools is read from " +
            "DIR/commands, such as DIR/commands/ethtool_-S_eth1.")
    private Path root;

    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--pid", paramLabel = "PID",
        description = "Whose limits, processors and Java are looked at. Default: those of the driver in the " +
            "directory, or of this process if none runs.")
    private long process;

    @Option(names = "--watch", paramLabel = "MS", defaultValue = "1000",
        description = "Milliseconds for which counters are watched; 0 takes them since boot. Default: " +
            "${DEFAULT-VALUE}.")
    private long watchMillis;

    @Option(names = "--peer", paramLabel = "HOST[:PORT]",
        description = "Asks the driver of another host what its host is like, over RDMA or the software NIC, and " +
            "compares both ends. It answers at its doctor-port, 14791 unless named here, and at the ports of its " +
            "channels, to whom its option allow lets in.")
    private String peer;

    @Option(names = "--from", paramLabel = "ADDRESS",
        description = "Address of this host's device that asks, with --peer. Default: the one on the way to the " +
            "peer. A software NIC that a driver of this host has can't ask too.")
    private String from;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "15",
        description = "Most time to wait for the peer's answer. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Override
    public Integer call()
    {
        if (timeoutSeconds < 1 || timeoutSeconds > 3_600)
        {
            throw new UsageException("--timeout " + timeoutSeconds + ": 1 to 3600 s are possible");
        }
        if (peer == null && from != null)
        {
            throw new UsageException("--from " + from + ": only with --peer");
        }
        final InetSocketAddress asked = peer == null ? null : PeerAddress.parse("--peer", peer);
        if (watchMillis < 0 || watchMillis > 3_600_000)
        {
            throw new UsageException("--watch " + watchMillis + ": 0 to 3600000 ms are possible");
        }
        if (!Files.isDirectory(root))
        {
            throw new UsageException("--root " + root + ": no such directory");
        }
        if (!Files.exists(root.resolve("proc/self")) && process == 0)
        {
            throw new UsageException("--root " + root + ": there is no proc/self in it; name a process with --pid");
        }
        if (process < 0 || (process > 0 && !Files.isDirectory(root.resolve("proc/" + process))))
        {
            throw new UsageException("--pid " + process + ": there is no such process in " + root.resolve("proc"));
        }
        final boolean here = root.toAbsolutePath().normalize().getNameCount() == 0;
        final GannetDirectory where = directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
        final List<Result> results = new ArrayList<>(Doctor.examine(root,
            process == 0 && here ? driver(where) : process, where.path(), local, here ? watchMillis : 0));
        if (asked != null)
        {
            results.addAll(PeerDoctor.examine(
                root, from == null ? null : PeerAddress.host("--from", from), asked, timeoutSeconds));
        }
        System.out.print(json ? json(results).append('\n') : text(results));
        System.out.flush();
        return switch (Doctor.worst(results))
        {
            case ERROR -> ERRORS;
            case WARNING -> WARNINGS;
            default -> 0;
        };
    }

    /** Process id of the directory's driver if it is alive and in sight, else 0. */
    private static long driver(final GannetDirectory where)
    {
        try (DriverFile file = DriverFile.open(where, false))
        {
            final long pid = file.info().pid();
            return file.isAlive() && Files.isReadable(Path.of("/proc/" + pid + "/limits")) ? pid : 0;
        }
        catch (final ControlException none)
        {
            return 0;
        }
    }

    private static String text(final List<Result> results)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < results.size(); i++)
        {
            final Result result = results.get(i);
            final String check = result.check();
            final int more = alike(results, i);
            i += more;
            text.append(String.format("%-8s %-23s %s%n", result.severity().name().toLowerCase(Locale.ROOT),
                more == 0 ? check : check + " and " + more + " more", printable(result.found())));
            if (result.isFinding())
            {
                line(text, "expected", result.expected());
                line(text, "why", result.why());
                line(text, "mend", result.mend());
            }
        }
        return text.append(String.format("%d checks: %s, %s, %s%n",
            results.stream().map(Result::check).distinct().count(), count(results, Severity.ERROR),
            count(results, Severity.WARNING), count(results, Severity.NOTE))).toString();
    }

    /** How many results after one were skipped for the same reason. */
    private static int alike(final List<Result> results, final int first)
    {
        int next = first + 1;
        while (next < results.size() && results.get(first).severity() == Severity.SKIPPED &&
            results.get(next).severity() == Severity.SKIPPED &&
            results.get(next).found().equals(results.get(first).found()))
        {
            next++;
        }
        return next - first - 1;
    }

    private static void line(final StringBuilder text, final String name, final String value)
    {
        text.append(String.format("         %-23s %s%n", "  " + name, printable(value)));
    }

    private static String count(final List<Result> results, final Severity severity)
    {
        final long count = results.stream().filter(result -> result.severity() == severity).count();
        return count + " " + severity.name().toLowerCase(Locale.ROOT) + (count == 1 ? "" : "s");
    }

    private StringBuilder json(final List<Result> results)
    {
        final Json text = new Json().object()
            .name("root").value(root.toString())
            .name("worst").value(Doctor.worst(results).name().toLowerCase(Locale.ROOT))
            .name("results").array();
        for (final Result result : results)
        {
            text.object()
                .name("check").value(result.check())
                .name("severity").value(result.severity().name().toLowerCase(Locale.ROOT))
                .name("found").value(printable(result.found()));
            if (result.isFinding())
            {
                text.name("expected").value(result.expected())
                    .name("why").value(result.why())
                    .name("mend").value(printable(result.mend()));
            }
            text.end();
        }
        return text.end().end().text();
    }

    private static String printable(final String text)
    {
        return PrintableText.of(text, MAX_TEXT);
    }
}

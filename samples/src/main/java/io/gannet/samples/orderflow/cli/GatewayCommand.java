package io.gannet.samples.orderflow.cli;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.samples.marketdata.cli.Reporter;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.cli.StopSignal;
import io.gannet.samples.orderflow.gateway.Gateway;
import io.gannet.samples.orderflow.gateway.GatewayCounters;
import io.gannet.samples.orderflow.gateway.GatewaySettings;
import io.gannet.samples.orderflow.matching.LinkNumbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet orders gateway}.
 */
@Command(name = "gateway", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Runs a gateway: clients' sessions on one side, the matching engine on the other.",
    "Sessions survive it in its store. Ends by Ctrl-C."})
final class GatewayCommand implements Callable<Integer>
{
    @Mixin
    private VenueOptions venue;

    @Option(names = "--store", paramLabel = "FILE", required = true, description =
        "What sessions survive the gateway's death in; best on tmpfs.")
    private Path store;

    @Option(names = "--engine-in", paramLabel = "CHANNEL", description =
        "Channel of the engine's reports, if it is on another host. Default: that of --in.")
    private String engineIn;

    @Option(names = "--engine-out", paramLabel = "CHANNEL", description =
        "Channel of the commands for the engine. Default: that of --out.")
    private String engineOut;

    @Option(names = "--id", defaultValue = "0", description =
        "Number of this gateway among the engine's, 0 to 255. Default: ${DEFAULT-VALUE}.")
    private int id;

    @Option(names = "--sessions", defaultValue = "4096", description = "Most sessions. Default: ${DEFAULT-VALUE}.")
    private int sessions;

    @Option(names = "--log-size", paramLabel = "MIB", defaultValue = "32", description =
        "Memory for messages that may have to be sent again, per direction; a power of two. Default: ${DEFAULT-VALUE}.")
    private int logMiB;

    @Option(names = "--rate", defaultValue = "1000", description =
        "Orders and replacements per second and session. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--burst", defaultValue = "200", description = "So many at once. Default: ${DEFAULT-VALUE}.")
    private int burst;

    @Option(names = "--grace", paramLabel = "MS", defaultValue = "5000", description =
        "After a restart, clients have this long to come back before their orders go. Default: ${DEFAULT-VALUE}.")
    private int graceMillis;

    @Option(names = "--operator", paramLabel = "N", defaultValue = "0", description =
        "Session that may halt and resume instruments; 0: none. Default: ${DEFAULT-VALUE}.")
    private int operator;

    @Override
    public Integer call() throws IOException
    {
        check();
        final GatewaySettings settings = new GatewaySettings(id, sessions, store, logMiB << 20, venue.tradables(),
            venue.streams(), rate, burst, TimeUnit.MILLISECONDS.toNanos(graceMillis), operator, venue.waiting());
        final Failures failures = new Failures();
        try (StopSignal stop = venue.stopSignal();
            Gannet client = venue.connect("order gateway"))
        {
            final Gateway gateway = start(settings, client, failures);
            try (gateway;
                Reporter _ = new Reporter(() -> report(gateway), venue.isChild() ? 200 : 1_000))
            {
                failures.awaitStop(stop);
            }
            if (venue.isChild())
            {
                System.out.println(status(gateway).put("final", 1));
            }
        }
        catch (final GannetException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
        return 0;
    }

    private void check()
    {
        venue.check();
        VenueOptions.require("--id", id, 0, LinkNumbers.MAX_GATEWAYS - 1);
        VenueOptions.require("--sessions", sessions, 1, GatewaySettings.MAX_SESSIONS);
        VenueOptions.require("--log-size", logMiB, 1, 512);
        if (!BitUtil.isPowerOfTwo(logMiB))
        {
            throw new UsageException("--log-size " + logMiB + ": must be a power of two");
        }
        VenueOptions.require("--rate", rate, 1, 1_000_000_000);
        VenueOptions.require("--burst", burst, 1, 1_000_000_000);
        VenueOptions.require("--grace", graceMillis, 0, Integer.MAX_VALUE);
        VenueOptions.require("--operator", operator, 0, sessions);
        VenueOptions.checkChannel(engineIn);
        VenueOptions.checkChannel(engineOut);
    }

    private Gateway start(final GatewaySettings settings, final Gannet client, final Failures failures)
    {
        try
        {
            return new Gateway(settings, venue.transport(client), venue.transport(client, engineIn, engineOut),
                failures);
        }
        catch (final IOException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }

    private void report(final Gateway gateway)
    {
        final GatewayCounters counters = gateway.counters();
        if (venue.isChild())
        {
            System.out.println(status(gateway));
        }
        else
        {
            System.out.printf(Locale.ROOT, "%,d sessions, %,d requests, %,d reports, rejected %,d, throttled %,d, " +
                "unavailable %,d, retransmitted %,d, engine %s%n", counters.established.get(),
                counters.received.get(), counters.reports.get(), counters.rejected.get(), counters.throttled.get(),
                counters.unavailable.get(), counters.retransmitted.get(), gateway.isLinked() ? "there" : "away");
        }
    }

    private static StatusLine status(final Gateway gateway)
    {
        final GatewayCounters counters = gateway.counters();
        return new StatusLine()
            .put("established", counters.established.get())
            .put("received", counters.received.get())
            .put("refused", counters.refused.get())
            .put("reports", counters.reports.get())
            .put("rejected", counters.rejected.get())
            .put("throttled", counters.throttled.get())
            .put("unavailable", counters.unavailable.get())
            .put("retransmitted", counters.retransmitted.get())
            .put("disconnects", counters.disconnects.get())
            .put("links", counters.links.get())
            .put("linked", gateway.isLinked() ? 1 : 0);
    }
}

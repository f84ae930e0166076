package io.gannet.doctor;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How long the port was paused by its peer, and paused it. Drivers count frames ({@code rx_prio3_pause}) and, mlx5,
 * microseconds ({@code rx_prio3_pause_duration}).
 */
final class PauseCheck extends Check
{
    private static final Pattern FRAMES =
        Pattern.compile("[rt]x_(prio\\d|global)_pause|rx_pause_ctrl_phy|tx_pause_ctrl_phy|[rt]x_pause");
    private static final Pattern MICROS = Pattern.compile("[rt]x_(prio\\d|global)_pause_duration");
    private static final Pattern STORM = Pattern.compile("tx_pause_storm_(error|warning)_events");
    private static final double WARNING_SHARE = 1e-4;
    private static final double ERROR_SHARE = 1e-2;
    /** Frames per second; a frame pauses for 3.4 ms at most at 10 Gbit/s, 0.3 ms at 100. */
    private static final double WARNING_RATE = 10;
    private static final double ERROR_RATE = 1_000;

    PauseCheck()
    {
        super("pause", true, "paused for less than 0.01 % of the time, or by fewer than 10 frames a second",
            "a paused port sends nothing: jumps of 200 us and more without any loss; a storm stops the whole network");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ethernetPorts())
        {
            final boolean watched = host.watchedSeconds() > 0;
            final double seconds = watched ? host.watchedSeconds() : host.uptimeSeconds();
            final PortCounters counters = host.counters(port);
            long frames = 0;
            long micros = 0;
            long storms = 0;
            boolean known = false;
            for (final Map.Entry<String, Long> counter : counters.after().entrySet())
            {
                final String name = counter.getKey();
                final long value = watched ? counters.growth(name) : counter.getValue();
                known |= FRAMES.matcher(name).matches();
                frames += FRAMES.matcher(name).matches() ? value : 0;
                micros += MICROS.matcher(name).matches() ? value : 0;
                storms += STORM.matcher(name).matches() ? counter.getValue() : 0;
            }
            if (!known)
            {
                notes.skip(port + ": no pause counters; ethtool -S " + port.netdevOrPlaceholder() + " shows them");
            }
            else
            {
                report(port, new Pauses(frames, micros, storms, Math.max(seconds, 1e-3), watched), notes);
            }
        }
    }

    private static void report(final RdmaPort port, final Pauses pauses, final Notes notes)
    {
        final double share = pauses.micros() / 1e6 / pauses.seconds();
        final double rate = pauses.frames() / pauses.seconds();
        final String found = String.format(Locale.ROOT, "%s: %s pause frames, %.4f %% of the time%s, %s", port,
            Units.count(pauses.frames()), 100 * share, pauses.storms() == 0 ? "" :
            ", " + Units.count(pauses.storms()) + " storms", pauses.watched() ?
            String.format(Locale.ROOT, "in the last %.1f s", pauses.seconds()) : "since boot");
        final String mend = "find who sends them: pause counters of the switch ports, then of the hosts behind them; " +
            "mark by ECN before pausing (ecn below), and keep bulk traffic in another priority";
        if (pauses.storms() > 0 || share >= ERROR_SHARE || rate >= ERROR_RATE)
        {
            notes.error(found, mend);
        }
        else if (share >= WARNING_SHARE || rate >= WARNING_RATE)
        {
            notes.warning(found, mend);
        }
        else
        {
            notes.ok(found);
        }
    }

    private record Pauses(long frames, long micros, long storms, double seconds, boolean watched)
    {
    }
}

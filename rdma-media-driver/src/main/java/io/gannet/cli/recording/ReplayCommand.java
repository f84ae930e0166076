package io.gannet.cli.recording;

import io.gannet.Channel;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Header;
import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.recording.RecordedHeader;
import io.gannet.recording.RecordingReader;
import io.gannet.recording.ReplayFrom;
import io.gannet.recording.ReplaySubscription;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet replay}: a recording, or a part of it, into a stream.
 */
@Command(name = "replay", description = {
    "Publishes what was recorded, each recorded session as a publication of its own, in the order and, " +
        "unless --fast, with the pauses of the recording.",
    "With --live it goes on with the recorded stream itself where the recording ends, without a gap or a " +
        "duplicate, until Ctrl-C; and reads from the recording what it misses of a stream with slow=drop."})
public final class ReplayCommand implements Subcommand
{
    private static final int BATCH = 64;
    private static final double SLOWEST = 1e-6;
    private static final double FASTEST = 1e6;
    private static final long PATIENCE_SECONDS = 10;
    private static final long IDLE_MILLIS = 100;

    @Mixin
    private Client client;

    @Option(names = "--in", required = true, paramLabel = "DIR", description = "Directory of the recording.")
    private Path in;

    @Option(names = "--channel", defaultValue = "gannet:ipc", description = "To publish to. Default: ${DEFAULT-VALUE}.")
    private String channel;

    @Option(names = "--stream", required = true, description = "To publish to.")
    private int stream;

    @Option(names = "--session", description = "Replays this session alone.")
    private Integer session;

    @Option(names = "--from", paramLabel = "POSITION",
        description = "The first message is at this position or behind it.")
    private Long from;

    @Option(names = "--to", paramLabel = "POSITION", description = "Ends before the message at this position.")
    private Long to;

    @Option(names = "--from-time", paramLabel = "TIME",
        description = "Begins with what was recorded then, such as 2026-11-30T09:30:00Z.")
    private String fromTime;

    @Option(names = "--to-time", paramLabel = "TIME", description = "Ends before what was recorded then.")
    private String toTime;

    @Option(names = "--speed", paramLabel = "FACTOR", defaultValue = "1",
        description = "2 replays in half the time; not with --live. Default: ${DEFAULT-VALUE}.")
    private double speed;

    @Option(names = "--fast", description = "As fast as subscribers take it.")
    private boolean fast;

    @Option(names = "--live", description = "Goes on with the live stream where the recording ends.")
    private boolean live;

    @Override
    public Integer call()
    {
        check();
        try (RecordingReader reader = new RecordingReader(in, new Report()))
        {
            if (live)
            {
                checkTarget(reader);
            }
            else
            {
                seek(reader);
            }
            try (Stop stop = new Stop();
                Gannet gannet = client.connect("gannet replay");
                Republisher publisher = new Republisher(gannet, channel, stream, stop))
            {
                final Pace pace = new Pace(fast || live ? Double.POSITIVE_INFINITY : speed, stop);
                final FragmentHandler handler = (buffer, offset, length, header) ->
                {
                    if (session == null || session == header.sessionId())
                    {
                        pace.await(time(header));
                        publisher.publish(buffer, offset, length, header);
                    }
                };
                if (live)
                {
                    follow(gannet, reader, handler, stop);
                }
                else
                {
                    readAll(reader, handler, stop);
                }
                Report.line("replayed %,d messages of %,d bytes in %.3f s", publisher.messages(), publisher.bytes(),
                    pace.seconds());
            }
        }
        return 0;
    }

    private void checkTarget(final RecordingReader reader)
    {
        if (stream == reader.streamId() && Channel.parse(channel).isSamePlace(Channel.parse(reader.channel())))
        {
            throw new UsageException("--stream " + stream + " of " + channel + " is the stream that is recorded: " +
                "with --live it would get its own messages again and again. Choose another --stream or --channel");
        }
    }

    /** Goes to what was asked for; what is recorded from now on isn't: it may be what is replayed. */
    private void seek(final RecordingReader reader)
    {
        reader.endWithPresent();
        if (session != null && !reader.sessions().contains(session))
        {
            throw new UsageException("--session " + session + ": nothing of it is recorded in " + in +
                "; there are " + reader.sessions());
        }
        if (fromTime != null || toTime != null)
        {
            reader.seekToTime(fromTime == null ? Long.MIN_VALUE : Quantity.time("--from-time", fromTime),
                toTime == null ? Long.MAX_VALUE : Quantity.time("--to-time", toTime));
        }
        else if (from != null || to != null || session != null)
        {
            reader.seekToPosition(
                onlySession(reader.sessions()), from == null ? 0 : from, to == null ? Long.MAX_VALUE : to);
        }
    }

    private static long time(final Header header)
    {
        return header instanceof final RecordedHeader recorded ? recorded.time() : 0;
    }

    private static void readAll(final RecordingReader reader, final FragmentHandler handler, final Stop stop)
    {
        while (!stop.isStopped() && reader.poll(handler, BATCH) > 0)
        {
            Thread.onSpinWait();
        }
    }

    private void follow(
        final Gannet gannet, final RecordingReader reader, final FragmentHandler handler, final Stop stop)
    {
        final ReplayFrom start = fromTime != null ? ReplayFrom.time(Quantity.time("--from-time", fromTime)) :
            from != null || session != null ?
                ReplayFrom.position(onlySession(reader.sessions()), from == null ? 0 : from) : ReplayFrom.start();
        try (ReplaySubscription subscription = new ReplaySubscription(
            gannet, in, start, new Report(), PATIENCE_SECONDS, TimeUnit.SECONDS))
        {
            boolean told = false;
            while (!gannet.isClosed() && !stop.isStopped())
            {
                if (subscription.poll(handler, BATCH) == 0)
                {
                    if (!told && subscription.isLive())
                    {
                        told = true;
                        Report.line("live");
                    }
                    subscription.awaitMessage(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        }
        if (!stop.isStopped())
        {
            throw new OperatorException("replaying ended: the connection to the driver was closed");
        }
    }

    private int onlySession(final List<Integer> sessions)
    {
        if (session != null)
        {
            return session;
        }
        if (sessions.size() != 1)
        {
            throw new UsageException("--from and --to are positions of one session, and " + in + " has " +
                (sessions.isEmpty() ? "none" : sessions.toString()) + ": choose one with --session");
        }
        return sessions.getFirst();
    }

    private void check()
    {
        Client.checkChannel(channel);
        if ((from != null || to != null) && (fromTime != null || toTime != null))
        {
            throw new UsageException("--from and --to are for positions, --from-time and --to-time for times: use one");
        }
        if ((from != null && from < 0) || (to != null && to < 0))
        {
            throw new UsageException("--from and --to: positions are 0 or more");
        }
        if (live && (to != null || toTime != null))
        {
            throw new UsageException("--live has no end: leave out --to and --to-time");
        }
        if (!(speed >= SLOWEST) || speed > FASTEST)
        {
            throw new UsageException("--speed " + speed + ": 0.000001 to 1000000 is possible, or --fast");
        }
        if (live && speed != 1)
        {
            throw new UsageException(
                "--live goes as fast as it can until it is where publishers are: leave out --speed");
        }
    }
}

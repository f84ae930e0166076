package io.gannet.cli.recording;

import io.gannet.cli.Subcommand;
import io.gannet.recording.RecordingListener;
import io.gannet.recording.RecordingReader;
import io.gannet.text.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code gannet recording}: what is in a recording, and whether it is whole.
 */
@Command(name = "recording", description =
    "Reads a recording up to where it is now, checks every byte of it, and prints what is in it. Ends with 1 if " +
    "something is damaged.")
public final class RecordingCommand implements Subcommand
{
    private static final int BATCH = 1024;

    @Parameters(paramLabel = "DIR", description = "Directory of the recording.")
    private Path directory;

    @Option(names = "--json", description = "Prints one JSON object, when all was read.")
    private boolean json;

    /** What was read of a session. */
    private static final class Content
    {
        private long messages;
        private long bytes;
        private long firstTime;
        private long lastTime;
        private long end;
    }

    private final Map<Integer, Content> sessions = new LinkedHashMap<>();
    private final List<Consumer<Json>> gaps = new ArrayList<>();
    private final List<Consumer<Json>> damages = new ArrayList<>();
    private boolean damaged;
    private String channel;
    private int stream;
    private boolean live;
    private long unfinished;

    @Override
    public Integer call()
    {
        final Report report = new Report();
        final RecordingListener listener = new RecordingListener()
        {
            @Override
            public void onStart(final int session, final long position, final long time)
            {
                if (!json)
                {
                    report.onStart(session, position, time);
                }
            }

            @Override
            public void onGap(final int session, final long from, final long to, final Reason reason)
            {
                if (!json)
                {
                    report.onGap(session, from, to, reason);
                }
                gaps.add(text -> text.object().name("session").value(session).name("from").value(from)
                    .name("to").value(to).name("reason").value(reason.name().toLowerCase(Locale.ROOT)).end());
                damaged |= reason == Reason.DAMAGED;
            }

            @Override
            public void onEnd(final int session, final long position, final boolean complete)
            {
                if (!json)
                {
                    report.onEnd(session, position, complete);
                }
            }

            @Override
            public void onDamage(final Path file, final long offset, final long length)
            {
                if (!json)
                {
                    report.onDamage(file, offset, length);
                }
                damages.add(text -> text.object().name("file").value(file.toString()).name("offset").value(offset)
                    .name("length").value(length).end());
                damaged = true;
            }
        };
        try (RecordingReader reader = new RecordingReader(directory, listener))
        {
            live = reader.isBeingRecorded();
            channel = reader.channel();
            stream = reader.streamId();
            line("%s stream %d%s", channel, stream, live ? ", being recorded" : "");
            reader.endWithPresent();
            while (reader.poll((buffer, offset, length, header) ->
            {
                final Content content = sessions.computeIfAbsent(header.sessionId(), key -> new Content());
                final long time = ((io.gannet.recording.RecordedHeader) header).time();
                content.firstTime = content.messages == 0 ? time : content.firstTime;
                content.lastTime = time;
                content.end = header.position();
                content.messages++;
                content.bytes += length;
            }, BATCH) > 0)
            {
                Thread.onSpinWait();
            }
            unfinished = live ? 0 : reader.checkEnd();
            if (unfinished > 0)
            {
                line("%,d bytes at the end are of a block that was not finished, as its recorder was killed: " +
                    "the next one cuts them off", unfinished);
            }
        }
        sessions.forEach((session, content) -> line(
            "session %d: %,d messages of %,d bytes, up to position %d, %s to %s", session, content.messages,
            content.bytes, content.end, Quantity.instant(content.firstTime), Quantity.instant(content.lastTime)));
        line(damaged ? "damaged" : "intact");
        if (json)
        {
            System.out.println(json());
            System.out.flush();
        }
        return damaged ? 1 : 0;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    private void line(final String format, final Object... arguments)
    {
        if (!json)
        {
            Report.line(format, arguments);
        }
    }

    private CharSequence json()
    {
        final Json text = new Json().object()
            .name("directory").value(directory.toString())
            .name("channel").value(channel)
            .name("stream").value(stream)
            .name("beingRecorded").value(live)
            .name("intact").value(!damaged)
            .name("unfinishedBytes").value(unfinished)
            .name("sessions").array();
        sessions.forEach((session, content) -> text.object()
            .name("session").value(session)
            .name("messages").value(content.messages)
            .name("bytes").value(content.bytes)
            .name("endPosition").value(content.end)
            .name("firstTimeNanos").value(content.firstTime)
            .name("lastTimeNanos").value(content.lastTime)
            .end());
        text.end().name("gaps").array();
        gaps.forEach(gap -> gap.accept(text));
        text.end().name("damages").array();
        damages.forEach(damage -> damage.accept(text));
        return text.end().end().text();
    }
}

package io.gannet.cli.recording;

import io.gannet.cli.Subcommand;
import io.gannet.recording.RecordingListener;
import io.gannet.recording.RecordingReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
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
    private boolean damaged;

    @Override
    public Integer call()
    {
        final Report report = new Report();
        final RecordingListener listener = new RecordingListener()
        {
            @Override
            public void onStart(final int session, final long position, final long time)
            {
                report.onStart(session, position, time);
            }

            @Override
            public void onGap(final int session, final long from, final long to, final Reason reason)
            {
                report.onGap(session, from, to, reason);
                damaged |= reason == Reason.DAMAGED;
            }

            @Override
            public void onEnd(final int session, final long position, final boolean complete)
            {
                report.onEnd(session, position, complete);
            }

            @Override
            public void onDamage(final Path file, final long offset, final long length)
            {
                report.onDamage(file, offset, length);
                damaged = true;
            }
        };
        try (RecordingReader reader = new RecordingReader(directory, listener))
        {
            final boolean live = reader.isBeingRecorded();
            Report.line("%s stream %d%s", reader.channel(), reader.streamId(), live ? ", being recorded" : "");
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
            final long unfinished = live ? 0 : reader.checkEnd();
            if (unfinished > 0)
            {
                Report.line("%,d bytes at the end are of a block that was not finished, as its recorder was killed: " +
                    "the next one cuts them off", unfinished);
            }
        }
        sessions.forEach((session, content) -> Report.line(
            "session %d: %,d messages of %,d bytes, up to position %d, %s to %s", session, content.messages,
            content.bytes, content.end, Quantity.instant(content.firstTime), Quantity.instant(content.lastTime)));
        Report.line(damaged ? "damaged" : "intact");
        return damaged ? 1 : 0;
    }
}

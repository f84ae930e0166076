package io.gannet.cli.dump;

import io.gannet.cli.OperatorException;
import io.gannet.cli.Subcommand;
import io.gannet.cli.UsageException;
import io.gannet.control.GannetDirectory;
import io.gannet.recording.RecordedHeader;
import io.gannet.recording.RecordingListener;
import io.gannet.recording.RecordingReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet dump}: the frames that rings have, or that were recorded.
 */
@Command(name = "dump", description = {
    "Prints frames of a stream's rings, of a live or a dead driver, as hex or decoded by an SBE schema.",
    "Reads the files and joins nothing: publishers and subscribers don't notice. Consumed messages are " +
        "shown as long as they are not overwritten."})
public final class DumpCommand implements Subcommand
{
    @Option(names = "--dir", paramLabel = "PATH",
        description = "The driver's directory. Default: GANNET_DIR, else /dev/shm/gannet-<user>.")
    private Path directory;

    @Option(names = "--stream", description = "All rings of this stream in the directory.")
    private Integer stream;

    @Option(names = "--session", description = "Only that of this session.")
    private Integer session;

    @Option(names = "--ring", paramLabel = "FILE", description = "A ring's file, instead of --dir and --stream.")
    private Path ring;

    @Option(names = "--recording", paramLabel = "DIR", description = "A recording, instead of rings.")
    private Path recording;

    @Option(names = "--from", paramLabel = "POSITION", description =
        "Begins with the first frame there or behind it. Default: the last ones of a ring, the first of a recording.")
    private Long from;

    @Option(names = "--count", defaultValue = "20",
        description = "Frames at most of each ring, or of the recording. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(names = "--bytes", defaultValue = "256",
        description = "Bytes of a message at most that are shown as hex. Default: ${DEFAULT-VALUE}.")
    private int bytes;

    @Option(names = "--schema", paramLabel = "FILE", description = "SBE schema, XML, to decode messages by.")
    private Path schema;

    @Override
    public Integer call()
    {
        if (count < 1 || bytes < 0 || (from != null && from < 0))
        {
            throw new UsageException("--count must be 1 or more, --bytes and --from 0 or more");
        }
        final FramePrinter printer = new FramePrinter(schema == null ? null : SchemaDecoder.of(schema), bytes);
        if (recording != null)
        {
            dumpRecording(printer);
            return 0;
        }
        for (final Path file : ring != null ? List.of(ring) : rings())
        {
            dump(RingCopy.read(file), printer);
        }
        return 0;
    }

    private List<Path> rings()
    {
        if (stream == null)
        {
            throw new UsageException("one of --stream, --ring and --recording is needed");
        }
        final GannetDirectory where =
            directory == null ? GannetDirectory.ofUser() : new GannetDirectory(directory);
        final List<Path> found = new ArrayList<>();
        final List<Integer> others = new ArrayList<>();
        if (!Files.isDirectory(where.rings()))
        {
            throw new OperatorException(Files.isDirectory(where.path()) && !Files.isExecutable(where.path()) ?
                    where + " may not be entered by this user: run this as its owner, or a member of its group" :
                    "no driver was ever started in " + where);
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(where.rings()))
        {
            for (final Path file : files)
            {
                final RingCopy copy = Files.isRegularFile(file) ? RingCopy.header(file) : null;
                if (copy != null && copy.streamId() == stream && (session == null || session == copy.sessionId()))
                {
                    found.add(file);
                }
                else if (copy != null)
                {
                    others.add(copy.streamId());
                }
            }
        }
        catch (final IOException e)
        {
            throw new OperatorException("cannot read " + where.rings() + ": " + e, e);
        }
        if (found.isEmpty())
        {
            throw new OperatorException("no ring of stream " + stream +
                (session == null ? "" : ", session " + session) + " in " + where +
                (others.isEmpty() ? "; there are no rings" : "; there are rings of streams " +
                    new java.util.TreeSet<>(others)));
        }
        found.sort(null);
        return found;
    }

    private void dump(final RingCopy copy, final FramePrinter printer)
    {
        System.out.printf(Locale.ROOT, "%s: %s ring of %d bytes, stream %d, session %d, %s %s%s%n", copy.file(),
            copy.kind().name().toLowerCase(Locale.ROOT), copy.capacity(), copy.streamId(), copy.sessionId(),
            switch (copy.kind())
            {
                case IMAGE -> "received up to";
                case CONCURRENT -> "claimed up to";
                default -> "published up to about";
            }, copy.produced() < 0 ? "a position that can't be" : copy.produced(),
            copy.missing() == 0 ? "" : String.format(Locale.ROOT, "; its file is %d bytes too short", copy.missing()));
        final RingFrames frames = new RingFrames(copy);
        final ArrayDeque<Long> chosen = new ArrayDeque<>();
        if (from != null)
        {
            frames.seek(from);
        }
        for (long at = frames.next(); at >= 0 && (from == null || chosen.size() < count); at = frames.next())
        {
            if (chosen.size() == count)
            {
                chosen.removeFirst();
            }
            chosen.add(at);
        }
        for (final long at : chosen)
        {
            if (frames.isPadding(at))
            {
                printer.padding(at, frames.length(at));
            }
            else
            {
                printer.message(at, copy.sessionId(), frames.reservedValue(at), "", frames.payload(at));
            }
        }
        if (chosen.isEmpty())
        {
            System.out.println("no frames" + (from == null ? "" : " at " + from + " or behind it"));
        }
    }

    private void dumpRecording(final FramePrinter printer)
    {
        try (RecordingReader reader = new RecordingReader(recording, new Missing()))
        {
            if (session != null || from != null)
            {
                final List<Integer> sessions = reader.sessions();
                if (session == null && sessions.size() != 1)
                {
                    throw new UsageException("--from is a position of one session, and there are " + sessions +
                        ": choose one with --session");
                }
                if (!reader.seekToPosition(
                    session == null ? sessions.getFirst() : session, from == null ? 0 : from, Long.MAX_VALUE))
                {
                    throw new UsageException("--session " + session + ": nothing of it is recorded in " + recording +
                        "; there are " + sessions);
                }
            }
            final int printed = reader.poll((buffer, offset, length, header) ->
            {
                final byte[] payload = new byte[length];
                buffer.getBytes(offset, payload);
                final long frame = header.position() - io.gannet.ring.FrameHeader.step(length);
                printer.message(frame, header.sessionId(), header.reservedValue(),
                    "  recorded at " + ((RecordedHeader) header).time(), payload);
            }, count);
            if (printed == 0)
            {
                System.out.println("no messages" + (from == null ? "" : " at " + from + " or behind it"));
            }
        }
    }

    /** Prints what a recording lacks. */
    private static final class Missing implements RecordingListener
    {
        @Override
        public void onGap(final int sessionId, final long start, final long end, final Reason reason)
        {
            System.out.printf(Locale.ROOT, "session %d has nothing in [%d, %d): %s%n", sessionId, start, end,
                reason.name().toLowerCase(Locale.ROOT));
        }

        @Override
        public void onDamage(final Path file, final long offset, final long length)
        {
            System.out.printf(Locale.ROOT, "%s: %d bytes from %d on are not intact%n", file, length, offset);
        }
    }
}

package io.gannet.cli.trace;

import io.gannet.control.GannetDirectory;
import io.gannet.monitor.ClientNames;
import io.gannet.os.LateFault;
import io.gannet.os.OsException;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The rings that a stream has in some drivers' directories, and the places that its messages pass there. Not
 * thread-safe.
 */
public final class Hops implements AutoCloseable
{
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int SENDER = 3;

    private final List<WatchedRing> rings = new ArrayList<>();
    private final List<GannetDirectory> owners = new ArrayList<>();
    private final NavigableSet<Integer> otherStreams = new TreeSet<>();
    private final boolean namesDirectories;

    private Hops(final boolean namesDirectories)
    {
        this.namesDirectories = namesDirectories;
    }

    /**
     * Maps rings to read them.
     *
     * @param session of the stream; null for all.
     * @throws IOException   if a directory can't be read.
     * @throws InternalError if a ring is truncated meanwhile, as from all that looks at rings.
     */
    public static Hops open(final List<GannetDirectory> directories, final int stream, final Integer session)
        throws IOException
    {
        final Hops hops = new Hops(directories.size() > 1);
        boolean opened = false;
        try
        {
            for (final GannetDirectory where : directories)
            {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(where.rings()))
                {
                    for (final Path file : files)
                    {
                        hops.add(where, file, stream, session);
                    }
                }
            }
            opened = true;
            return hops;
        }
        finally
        {
            if (!opened)
            {
                hops.close();
            }
        }
    }

    private void add(final GannetDirectory where, final Path file, final int stream, final Integer session)
    {
        final WatchedRing ring;
        try
        {
            ring = WatchedRing.open(file);
        }
        catch (final OsException gone)
        {
            return;
        }
        if (ring == null)
        {
            return;
        }
        if (ring.streamId() == stream && (session == null || session == ring.sessionId()))
        {
            rings.add(ring);
            owners.add(where);
        }
        else
        {
            otherStreams.add(ring.streamId());
            ring.close();
        }
    }

    /** Of the rings. */
    public NavigableSet<Integer> sessions()
    {
        final NavigableSet<Integer> sessions = new TreeSet<>();
        rings.forEach(ring -> sessions.add(ring.sessionId()));
        return sessions;
    }

    /** What other rings the directories have. */
    public NavigableSet<Integer> otherStreams()
    {
        return otherStreams;
    }

    /** Where messages are seen first: publisher, or receiver if the publisher's ring is not there. */
    public String first()
    {
        return isImage() ? "receiver" : "publisher";
    }

    private boolean isImage()
    {
        return rings.get(source()).kind() == RingKind.IMAGE;
    }

    /** The ring in which messages are seen first. */
    private int source()
    {
        for (int i = 0; i < rings.size(); i++)
        {
            if (rings.get(i).kind() != RingKind.IMAGE)
            {
                return i;
            }
        }
        return 0;
    }

    /** What messages pass behind the first place, in order; nothing without a subscriber. For one session. */
    public List<Stage> stages()
    {
        final List<Stage> stages = new ArrayList<>();
        if (rings.isEmpty())
        {
            return stages;
        }
        final int first = source();
        final WatchedRing source = rings.get(first);
        Stage sender = null;
        if (!isImage())
        {
            for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
            {
                if (isGate(source, i, SENDER))
                {
                    sender = Stage.ofGate("sender", source, i, null);
                    stages.add(sender);
                }
            }
            addGates(first, null, stages);
        }
        for (int i = 0; i < rings.size(); i++)
        {
            if (rings.get(i).kind() == RingKind.IMAGE)
            {
                Stage receiver = null;
                if (i != first)
                {
                    receiver = Stage.ofReceived("receiver" + of(i), rings.get(i), sender);
                    stages.add(receiver);
                }
                addGates(i, receiver, stages);
            }
        }
        return stages;
    }

    private void addGates(final int index, final Stage after, final List<Stage> stages)
    {
        final WatchedRing ring = rings.get(index);
        final ClientNames names = new ClientNames(owners.get(index));
        for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
        {
            if (isGate(ring, i, LOCAL))
            {
                stages.add(Stage.ofGate("subscriber " + names.of(ring.gateClient(i)), ring, i, after));
            }
            else if (isGate(ring, i, REMOTE))
            {
                stages.add(Stage.ofGate("consumed on another host, and told", ring, i, null));
            }
        }
    }

    private static boolean isGate(final WatchedRing ring, final int index, final int kind)
    {
        return ring.gateKind(index) == kind && !ring.isFree(index);
    }

    private String of(final int index)
    {
        return namesDirectories ? " in " + owners.get(index).path().getFileName() : "";
    }

    /**
     * Takes samples of messages on their way to some {@link #stages()}.
     *
     * @param intervalNanos between two.
     * @param widestNanos   longest time between two looks that a sample may have.
     * @param patienceNanos after which a message is no longer followed.
     * @param partial       whether of a sample that is left out those places count at which it was seen before that.
     */
    public Tracer tracer(
        final List<Stage> stages,
        final long intervalNanos,
        final long widestNanos,
        final long patienceNanos,
        final boolean partial)
    {
        return new Tracer(rings.get(source()), isImage(), stages, intervalNanos, widestNanos, patienceNanos, partial);
    }

    @Override
    public void close()
    {
        rings.forEach(WatchedRing::close);
        LateFault.discard();
    }
}

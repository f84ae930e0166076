package io.gannet.driver;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.GannetDirectory;
import io.gannet.errors.OperatorError;
import io.gannet.os.DirectoryTime;
import io.gannet.os.LateFault;
import io.gannet.os.OsException;
import io.gannet.os.SharedFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * Finds clients by their files, and their deaths by the locks on these: exact across pid namespaces, and never fooled
 * by a pause. Owned by the conductor.
 */
final class Clients
{
    /** An unlocked file younger than this may be one that its client is about to lock. */
    private static final long YOUNG_MILLIS = 10_000;

    /** Longer than the steps of a directory's time. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long UNSETTLED = -1;
    private static final String NOISE = "it was written to by something else than client and driver";

    private final GannetDirectory directory;
    private final DirectoryTime time;
    private final DriverErrors errors;
    private final DriverCounters counters;
    private final Streams streams;
    private final Function<ClientFile, ClientSession> newSession;
    private final long pauseThresholdNanos;
    private final Long2ObjectHashMap<ClientSession> sessions = new Long2ObjectHashMap<>();
    private final List<ClientSession> ordered = new ArrayList<>();
    private final LongHashSet paused = new LongHashSet();
    private final Set<String> reported = new HashSet<>();
    /** The directory's time when all its files were known clients', else {@link #UNSETTLED}. */
    private long settledTime = UNSETTLED;

    Clients(
        final GannetDirectory directory,
        final DriverConfiguration configuration,
        final DriverErrors errors,
        final DriverCounters counters,
        final Streams streams,
        final Function<ClientFile, ClientSession> newSession)
    {
        this.directory = directory;
        time = new DirectoryTime(directory.clients());
        this.errors = errors;
        this.counters = counters;
        this.streams = streams;
        this.newSession = newSession;
        pauseThresholdNanos = configuration.get(DriverOptions.PAUSE_THRESHOLD);
        streams.describeBy(this::describe, pauseThresholdNanos);
    }

    int count()
    {
        return ordered.size();
    }

    /** For messages; a client that is paused is said to be. */
    private String describe(final long clientId)
    {
        final ClientSession session = sessions.get(clientId);
        return session == null ? "client " + JournalEntry.hex(clientId) :
            session.describe() + (paused.contains(clientId) ? ", which is paused," : "");
    }

    /** Serves commands of all clients. */
    int poll()
    {
        int work = 0;
        for (int i = 0, size = ordered.size(); i < size; i++)
        {
            final ClientSession session = ordered.get(i);
            try
            {
                work += session.poll();
            }
            catch (final RuntimeException | InternalError failure)
            {
                // One of the driver's own files may be why.
                if (errors.isTheEnd() || (failure instanceof InternalError && breakTruncated()))
                {
                    return work;
                }
                breakOff(session, failure);
            }
        }
        return work;
    }

    /** As {@link #scan()}, unless there is nothing new for certain; makes no garbage then. */
    void scanIfChanged()
    {
        if (settledTime == UNSETTLED || settledTime != directoryTime())
        {
            scan();
        }
    }

    /** Looks for clients that are new in the directory. */
    void scan()
    {
        final long modified = directoryTime();
        boolean settled = nowNanos() - modified > SETTLED_NANOS;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.clients()))
        {
            for (final Path file : files)
            {
                final String name = file.getFileName().toString();
                final long clientId = GannetDirectory.clientId(name);
                if (clientId != 0 && !sessions.containsKey(clientId))
                {
                    arrived(clientId, file);
                }
                else if (clientId == 0)
                {
                    examineForeign(file);
                }
                settled &= sessions.containsKey(clientId);
            }
        }
        catch (final AccessDeniedException denied)
        {
            settled = false;
            errors.onError(new DriverException(OperatorError.NO_PERMISSION, "cannot look for new clients in " +
                directory.clients() + ": permission denied. Give the driver's user rwx of it and of " +
                directory.path(), denied));
        }
        catch (final IOException failure)
        {
            settled = false;
            errors.onError(failure);
        }
        settledTime = settled ? modified : UNSETTLED;
    }

    private long directoryTime()
    {
        try
        {
            return time.modified();
        }
        catch (final OsException missing)
        {
            return UNSETTLED;
        }
    }

    private static long nowNanos()
    {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    /** Of the clients that hold something since the driver before, those that are gone lose it now. */
    void releaseGone(final Set<Long> holders)
    {
        for (final Long clientId : holders)
        {
            if (!sessions.containsKey(clientId.longValue()))
            {
                streams.releaseClient(clientId);
            }
        }
    }

    /** Looks for clients that died, paused or went on. */
    void checkLiveness(final long nowNanos)
    {
        for (int i = ordered.size() - 1; i >= 0; i--)
        {
            final ClientSession session = ordered.get(i);
            if (session.file().isAlive())
            {
                if (session.state() != ClientSession.State.BROKEN)
                {
                    checkPauseGuarded(session, nowNanos);
                }
            }
            else
            {
                ended(session);
            }
        }
        counters.system(SystemCounter.CLIENTS_PAUSED).setRelease(paused.size());
    }

    private void checkPauseGuarded(final ClientSession session, final long nowNanos)
    {
        try
        {
            if (session.isNoisy())
            {
                breakOff(session, NOISE, null);
            }
            else
            {
                checkPause(session, nowNanos);
            }
        }
        catch (final InternalError truncated)
        {
            breakOff(session, truncated);
        }
    }

    /**
     * Cuts off whose file is too short. Compiled code may throw the fault of one in the middle of another's work, or
     * later.
     *
     * @return whether there was one.
     */
    boolean breakTruncated()
    {
        boolean found = false;
        for (final ClientSession session : ordered)
        {
            if (!session.isBroken() && !session.file().isWhole())
            {
                breakOff(session, new InternalError("it was truncated"));
                found = true;
            }
        }
        return found;
    }

    private void breakOff(final ClientSession session, final Throwable failure)
    {
        breakOff(session, failure.toString(), failure);
    }

    private void breakOff(final ClientSession session, final String why, final Throwable failure)
    {
        session.broken();
        errors.onError(new DriverException(OperatorError.CLIENT_FILE, "client " + session.describe() +
            " is cut off, as its file can't be used: " + why +
            "; its publications and subscriptions are removed when it is gone", failure));
    }

    /** Lets go of all files; the clients' holdings stay for the driver that comes next. */
    void close()
    {
        ordered.forEach(session -> session.file().close());
        ordered.clear();
        sessions.clear();
    }

    private void arrived(final long clientId, final Path file)
    {
        try
        {
            final ClientFile clientFile = ClientFile.attach(directory, clientId);
            if (!clientFile.isAlive())
            {
                clientFile.delete();
                clientFile.close();
                return;
            }
            final ClientSession session = newSession.apply(clientFile);
            sessions.put(clientId, session);
            ordered.add(session);
            counters.system(SystemCounter.CLIENTS).setRelease(ordered.size());
        }
        catch (final ControlException e)
        {
            if (e.reason() != ControlException.Reason.MISSING)
            {
                report(file, e);
                removeUnlessLocked(file);
            }
        }
    }

    private void ended(final ClientSession session)
    {
        // Of a poll of this client's file, if that was truncated; what follows must not be left half done.
        LateFault.discard();
        if (!session.isBroken() && session.file().isWhole() && session.isNoisy())
        {
            // The client was the first to see it.
            breakOff(session, NOISE, null);
        }
        if (session.state() != ClientSession.State.LEFT && session.state() != ClientSession.State.REFUSED)
        {
            counters.system(SystemCounter.CLIENT_DEATHS).getAndAdd(1);
            if (!session.isBroken())
            {
                errors.tell(
                    "client " + session.describe() + " is dead; its publications and subscriptions are removed");
            }
        }
        sessions.remove(session.clientId());
        ordered.remove(session);
        paused.remove(session.clientId());
        counters.system(SystemCounter.CLIENTS).setRelease(ordered.size());
        try
        {
            session.release();
        }
        finally
        {
            endFile(session.file());
        }
    }

    private static void endFile(final ClientFile file)
    {
        try
        {
            file.delete();
        }
        finally
        {
            file.close();
        }
    }

    private void checkPause(final ClientSession session, final long nowNanos)
    {
        final long silenceNanos = nowNanos - session.file().heartbeat();
        if (silenceNanos > pauseThresholdNanos)
        {
            if (paused.add(session.clientId()))
            {
                errors.tell("client " + session.describe() + " is alive but silent since " +
                    TimeUnit.NANOSECONDS.toMillis(silenceNanos) + " ms; nothing is taken from it");
            }
        }
        else if (paused.remove(session.clientId()))
        {
            errors.tell("client " + session.describe() + " goes on");
        }
    }

    /** A name that is no client's: a file in the making, or what a client left that died while it made one. */
    private void examineForeign(final Path file)
    {
        if (file.getFileName().toString().startsWith("."))
        {
            removeUnlessLocked(file);
        }
        else
        {
            report(file, new DriverException(OperatorError.FOREIGN_FILE, file + " is not a client's file; remove it"));
        }
    }

    private void removeUnlessLocked(final Path path)
    {
        try
        {
            // Not opened while it is young: who makes it may not have given it its mode yet.
            if (isOld(path) && !isLocked(path))
            {
                Files.deleteIfExists(path);
                reported.remove(path.toString());
            }
        }
        catch (final OsException | IOException e)
        {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS))
            {
                report(path, e);
            }
        }
    }

    private static boolean isLocked(final Path path)
    {
        try (SharedFile file = SharedFile.open(path))
        {
            return file.isLockedByOther();
        }
    }

    private static boolean isOld(final Path path) throws IOException
    {
        return System.currentTimeMillis() - Files.getLastModifiedTime(path).toMillis() > YOUNG_MILLIS;
    }

    private void report(final Path file, final Exception problem)
    {
        if (reported.add(file.toString()))
        {
            errors.onError(problem);
        }
    }
}

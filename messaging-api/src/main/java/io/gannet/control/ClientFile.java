package io.gannet.control;

import static io.gannet.control.ClientLayout.CLIENT_ID;
import static io.gannet.control.ClientLayout.CLIENT_MAGIC;
import static io.gannet.control.ClientLayout.COMMAND_RING;
import static io.gannet.control.ClientLayout.CONNECTED_EPOCH;
import static io.gannet.control.ClientLayout.EVENT_RING;
import static io.gannet.control.ClientLayout.GIVEN_UP;
import static io.gannet.control.ClientLayout.HEARTBEAT;
import static io.gannet.control.ClientLayout.LAYOUT_VERSION;
import static io.gannet.control.ClientLayout.LENGTH;
import static io.gannet.control.ClientLayout.MAGIC;
import static io.gannet.control.ClientLayout.MAX_NAME_LENGTH;
import static io.gannet.control.ClientLayout.NAME;
import static io.gannet.control.ClientLayout.PID;
import static io.gannet.control.ClientLayout.PROTOCOL_VERSION;
import static io.gannet.control.ClientLayout.RING_LENGTH;
import static io.gannet.control.ClientLayout.START_TIME;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.gannet.control.ControlException.Reason;
import io.gannet.os.FileWatch;
import io.gannet.os.OsException;
import io.gannet.os.Processes;
import io.gannet.protocol.ConnectDecoder;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * A client's file {@code clients/<id>}. Layout: {@link ClientLayout}. The client {@link #create}s and locks it, the
 * driver {@link #attach}es to it, others may {@link #attach} to read who the client is. Not thread-safe but for what
 * says so.
 */
public final class ClientFile implements AutoCloseable
{
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final MappedFile mapped;
    private final UnsafeBuffer buffer;
    private final boolean owned;
    private final Bell bell;
    private final OneToOneRingBuffer commands;
    private final OneToOneRingBuffer events;
    private final long clientId;
    private final long pid;
    /** The client's: what it wrote last for the driver to find. */
    private long ownEpoch;

    private ClientFile(final Path path, final MappedFile mapped, final boolean owned)
    {
        this.path = path;
        this.mapped = mapped;
        this.owned = owned;
        buffer = mapped.buffer();
        clientId = buffer.getLong(CLIENT_ID);
        pid = buffer.getLong(PID);
        bell = new Bell(mapped, ClientLayout.BELL, null);
        commands = new OneToOneRingBuffer(new UnsafeBuffer(buffer, COMMAND_RING, RING_LENGTH));
        events = new OneToOneRingBuffer(new UnsafeBuffer(buffer, EVENT_RING, RING_LENGTH));
    }

    /**
     * The client's: makes its file, locks it and puts it in place, with a random id.
     *
     * @param name of the process, for people; shortened to 188 bytes.
     * @throws ControlException if there is no room or no permission.
     */
    public static ClientFile create(final GannetDirectory directory, final String name)
    {
        final long clientId = 1 + (RANDOM.nextLong() >>> 2);
        final Path path = directory.client(clientId);
        final Path temporary = GannetDirectory.temporary(path);
        final MappedFile mapped = MappedFile.create(directory, temporary, LENGTH);
        if (!mapped.file().tryLock())
        {
            mapped.unmap();
            MappedFile.delete(temporary);
            throw new ControlException(Reason.IN_USE, "somebody else locked the new file " + temporary);
        }
        final UnsafeBuffer buffer = mapped.buffer();
        buffer.putInt(LAYOUT_VERSION, DriverLayout.VERSION);
        buffer.putInt(PROTOCOL_VERSION, ConnectDecoder.SCHEMA_VERSION);
        buffer.putLong(CLIENT_ID, clientId);
        buffer.putLong(PID, Processes.pid());
        buffer.putLong(START_TIME, System.currentTimeMillis());
        final byte[] nameBytes = MessageWriter.encodeText(name, MAX_NAME_LENGTH);
        buffer.putInt(NAME, nameBytes.length);
        buffer.putBytes(NAME + Integer.BYTES, nameBytes);
        buffer.putLongOpaque(HEARTBEAT, System.nanoTime());
        buffer.putLongRelease(MAGIC, CLIENT_MAGIC);             // pairs with attach()
        mapped.rename(temporary, path);
        return new ClientFile(path, mapped, true);
    }

    /**
     * Opens the file of another process's client.
     *
     * @throws ControlException MISSING when it is gone, CORRUPT, or WRONG_VERSION naming both versions.
     */
    public static ClientFile attach(final GannetDirectory directory, final long clientId)
    {
        return open(directory, clientId, true);
    }

    /** As {@link #attach}, to read who the client is: a tool needs no right to write. */
    public static ClientFile look(final GannetDirectory directory, final long clientId)
    {
        return open(directory, clientId, false);
    }

    private static ClientFile open(final GannetDirectory directory, final long clientId, final boolean writable)
    {
        final Path path = directory.client(clientId);
        final MappedFile mapped = MappedFile.open(path, LENGTH, writable);
        final UnsafeBuffer buffer = mapped.buffer();
        final long magic = buffer.getLongVolatile(MAGIC);       // pairs with create(): the rest is there
        final int layoutVersion = magic == CLIENT_MAGIC ? buffer.getInt(LAYOUT_VERSION) : 0;
        if (magic == CLIENT_MAGIC && layoutVersion == DriverLayout.VERSION && buffer.getLong(CLIENT_ID) == clientId)
        {
            return new ClientFile(path, mapped, false);
        }
        mapped.unmap();
        if (magic == CLIENT_MAGIC && layoutVersion != DriverLayout.VERSION)
        {
            throw DriverFile.wrongVersion(path, layoutVersion);
        }
        throw new ControlException(Reason.CORRUPT, path + " is not the file of a client");
    }

    /** Names the client in its directory for ever; at least 1. */
    public long clientId()
    {
        return clientId;
    }

    /** In the client's own pid namespace; for messages. */
    public long pid()
    {
        return pid;
    }

    /** When the client connected, in ms since 1970; for messages. */
    public long startTimeMillis()
    {
        return buffer.getLong(START_TIME);
    }

    /** Schema version that the client speaks. */
    public int protocolVersion()
    {
        return buffer.getInt(PROTOCOL_VERSION);
    }

    /** Of the client's process; for people, and printable whatever the client wrote there. */
    public String name()
    {
        final byte[] bytes = new byte[Math.clamp(buffer.getInt(NAME), 0, MAX_NAME_LENGTH)];
        buffer.getBytes(NAME + Integer.BYTES, bytes);
        return PrintableText.of(new String(bytes, UTF_8), MAX_NAME_LENGTH);
    }

    /** Whether the client lives. A system call. */
    public boolean isAlive()
    {
        return owned || mapped.file().isLockedByOther();
    }

    /**
     * The client's: clears both rings for a driver that just started. The driver before it is dead.
     */
    public void clearRings()
    {
        ownEpoch = 0;
        // Before the zeroes, for a driver that looks whether the rings are whole.
        buffer.putLongVolatile(CONNECTED_EPOCH, 0);
        buffer.setMemory(COMMAND_RING, RING_LENGTH, (byte) 0);
        buffer.setMemory(EVENT_RING, RING_LENGTH, (byte) 0);
    }

    /** The client's: after {@link #clearRings} and the first command, lets the driver of this epoch use the rings. */
    public void connectTo(final long driverEpoch)
    {
        ownEpoch = driverEpoch;
        buffer.putLongRelease(CONNECTED_EPOCH, driverEpoch);     // pairs with connectedEpoch()
    }

    /** Whether nobody has written over what says whose file this is. Any thread. */
    public boolean isIntact()
    {
        return buffer.getLongOpaque(MAGIC) == CLIENT_MAGIC && buffer.getInt(LAYOUT_VERSION) == DriverLayout.VERSION &&
            buffer.getLongOpaque(CLIENT_ID) == clientId && buffer.getLongOpaque(PID) == pid;
    }

    /** The driver's: it can't use this file any more, which the client is to know, however damaged the rest is. */
    public void giveUp()
    {
        buffer.putLongVolatile(CONNECTED_EPOCH, GIVEN_UP);
        bell.ring();
    }

    /** The client's: what happened to the file, without which no driver knows of the client; null for nothing. */
    public String problem()
    {
        final long epoch = connectedEpoch();
        if (epoch == GIVEN_UP)
        {
            return path + " was given up by the driver, whose log says why";
        }
        return epoch == ownEpoch && isIntact() ? null : noise();
    }

    /** Says that it was written to. */
    public String noise()
    {
        return path + " was written to by something else than its client and driver";
    }

    /** The driver must not touch the rings before this is its own epoch. Any thread. */
    public long connectedEpoch()
    {
        return buffer.getLongVolatile(CONNECTED_EPOCH);          // pairs with connectTo()
    }

    /** The client's: says that its conductor turns. Any thread. */
    public void heartbeat(final long nowNanos)
    {
        buffer.putLongOpaque(HEARTBEAT, nowNanos);
    }

    /** Last heartbeat, of the monotonic clock. Any thread. */
    public long heartbeat()
    {
        return buffer.getLongOpaque(HEARTBEAT);
    }

    /** Wakes the client's conductor. Any thread. */
    public Bell bell()
    {
        return bell;
    }

    /** The client's end of the command ring. */
    public CommandWriter commandWriter()
    {
        return new CommandWriter(commands);
    }

    /** The driver's end of the command ring, for a {@link CommandReader}. */
    public GuardedRing commands()
    {
        return new GuardedRing(commands);
    }

    /** The driver's end of the event ring. */
    public EventWriter eventWriter()
    {
        return new EventWriter(events);
    }

    /** The client's end of the event ring, for an {@link EventReader}. */
    public GuardedRing events()
    {
        return new GuardedRing(events);
    }

    /**
     * Tells what happens to the file, which is to stay whole.
     *
     * @throws ControlException if it is not there any more.
     */
    public FileWatch watch()
    {
        try
        {
            return new FileWatch(path, LENGTH);
        }
        catch (final OsException gone)
        {
            throw MappedFile.failure(path, gone);
        }
    }

    /** Removes the file from the directory: by the driver when the client is dead, by the client without a driver. */
    public void delete()
    {
        MappedFile.delete(path);
    }

    /** Whether all of it is still there; not, if somebody has truncated it. A system call. */
    public boolean isWhole()
    {
        return mapped.isWhole();
    }

    /**
     * Lets go; a client's lock is given back. Afterwards the client's threads find zeroes; the driver's must not touch
     * this object.
     */
    @Override
    public void close()
    {
        if (owned)
        {
            mapped.retire();
        }
        else
        {
            mapped.unmap();
        }
    }
}

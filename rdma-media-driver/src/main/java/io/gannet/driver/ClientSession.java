package io.gannet.driver;

import io.gannet.control.ClientFile;
import io.gannet.control.CommandReader;
import io.gannet.control.ErrorCode;
import io.gannet.control.GuardedRing;
import io.gannet.errors.OperatorError;
import io.gannet.os.LateFault;
import io.gannet.protocol.ConnectDecoder;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The driver's end of one client: its file, its rings of commands and events, and where it is in its life. Owned by the
 * conductor. Whatever stands in the client's rings, nothing but this session suffers from it.
 */
final class ClientSession
{
    /** Where a session is in its life. */
    enum State
    {
        /** The client's file is there, its first command is not. */
        ARRIVED,
        CONNECTED,
        /** It sent garbage: it may connect anew and claim what it held. Until then that stays as it is. */
        GIVEN_UP,
        /** It speaks no version that this driver knows, or is one too many: only its end is waited for. */
        REFUSED,
        /** Its file can't be read: only its end is waited for. What it holds stays until then. */
        BROKEN,
        /** It said that it is going. */
        LEFT
    }

    private static final int COMMAND_LIMIT = 16;

    private final ClientFile file;
    private final RefusedException refusal;
    private final long clientId;
    private final String description;
    private final long driverEpoch;
    private final DriverCounters counters;
    private final AtomicCounter commandCount;
    private final AtomicCounter refusedCount;
    private final DriverErrors errors;
    private final EventQueue events;
    private final GuardedRing commands;
    private final ClientHoldings holdings;
    private final CommandReader reader;
    private State state = State.ARRIVED;
    private boolean matchLater;
    /** Why the client is given up, as long as it was not told. */
    private String untold;

    /**
     * @param refusal what the client is told instead of being served, or null.
     */
    ClientSession(
        final ClientFile file,
        final RefusedException refusal,
        final long driverEpoch,
        final Streams streams,
        final DriverCounters counters,
        final DriverErrors errors)
    {
        this.file = file;
        this.refusal = refusal;
        this.driverEpoch = driverEpoch;
        this.counters = counters;
        this.errors = errors;
        clientId = file.clientId();
        description = file.name() + " (pid " + file.pid() + ")";
        commandCount = counters.system(SystemCounter.COMMANDS);
        refusedCount = counters.system(SystemCounter.COMMANDS_REFUSED);
        events = new EventQueue(file, driverEpoch);
        commands = file.commands();
        holdings = new ClientHoldings(this, streams, counters);
        reader = new CommandReader(new ClientCommands(this, holdings, streams, counters));
    }

    long clientId()
    {
        return clientId;
    }

    ClientFile file()
    {
        return file;
    }

    State state()
    {
        return state;
    }

    EventQueue events()
    {
        return events;
    }

    ClientHoldings holdings()
    {
        return holdings;
    }

    /** For messages. */
    String describe()
    {
        return description;
    }

    /** The subscriptions of this client are to be matched when its events have drained. */
    void matchLater()
    {
        matchLater = true;
    }

    /** Serves the client's commands; returns how many. */
    int poll()
    {
        final boolean mute = state == State.LEFT || state == State.BROKEN || file.connectedEpoch() != driverEpoch;
        if (mute || (state == State.GIVEN_UP && !startsAnew()) || !events.flush())
        {
            return 0;
        }
        if (matchLater)
        {
            matchLater = false;
            holdings.match();
        }
        final int count = commands.read(reader, COMMAND_LIMIT);
        if (count == GuardedRing.CORRUPT)
        {
            giveUp("its command ring holds bytes that are no record");
        }
        if (untold == null)
        {
            return Math.max(0, count);
        }
        // Behind the last touch of both rings, as the client clears them when it hears of it.
        final String reason = untold;
        untold = null;
        events.sendLast(out -> out.operationFailed(0, ErrorCode.MALFORMED_COMMAND, reason));
        return 1;
    }

    /** Whether a client that was given up has cleared its rings, which are left alone until then. */
    private boolean startsAnew()
    {
        // The epoch behind the position: it is 0 from before the clearing until after it.
        final boolean cleared = commands.isAtStart() && file.connectedEpoch() == driverEpoch;
        if (!cleared)
        {
            events.flush();
        }
        return cleared;
    }

    /** Frees everything: the client is dead. */
    void release()
    {
        holdings.release();
    }

    /** The client says that it is going, and has let go of everything. */
    void left()
    {
        state = State.LEFT;
        holdings.release();
    }

    /** The client's file failed under the driver's hands; the client is told if it can be. */
    void broken()
    {
        state = State.BROKEN;
        events.breakOff();
        try
        {
            if (file.isWhole())
            {
                file.giveUp();
            }
        }
        catch (final InternalError truncated)
        {
            LateFault.discard();
        }
    }

    /** Whether somebody else has written over what client and driver find each other by, or over the rings. */
    boolean isNoisy()
    {
        if (state != State.CONNECTED && state != State.GIVEN_UP)
        {
            return false;
        }
        final long epoch = file.connectedEpoch();
        // A client that starts anew clears its rings under epoch 0.
        final boolean whole = file.isIntact() && (epoch == driverEpoch || epoch == 0) &&
            (epoch == 0 || areRingsIntact());
        return !whole && file.connectedEpoch() == epoch;
    }

    private boolean areRingsIntact()
    {
        // What is wrong in the ring of commands of a client that was given up is known, and mended by it.
        return events.isIntact() && (state == State.GIVEN_UP || commands.isWriterIntact());
    }

    boolean isBroken()
    {
        return state == State.BROKEN;
    }

    /**
     * The client's threads may be publishing and polling for all that is known, so its gates and claims stay until it
     * has connected anew, or is dead.
     */
    void giveUp(final String reason)
    {
        if (state == State.GIVEN_UP || state == State.REFUSED || state == State.LEFT)
        {
            return;
        }
        state = State.GIVEN_UP;
        counters.system(SystemCounter.CLIENTS_GIVEN_UP).getAndAdd(1);
        errors.onError(new DriverException(OperatorError.CLIENT_GIVEN_UP, "client " + describe() +
            " is given up: " + reason + "; it may connect anew, nobody else is touched"));
        holdings.detach();
        untold = reason;
    }

    /** The client introduces itself, which it may do again. */
    void connect(final long correlationId, final long epoch, final int protocolVersion)
    {
        commandCount.getAndAdd(1);
        if (untold != null)
        {
            return;         // behind what it is given up for, in the same ring
        }
        if (epoch != driverEpoch)
        {
            giveUp("a Connect for epoch " + epoch + " instead of " + driverEpoch);
            return;
        }
        if (state == State.CONNECTED)
        {
            // It found garbage in its own event ring, or something like it, and starts anew.
            holdings.detach();
        }
        events.begin();
        if (refusal != null)
        {
            state = State.REFUSED;
            refuse(correlationId, refusal);
            return;
        }
        final int own = ConnectDecoder.SCHEMA_VERSION;
        if (protocolVersion > own + 1 || protocolVersion < own - 1)
        {
            state = State.REFUSED;
            refuse(correlationId, new RefusedException(ErrorCode.VERSION_MISMATCH,
                "the driver speaks protocol version " + own + ", the client version " + protocolVersion +
                ": use releases that are at most one version apart"));
            return;
        }
        state = State.CONNECTED;
        events.send(out -> out.connected(correlationId, driverEpoch));
    }

    /** Counts a command, and gives the client up if it has not introduced itself; whether it is to be served. */
    boolean admits()
    {
        commandCount.getAndAdd(1);
        if (state == State.ARRIVED)
        {
            giveUp("a command before Connect");
        }
        return state == State.CONNECTED;
    }

    void refuse(final long correlationId, final Throwable failure)
    {
        countRefusal();
        final ErrorCode code = failure instanceof final RefusedException refused ? refused.code() : ErrorCode.GENERIC;
        events.send(out -> out.operationFailed(correlationId, code, String.valueOf(failure.getMessage())));
    }

    void countRefusal()
    {
        refusedCount.getAndAdd(1);
    }
}

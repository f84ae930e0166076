package io.gannet;

import io.gannet.os.OsException;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Gates of subscriptions that this client has closed, until a driver has removed them. When the driver is dead the
 * client removes them itself, so that no publisher waits for a subscription that is closed until a driver comes back.
 * For the conductor.
 */
final class LeftGates
{
    private final List<Gate> gates = new ArrayList<>();

    /**
     * One entry of a ring's gating list.
     *
     * @param ringFile       of the ring.
     * @param ringId         of the ring.
     * @param index          of the entry.
     * @param clientId       that the entry names.
     * @param registrationId that the entry names.
     * @param removal        correlation id of the command by which the driver was asked to remove it.
     */
    record Gate(Path ringFile, long ringId, int index, long clientId, long registrationId, long removal)
    {
    }

    void add(final Gate gate)
    {
        gates.add(gate);
    }

    /** The driver has done what this command asked for. */
    void removed(final long removal)
    {
        if (!gates.isEmpty())
        {
            gates.removeIf(gate -> gate.removal == removal);
        }
    }

    /** A driver knows what this client still holds, and has removed all else. */
    void clear()
    {
        gates.clear();
    }

    /** The driver is dead: leaves what another driver doesn't already conduct. */
    void leaveAll()
    {
        gates.removeIf(LeftGates::leave);
    }

    private static boolean leave(final Gate gate)
    {
        try (RingLock lock = RingLock.tryAcquire(gate.ringFile))
        {
            if (lock == null)
            {
                return false;
            }
            final Ring ring = RingFile.attach(gate.ringFile, RingFile.Access.READ);
            try
            {
                final GatingList list = new GatingList(ring);
                if (ring.description().registrationId() == gate.ringId &&
                    list.kind(gate.index) == GatingList.Kind.LOCAL &&
                    list.clientId(gate.index) == gate.clientId &&
                    list.registrationId(gate.index) == gate.registrationId)
                {
                    new Membership(ring).leave(gate.index);
                }
            }
            finally
            {
                ring.close();
                ring.free();
            }
        }
        catch (final OsException | IllegalStateException gone)
        {
            // The ring was removed, or is none any more: it holds nobody back.
            return true;
        }
        return true;
    }
}

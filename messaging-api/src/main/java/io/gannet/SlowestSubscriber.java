package io.gannet;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.ring.GatingList;
import io.gannet.ring.Ring;
import io.gannet.ring.RingLayout;
import java.nio.ByteOrder;
import org.agrona.concurrent.status.CountersReader;

/** Finds who is furthest behind in a ring. */
final class SlowestSubscriber
{
    /** Type of the driver's counters with the position that a remote host has consumed. */
    private static final int REMOTE_CONSUMED = 20;
    private static final String TO = "to ";

    private SlowestSubscriber()
    {
    }

    static SubscriberLag find(
        final GannetDirectory directory, final ControlFile control, final Ring ring, final long ownPosition)
    {
        final GatingList list = new GatingList(ring);
        int slowest = -1;
        long minimum = RingLayout.FREE;
        for (int i = 0, size = list.size(); i < size; i++)
        {
            final GatingList.Kind kind = list.kind(i);
            final long position = list.position(i);
            if (position < minimum && (kind == GatingList.Kind.LOCAL || kind == GatingList.Kind.REMOTE))
            {
                slowest = i;
                minimum = position;
            }
        }
        return slowest < 0 ? null : describe(directory, control, ring, list, slowest, minimum, ownPosition);
    }

    private static SubscriberLag describe(
        final GannetDirectory directory,
        final ControlFile control,
        final Ring ring,
        final GatingList list,
        final int index,
        final long position,
        final long ownPosition)
    {
        final long lag = Math.max(0, ownPosition - position);
        if (list.kind(index) == GatingList.Kind.REMOTE)
        {
            return new SubscriberLag(remoteHost(control, ring, position), 0, position, lag, true, 0);
        }
        try (ClientFile client = ClientFile.attach(directory, list.clientId(index)))
        {
            return new SubscriberLag(client.name(), client.pid(), position, lag, client.isAlive(),
                Math.max(0, System.nanoTime() - client.heartbeat()));
        }
        catch (final ControlException ex)
        {
            return new SubscriberLag("a client that is gone", 0, position, lag, false, 0);
        }
    }

    /** The driver's counters say which hosts there are and how far they are; the one nearest to the position is it. */
    private static String remoteHost(final ControlFile control, final Ring ring, final long position)
    {
        if (control == null)
        {
            return "a remote host";
        }
        final String[] host = {"a remote host"};
        final long[] distance = {Long.MAX_VALUE};
        final CountersReader counters = control.countersReader();
        counters.forEach((id, typeId, key, label) ->
        {
            if (typeId == REMOTE_CONSUMED && label.startsWith(TO) &&
                key.getLong(0, ByteOrder.LITTLE_ENDIAN) == ring.description().registrationId())
            {
                final long away = Math.abs(counters.getCounterValue(id) - position);
                final int end = label.indexOf(": ");
                if (away < distance[0] && end > 0)
                {
                    distance[0] = away;
                    final String name = label.substring(TO.length(), end);
                    // One that is not back yet since its publisher's driver was restarted has no address.
                    host[0] = name.startsWith("a host ") ? name : "host " + name;
                }
            }
        });
        return host[0];
    }
}

package io.gannet;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.GannetDirectory;
import io.gannet.ring.GatingList;
import io.gannet.ring.Ring;
import io.gannet.ring.RingLayout;

/** Finds who is furthest behind in a ring. */
final class SlowestSubscriber
{
    private SlowestSubscriber()
    {
    }

    static SubscriberLag find(final GannetDirectory directory, final Ring ring, final long ownPosition)
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
        return slowest < 0 ? null : describe(directory, list, slowest, minimum, ownPosition);
    }

    private static SubscriberLag describe(
        final GannetDirectory directory,
        final GatingList list,
        final int index,
        final long position,
        final long ownPosition)
    {
        final long lag = Math.max(0, ownPosition - position);
        if (list.kind(index) == GatingList.Kind.REMOTE)
        {
            return new SubscriberLag("remote subscriber " + index, 0, position, lag, true);
        }
        try (ClientFile client = ClientFile.attach(directory, list.clientId(index)))
        {
            return new SubscriberLag(client.name(), client.pid(), position, lag, client.isAlive());
        }
        catch (final ControlException ex)
        {
            return new SubscriberLag("a client that is gone", 0, position, lag, false);
        }
    }
}

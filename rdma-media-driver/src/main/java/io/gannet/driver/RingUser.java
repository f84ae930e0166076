package io.gannet.driver;

import io.gannet.control.EventWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One publication of a ring. After a driver restart a user has no session until its client has come back to this
 * driver.
 */
final class RingUser
{
    final long clientId;
    final long registrationId;
    private ClientSession session;
    /** What it is to be told once its client has resumed it. */
    private final List<Predicate<EventWriter>> untold = new ArrayList<>();

    RingUser(final long clientId, final long registrationId, final ClientSession session)
    {
        this.clientId = clientId;
        this.registrationId = registrationId;
        this.session = session;
    }

    /** Null until the client has resumed it. */
    ClientSession session()
    {
        return session;
    }

    void resumedBy(final ClientSession owner)
    {
        session = owner;
        if (owner != null)
        {
            untold.forEach(owner.events()::send);
            untold.clear();
        }
    }

    /** Tells the publisher, now or when its client has come back to this driver. */
    void tell(final Predicate<EventWriter> event)
    {
        if (session == null)
        {
            untold.add(event);
        }
        else
        {
            session.events().send(event);
        }
    }

    boolean is(final long otherClientId, final long otherRegistrationId)
    {
        return clientId == otherClientId && registrationId == otherRegistrationId;
    }
}

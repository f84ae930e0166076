package io.gannet.driver;

/**
 * One publication of a ring. After a driver restart a user has no session until its client has come back to this
 * driver.
 */
final class RingUser
{
    final long clientId;
    final long registrationId;
    private ClientSession session;

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
    }

    boolean is(final long otherClientId, final long otherRegistrationId)
    {
        return clientId == otherClientId && registrationId == otherRegistrationId;
    }
}

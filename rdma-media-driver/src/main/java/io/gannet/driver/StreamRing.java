package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * One publication ring of this host, who publishes into it and who reads it. Owned by the conductor.
 */
final class StreamRing
{
    /** End position of a ring that has not ended. */
    static final long NOT_ENDED = Long.MAX_VALUE;

    private final long ringId;
    private final Channel channel;
    private final Ring ring;
    private final String fileName;
    private final long fileLength;
    private final Membership membership;
    private final List<RingUser> users = new ArrayList<>();
    private final List<RingImage> images = new ArrayList<>();
    private AtomicCounter positionCounter;

    StreamRing(
        final long ringId, final Channel channel, final Ring ring, final String fileName, final long fileLength)
    {
        this.ringId = ringId;
        this.channel = channel;
        this.ring = ring;
        this.fileName = fileName;
        this.fileLength = fileLength;
        membership = new Membership(ring);
    }

    long ringId()
    {
        return ringId;
    }

    Channel channel()
    {
        return channel;
    }

    int streamId()
    {
        return ring.description().streamId();
    }

    int sessionId()
    {
        return ring.description().sessionId();
    }

    RingKind kind()
    {
        return ring.kind();
    }

    Ring ring()
    {
        return ring;
    }

    /** Relative to the directory. */
    String fileName()
    {
        return fileName;
    }

    /** Bytes that the file takes of the budget. */
    long fileLength()
    {
        return fileLength;
    }

    Membership membership()
    {
        return membership;
    }

    GatingList gates()
    {
        return membership.list();
    }

    List<RingUser> users()
    {
        return users;
    }

    List<RingImage> images()
    {
        return images;
    }

    RingUser user(final long clientId, final long registrationId)
    {
        for (final RingUser user : users)
        {
            if (user.is(clientId, registrationId))
            {
                return user;
            }
        }
        return null;
    }

    RingImage image(final long clientId, final long registrationId)
    {
        for (final RingImage image : images)
        {
            if (image.clientId == clientId && image.registrationId == registrationId)
            {
                return image;
            }
        }
        return null;
    }

    boolean hasUserOf(final long clientId)
    {
        return users.stream().anyMatch(user -> user.clientId == clientId);
    }

    boolean isEnded()
    {
        return ring.endOfStreamPosition() != NOT_ENDED;
    }

    /** How far publishers are; up to {@link RingLayout#COARSE_INTERVAL} less of an exclusive one. */
    long sampledPosition()
    {
        final int offset = kind() == RingKind.CONCURRENT ? RingLayout.TAIL_OFFSET : RingLayout.COARSE_OFFSET;
        return ring.memory().getLongAcquire(ring.headerAddress() + offset);
    }

    boolean matches(final Subscriber subscriber)
    {
        final Integer session = subscriber.channel.sessionId();
        return subscriber.streamId == streamId() && subscriber.channel.isSamePlace(channel) &&
            (session == null || session == sessionId());
    }

    AtomicCounter positionCounter()
    {
        return positionCounter;
    }

    void positionCounter(final AtomicCounter counter)
    {
        positionCounter = counter;
    }

    /** What the journal is to say about it. */
    JournalEntry journalEntry()
    {
        return new JournalEntry(ringId, kind(), streamId(), sessionId(), ring.capacity(), channel.toString(),
            users.stream().map(user -> new JournalEntry.User(user.clientId, user.registrationId)).toList());
    }

    @Override
    public String toString()
    {
        return "ring " + JournalEntry.hex(ringId) + " (" + channel + ", stream " + streamId() + ", session " +
            sessionId() + ")";
    }
}

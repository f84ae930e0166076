package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.os.LateFault;
import io.gannet.protocol.ImageEnd;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingAudit;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingLock;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * One ring of this host, a publication's or an image of another host's, who publishes into it and who reads it. Owned
 * by the conductor.
 */
final class StreamRing
{
    /** End position of a ring that has not ended. */
    static final long NOT_ENDED = Long.MAX_VALUE;

    /** More than a publisher sends between two looks at its position, and far less than noise is off. */
    private static final long MOST_BEHIND = 1L << 36;

    private final long ringId;
    private final Channel channel;
    private final Ring ring;
    private final String fileName;
    private final long fileLength;
    private final Membership membership;
    private final RingAudit audit;
    private RingLock lock;
    private final RingWatch watch;
    private final List<RingUser> users = new ArrayList<>();
    private final List<RingImage> images = new ArrayList<>();
    private AtomicCounter positionCounter;
    private AtomicCounter heldCounter;
    private AtomicCounter heldTimeCounter;
    private long position;
    private Place place;
    private JournalEntry.Origin origin;
    private Outbound outbound;
    private Runnable whenUnread;
    private String source;
    private boolean toldOfUnknownHosts;
    private ImageEnd endReason = ImageEnd.END_OF_STREAM;

    StreamRing(
        final long ringId, final Channel channel, final Ring ring, final String fileName, final long fileLength)
    {
        this.ringId = ringId;
        this.channel = channel;
        this.ring = ring;
        this.fileName = fileName;
        this.fileLength = fileLength;
        membership = new Membership(ring);
        audit = new RingAudit(ring, membership);
        watch = new RingWatch(this);
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

    /** Tells who holds whom back. */
    RingWatch watch()
    {
        return watch;
    }

    /** Keeps the right to change the gating list. */
    void conductWith(final RingLock ringLock)
    {
        lock = ringLock;
    }

    /** Lets go of the memory and of the right to change the gating list. */
    void unmap()
    {
        ring.close();
        ring.free();
        if (lock != null)
        {
            lock.close();
        }
    }

    /** Looks whether the header makes sense. */
    RingAudit audit()
    {
        return audit;
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

    /** Looks how far it has come. */
    void sample()
    {
        position = membership.livePosition(position);
    }

    /**
     * Looks once more how far it has come, though its header, or what is left of it, is not to be trusted: a position
     * that can't be is none, and frames tell it, too.
     */
    void sampleDamaged()
    {
        try
        {
            position = kind() == RingKind.IMAGE ? position : ring.committedFrom(position);
            final long told = membership.livePosition(position);
            if ((told & (FrameHeader.ALIGNMENT - 1)) == 0 && told > position && told - position <= MOST_BEHIND)
            {
                position = told;
            }
        }
        catch (final InternalError truncated)
        {
            // Then it is what was known before.
            LateFault.discard();
        }
    }

    /** How far it had come when that was looked at last. */
    long position()
    {
        return position;
    }

    /** How far an image is, which its receiver has written. */
    long receivedPosition()
    {
        return ring.memory().getLongAcquire(ring.headerAddress() + RingLayout.RECEIVED_OFFSET);
    }

    boolean matches(final Subscriber subscriber)
    {
        // First what tells most of ten thousand apart.
        if (subscriber.streamId != streamId())
        {
            return false;
        }
        final Integer session = subscriber.channel.sessionId();
        final boolean samePlace = (place == null || subscriber.place() == null) ?
            kind() != RingKind.IMAGE && subscriber.channel.isSamePlace(channel) :
            place.equals(subscriber.place());
        return samePlace && (session == null || session == sessionId());
    }

    /** Where a publication goes or an image came in; null for a ring of this host alone. */
    Place place()
    {
        return place;
    }

    void place(final Place resolved)
    {
        place = resolved;
    }

    /** What an image is of; null for other rings. */
    JournalEntry.Origin origin()
    {
        return origin;
    }

    void origin(final JournalEntry.Origin publication)
    {
        origin = publication;
    }

    /** Its way to other hosts, or null. */
    Outbound outbound()
    {
        return outbound;
    }

    void outbound(final Outbound way)
    {
        outbound = way;
    }

    /** Lets an image that nobody reads go; nothing for other rings. */
    void unread()
    {
        if (whenUnread != null)
        {
            whenUnread.run();
        }
    }

    void whenUnread(final Runnable release)
    {
        whenUnread = release;
    }

    /** Who publishes, for people. */
    String source()
    {
        if (source != null)
        {
            return source;
        }
        return users.isEmpty() || users.getFirst().session() == null ?
            "this host" : users.getFirst().session().describe();
    }

    void source(final String description)
    {
        source = description;
    }

    /** Whether its publishers are to be told of a host that nobody can name: once. */
    boolean tellsOfUnknownHosts()
    {
        final boolean first = !toldOfUnknownHosts;
        toldOfUnknownHosts = true;
        return first;
    }

    /** Why its readers' images end with it. */
    ImageEnd endReason()
    {
        return endReason;
    }

    void endReason(final ImageEnd reason)
    {
        endReason = reason;
    }

    AtomicCounter positionCounter()
    {
        return positionCounter;
    }

    void positionCounter(final AtomicCounter counter)
    {
        positionCounter = counter;
    }

    AtomicCounter heldCounter()
    {
        return heldCounter;
    }

    void heldCounter(final AtomicCounter counter)
    {
        heldCounter = counter;
    }

    AtomicCounter heldTimeCounter()
    {
        return heldTimeCounter;
    }

    void heldTimeCounter(final AtomicCounter counter)
    {
        heldTimeCounter = counter;
    }

    /** What the journal is to say about it. */
    JournalEntry journalEntry()
    {
        return new JournalEntry(ringId, kind(), streamId(), sessionId(), ring.capacity(), channel.toString(), origin,
            users.stream().map(user -> new JournalEntry.User(user.clientId, user.registrationId)).toList());
    }

    @Override
    public String toString()
    {
        return "ring " + JournalEntry.hex(ringId) + " (" + channel + ", stream " + streamId() + ", session " +
            sessionId() + ")";
    }
}

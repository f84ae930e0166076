package io.gannet.driver;

import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the journal says about one ring beyond the ring's own header: its channel and who publishes into it. A text, so
 * that an operator can read it:
 * <pre>
 * gannet-ring 1
 * ring 0000019ad8f5c3d2
 * kind EXCLUSIVE
 * stream 10
 * session -5
 * capacity 16777216
 * channel gannet:ipc
 * user 5f3e9a0c11d2e4b7 3
 * end
 * </pre>
 *
 * @param ringId    names the ring for ever.
 * @param kind      of the ring.
 * @param streamId  of the stream.
 * @param sessionId of the stream.
 * @param capacity  data bytes.
 * @param channel   as the first publisher gave it.
 * @param origin    what an image is of, which has a line {@code image 00a1b2c3d4e5f607 10.0.0.7:4100} before its
 *                  users; null for other rings.
 * @param users     publications of the ring.
 */
record JournalEntry(
    long ringId,
    RingKind kind,
    int streamId,
    int sessionId,
    int capacity,
    String channel,
    Origin origin,
    List<User> users)
{
    private static final String HEADING = "gannet-ring 1";
    private static final String END = "end";

    /**
     * A publication.
     *
     * @param clientId       whose.
     * @param registrationId of the publication.
     */
    record User(long clientId, long registrationId)
    {
    }

    /**
     * The publication of an image.
     *
     * @param publicationId names the publication for ever.
     * @param publisher     host:port where it came from last.
     */
    record Origin(long publicationId, String publisher)
    {
    }

    /** {@return the ring, in a line for people} */
    @Override
    public String toString()
    {
        return kind.name().toLowerCase(Locale.ROOT) + " ring of " + capacity + " bytes, stream " + streamId +
            ", session " + sessionId + ", number " + hex(ringId);
    }

    private static RingKind kind(final String name)
    {
        for (final RingKind kind : RingKind.values())
        {
            if (kind.name().equals(name))
            {
                return kind;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is not a kind of ring");
    }

    String print()
    {
        final StringBuilder text = new StringBuilder(256)
            .append(HEADING)
            .append("\nring ").append(hex(ringId))
            .append("\nkind ").append(kind)
            .append("\nstream ").append(streamId)
            .append("\nsession ").append(sessionId)
            .append("\ncapacity ").append(capacity)
            .append("\nchannel ").append(channel);
        if (origin != null)
        {
            text.append("\nimage ").append(hex(origin.publicationId)).append(' ').append(origin.publisher);
        }
        for (final User user : users)
        {
            text.append("\nuser ").append(hex(user.clientId)).append(' ').append(user.registrationId);
        }
        return text.append('\n').append(END).append('\n').toString();
    }

    /**
     * Reads what {@link #print} wrote.
     *
     * @throws IllegalArgumentException saying what is wrong with any other text.
     */
    static JournalEntry parse(final String text)
    {
        final List<String> lines = text.lines().toList();
        if (lines.size() < 8 || !HEADING.equals(lines.getFirst()) || !END.equals(lines.getLast()))
        {
            throw new IllegalArgumentException("not a whole journal entry that starts with '" + HEADING + "'");
        }
        final long ringId = parseHex(value(lines, 1, "ring"));
        final RingKind kind = kind(value(lines, 2, "kind"));
        final int streamId = Integer.parseInt(value(lines, 3, "stream"));
        final int sessionId = Integer.parseInt(value(lines, 4, "session"));
        final int capacity = Integer.parseInt(value(lines, 5, "capacity"));
        RingLayout.checkCapacity(capacity);
        final String channel = value(lines, 6, "channel");
        final Origin origin = kind == RingKind.IMAGE ? parseOrigin(value(lines, 7, "image")) : null;
        final List<User> users = new ArrayList<>();
        for (int i = origin == null ? 7 : 8; i < lines.size() - 1; i++)
        {
            final String user = value(lines, i, "user");
            final int space = user.indexOf(' ');
            if (space < 0)
            {
                throw new IllegalArgumentException("line " + (i + 1) + ": a user is a client and a registration");
            }
            users.add(new User(parseHex(user.substring(0, space)), Long.parseLong(user.substring(space + 1))));
        }
        return new JournalEntry(ringId, kind, streamId, sessionId, capacity, channel, origin, List.copyOf(users));
    }

    private static Origin parseOrigin(final String text)
    {
        final int space = text.indexOf(' ');
        if (space < 0)
        {
            throw new IllegalArgumentException("an image is a publication and its host");
        }
        return new Origin(parseHex(text.substring(0, space)), text.substring(space + 1));
    }

    static String hex(final long id)
    {
        return String.format("%016x", id);
    }

    static long parseHex(final String text)
    {
        if (text.length() != 16)
        {
            throw new IllegalArgumentException("'" + text + "' is not an id of 16 hexadecimal digits");
        }
        return Long.parseUnsignedLong(text, 16);
    }

    private static String value(final List<String> lines, final int index, final String name)
    {
        final String line = lines.get(index);
        if (!line.startsWith(name + " "))
        {
            throw new IllegalArgumentException("line " + (index + 1) + ": '" + name + "' expected");
        }
        return line.substring(name.length() + 1);
    }
}

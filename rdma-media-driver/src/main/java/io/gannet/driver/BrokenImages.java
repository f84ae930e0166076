package io.gannet.driver;

import io.gannet.errors.OperatorError;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.ErrorHandler;

/**
 * Which subscriptions were reading an image of another host when it broke off, and where: when the publication comes
 * again, they are told what they have missed. Outlives the driver, as a file {@code rings/<publication>.broken} for
 * each publication:
 * <pre>
 * gannet-broken 1
 * reader 5f3e9a0c11d2e4b7 3 4096
 * end
 * </pre>
 * with client, registration and position. Owned by the conductor.
 */
final class BrokenImages
{
    /** Returned for a reader that misses nothing. */
    static final long NONE = -1;
    /** Publications that are remembered; the one that broke off first is forgotten for the next. */
    static final int MAX_PUBLICATIONS = 1024;

    private static final String SUFFIX = ".broken";
    private static final String TEMPORARY_SUFFIX = ".tmp";
    private static final String HEADING = "gannet-broken 1";
    private static final String END = "end";
    private static final int MAX_FILE_LENGTH = 64 * 1024;

    private final Path rings;
    private final Set<PosixFilePermission> permissions;
    private final ErrorHandler errorHandler;
    private final Map<Long, Map<Reader, Long>> publications = new LinkedHashMap<>();

    /**
     * A subscription.
     *
     * @param clientId       whose.
     * @param registrationId of the subscription.
     */
    private record Reader(long clientId, long registrationId)
    {
    }

    BrokenImages(final Path rings, final Set<PosixFilePermission> permissions, final ErrorHandler errorHandler)
    {
        this.rings = rings;
        this.permissions = permissions;
        this.errorHandler = errorHandler;
    }

    /** Reads what the driver before has left; adds the clients that it names. */
    void recover(final Set<Long> clients) throws IOException
    {
        for (final Path unfinished : list("*" + SUFFIX + TEMPORARY_SUFFIX))
        {
            Files.deleteIfExists(unfinished);
        }
        for (final Path file : list("*" + SUFFIX))
        {
            try
            {
                recover(file);
            }
            catch (final IllegalArgumentException | CharacterCodingException damaged)
            {
                errorHandler.onError(new DriverException(OperatorError.GAP_NOT_TOLD,
                    file + " is damaged and removed, so that a gap may not be told: " +
                    (damaged instanceof CharacterCodingException ? "it is no text" : damaged.getMessage()), damaged));
                Files.deleteIfExists(file);
            }
            catch (final IOException unreadable)
            {
                errorHandler.onError(new DriverException(OperatorError.GAP_NOT_TOLD,
                    file + " can't be read, so that a gap may not be told: " + unreadable.getMessage(), unreadable));
            }
        }
        publications.values().forEach(readers -> readers.keySet().forEach(reader -> clients.add(reader.clientId())));
    }

    private List<Path> list(final String pattern) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(rings, pattern))
        {
            listing.forEach(file ->
            {
                // What else is there is told of with the journal.
                if (RingJournal.isOwn(file.getFileName().toString()))
                {
                    files.add(file);
                }
            });
        }
        return files;
    }

    private void recover(final Path file) throws IOException
    {
        if (Files.size(file) > MAX_FILE_LENGTH)
        {
            throw new IllegalArgumentException(Files.size(file) + " bytes, at most " + MAX_FILE_LENGTH);
        }
        final String name = file.getFileName().toString();
        final long publicationId = JournalEntry.parseHex(name.substring(0, name.length() - SUFFIX.length()));
        final List<String> lines = Files.readAllLines(file);
        if (lines.size() < 3 || !HEADING.equals(lines.getFirst()) || !END.equals(lines.getLast()))
        {
            throw new IllegalArgumentException("not a whole file that starts with '" + HEADING + "'");
        }
        final Map<Reader, Long> readers = new HashMap<>();
        for (final String line : lines.subList(1, lines.size() - 1))
        {
            final String[] words = line.split(" ", -1);
            if (words.length != 4 || !"reader".equals(words[0]))
            {
                throw new IllegalArgumentException(
                    "'" + line + "' is not a reader with client, registration and position");
            }
            final long position = Long.parseLong(words[3]);
            if (position < 0)
            {
                throw new IllegalArgumentException("position " + position + " is negative");
            }
            readers.put(new Reader(JournalEntry.parseHex(words[1]), Long.parseLong(words[2])), position);
        }
        publications.put(publicationId, readers);
    }

    /** An image has broken off, and all its readers come to that position, if no later one was noted before. */
    void add(final long publicationId, final long position, final List<RingImage> images)
    {
        if (images.isEmpty())
        {
            return;
        }
        if (publications.size() == MAX_PUBLICATIONS && !publications.containsKey(publicationId))
        {
            remove(publications.keySet().iterator().next());
        }
        final Map<Reader, Long> readers = publications.computeIfAbsent(publicationId, key -> new HashMap<>());
        images.forEach(image -> readers.merge(
            new Reader(image.clientId, image.registrationId), position, Math::max));
        save(publicationId);
    }

    /** Where the image broke off that a subscription was reading; {@link #NONE} if it was reading none. */
    long position(final long publicationId, final long clientId, final long registrationId)
    {
        final Map<Reader, Long> readers = publications.get(publicationId);
        return readers == null ? NONE : readers.getOrDefault(new Reader(clientId, registrationId), NONE);
    }

    /** Where the last image of a publication broke off for whoever still waits for it; {@link #NONE} for nobody. */
    long position(final long publicationId)
    {
        final Map<Reader, Long> readers = publications.get(publicationId);
        return readers == null ? NONE : readers.values().stream().mapToLong(Long::longValue).max().orElse(NONE);
    }

    /** A subscription has been told, or has nothing to be told any more. */
    void told(final long publicationId, final long clientId, final long registrationId)
    {
        final Map<Reader, Long> readers = publications.get(publicationId);
        if (readers != null && readers.remove(new Reader(clientId, registrationId)) != null)
        {
            save(publicationId);
        }
    }

    /** A subscription has ended. */
    void forget(final long clientId, final long registrationId)
    {
        List.copyOf(publications.keySet()).forEach(id -> told(id, clientId, registrationId));
    }

    /** A client has ended. */
    void forget(final long clientId)
    {
        for (final Long id : List.copyOf(publications.keySet()))
        {
            if (publications.get(id).keySet().removeIf(reader -> reader.clientId() == clientId))
            {
                save(id);
            }
        }
    }

    private void remove(final long publicationId)
    {
        publications.get(publicationId).clear();
        save(publicationId);
    }

    private void save(final long publicationId)
    {
        final Path file = rings.resolve(JournalEntry.hex(publicationId) + SUFFIX);
        final Map<Reader, Long> readers = publications.get(publicationId);
        try
        {
            if (readers.isEmpty())
            {
                publications.remove(publicationId);
                Files.deleteIfExists(file);
                return;
            }
            final StringBuilder text = new StringBuilder(256).append(HEADING).append('\n');
            readers.forEach((reader, position) -> text.append("reader ")
                .append(JournalEntry.hex(reader.clientId())).append(' ').append(reader.registrationId())
                .append(' ').append(position).append('\n'));
            final Path temporary = rings.resolve(file.getFileName() + TEMPORARY_SUFFIX);
            Files.writeString(temporary, text.append(END).append('\n'));
            Files.setPosixFilePermissions(temporary, permissions);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException failure)
        {
            // This driver tells the gap; the next one would not.
            errorHandler.onError(failure);
        }
    }
}

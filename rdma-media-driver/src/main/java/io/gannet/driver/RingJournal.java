package io.gannet.driver;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The journal of a directory's rings: beside each {@code rings/<id>.ring} lies a small {@code <id>.journal}. A driver
 * that starts finds there what its predecessor left. Each change replaces the file by a rename, so that a driver that
 * dies at any point leaves the entry before or after.
 */
final class RingJournal
{
    static final String RING_SUFFIX = ".ring";
    private static final String JOURNAL_SUFFIX = ".journal";
    private static final String TEMPORARY_SUFFIX = ".tmp";
    /** All that a driver makes there, with {@link BrokenImages}'. */
    private static final Pattern OWN = Pattern.compile("[0-9a-f]{16}\\.(ring|(journal|broken)(\\.tmp)?)");
    private static final int MAX_ENTRY_LENGTH = 1024 * 1024;

    private final Path rings;
    private final Path ringFiles;
    private final Set<PosixFilePermission> permissions;

    /**
     * @param rings     directory of the entries.
     * @param ringFiles directory of new rings; those left by a driver with other memory may be beside the entries.
     */
    RingJournal(final Path rings, final Path ringFiles, final Set<PosixFilePermission> permissions)
    {
        this.rings = rings;
        this.ringFiles = ringFiles;
        this.permissions = permissions;
    }

    /** Where the ring of this id is, or will be. */
    Path ringFile(final long ringId)
    {
        final String name = JournalEntry.hex(ringId) + RING_SUFFIX;
        final Path beside = rings.resolve(name);
        return Files.exists(beside) ? beside : ringFiles.resolve(name);
    }

    /** Writes or replaces the entry of a ring. */
    void write(final JournalEntry entry) throws IOException
    {
        final Path temporary = rings.resolve(JournalEntry.hex(entry.ringId()) + JOURNAL_SUFFIX + TEMPORARY_SUFFIX);
        Files.writeString(temporary, entry.print());
        Files.setPosixFilePermissions(temporary, permissions);
        Files.move(temporary, journalFile(entry.ringId()), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the ring's file and its entry; the mappings of those who still have it stay. */
    void remove(final long ringId) throws IOException
    {
        Files.deleteIfExists(ringFile(ringId));
        Files.deleteIfExists(journalFile(ringId));
    }

    /**
     * Reads all entries and removes what belongs to none: half-made rings, temporary files.
     *
     * @param rejected gets the file and the reason of each entry that makes no sense; those files are removed as well.
     * @param foreign  gets each file that no driver makes; it stays.
     */
    List<JournalEntry> recover(final BiConsumer<Path, String> rejected, final Consumer<Path> foreign)
        throws IOException
    {
        final List<JournalEntry> entries = new ArrayList<>();
        final List<Path> files = new ArrayList<>();
        list(rings, files);
        if (!ringFiles.equals(rings))
        {
            list(ringFiles, files);
        }
        for (final Path file : files)
        {
            final String name = file.getFileName().toString();
            if (!isOwn(name) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
            {
                foreign.accept(file);
            }
            else if (name.endsWith(JOURNAL_SUFFIX))
            {
                recover(file, name, entries, rejected);
            }
            else if (name.endsWith(TEMPORARY_SUFFIX) || (name.endsWith(RING_SUFFIX) && isOrphan(name)))
            {
                Files.deleteIfExists(file);
            }
        }
        return entries;
    }

    /** Whether a driver gives such names. */
    static boolean isOwn(final String name)
    {
        return OWN.matcher(name).matches();
    }

    private static void list(final Path directory, final List<Path> files) throws IOException
    {
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(directory))
        {
            listing.forEach(files::add);
        }
    }

    private void recover(
        final Path file, final String name, final List<JournalEntry> entries, final BiConsumer<Path, String> rejected)
        throws IOException
    {
        try
        {
            if (Files.size(file) > MAX_ENTRY_LENGTH)
            {
                throw new IllegalArgumentException(Files.size(file) + " bytes, at most " + MAX_ENTRY_LENGTH);
            }
            final JournalEntry entry = JournalEntry.parse(Files.readString(file));
            if (!name.equals(JournalEntry.hex(entry.ringId()) + JOURNAL_SUFFIX))
            {
                throw new IllegalArgumentException("it names another ring, " + JournalEntry.hex(entry.ringId()));
            }
            entries.add(entry);
        }
        catch (final IllegalArgumentException | java.nio.charset.CharacterCodingException e)
        {
            rejected.accept(file,
                e instanceof java.nio.charset.CharacterCodingException ? "not text in UTF-8" : e.getMessage());
            Files.deleteIfExists(file);
            Files.deleteIfExists(rings.resolve(name.replace(JOURNAL_SUFFIX, RING_SUFFIX)));
            Files.deleteIfExists(ringFiles.resolve(name.replace(JOURNAL_SUFFIX, RING_SUFFIX)));
        }
    }

    private boolean isOrphan(final String ringName)
    {
        return !Files.exists(rings.resolve(ringName.replace(RING_SUFFIX, JOURNAL_SUFFIX)));
    }

    private Path journalFile(final long ringId)
    {
        return rings.resolve(JournalEntry.hex(ringId) + JOURNAL_SUFFIX);
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.driver.JournalEntry.User;
import io.gannet.ring.RingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingJournalTest
{
    private static final JournalEntry ENTRY = new JournalEntry(0x19A_D8F5_C3D2L, RingKind.CONCURRENT, 10, -5, 1 << 20,
        "gannet:ipc?alias=with space", null, List.of(new User(-1, 3), new User(7, Long.MAX_VALUE)));

    @TempDir
    private Path rings;

    private final List<Path> foreign = new ArrayList<>();
    private RingJournal journal;

    @BeforeEach
    void open()
    {
        journal = new RingJournal(rings, rings, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void anImageKnowsItsPublication()
    {
        final JournalEntry image = new JournalEntry(5, RingKind.IMAGE, 10, -5, 1 << 20, "gannet:rdma?control=a:1",
            new JournalEntry.Origin(-2, "10.0.0.7:4100"), List.of());
        assertThat(JournalEntry.parse(image.print())).isEqualTo(image);
    }

    @Test
    void whatWasWrittenIsRecovered() throws IOException
    {
        journal.write(
            new JournalEntry(ENTRY.ringId(), RingKind.CONCURRENT, 10, -5, 1 << 20, "gannet:ipc", null, List.of()));
        journal.write(ENTRY);
        Files.createFile(journal.ringFile(ENTRY.ringId()));

        assertThat(journal.recover((file, reason) -> assertThat(reason).as(file.toString()).isNull(), foreign::add))
            .containsExactly(ENTRY);
        assertThat(foreign).isEmpty();
        assertThat(journal.ringFile(ENTRY.ringId())).exists();
    }

    @Test
    void aRingWithoutEntryAndATemporaryFileAreRemoved() throws IOException
    {
        final Path halfMade = Files.createFile(journal.ringFile(1));
        final Path temporary = Files.createFile(rings.resolve("0000000000000001.journal.tmp"));

        assertThat(journal.recover((file, reason) -> assertThat(reason).isNull(), foreign::add)).isEmpty();
        assertThat(halfMade).doesNotExist();
        assertThat(temporary).doesNotExist();
        assertThat(foreign).isEmpty();
    }

    @Test
    void whatNoDriverMakesIsToldAndStays() throws IOException
    {
        final List<Path> files = new ArrayList<>();
        for (final String name : List.of("somebody's notes", "notes.ring", "notes.journal", "notes.tmp", "1.ring",
            "00000000000000AB.ring", "00000000000000ab.ring.tmp", "00000000000000ab.journal~",
            ".00000000000000ab.ring"))
        {
            files.add(Files.createFile(rings.resolve(name)));
        }
        for (final String name : List.of("00000000000000ac.ring", "00000000000000ac.journal"))
        {
            files.add(Files.createDirectory(rings.resolve(name)));
            Files.createFile(rings.resolve(name).resolve("inside"));
        }
        files.add(Files.createSymbolicLink(rings.resolve("00000000000000ad.journal"), files.getFirst()));
        journal.write(ENTRY);
        Files.createFile(journal.ringFile(ENTRY.ringId()));

        assertThat(journal.recover((file, reason) -> assertThat(reason).as(file.toString()).isNull(), foreign::add))
            .containsExactly(ENTRY);
        assertThat(foreign).containsExactlyInAnyOrderElementsOf(files);
        assertThat(files).allMatch(file -> Files.exists(file));
    }

    @Test
    void everyDamagedEntryIsEitherTheSameOrRejected() throws IOException
    {
        final byte[] text = ENTRY.print().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        final Random random = new Random(42);
        for (int i = 0; i < 2_000; i++)
        {
            final byte[] damaged = text.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            final Path file = rings.resolve(JournalEntry.hex(ENTRY.ringId()) + ".journal");
            Files.write(file, damaged);
            final List<String> reasons = new ArrayList<>();
            final List<JournalEntry> entries = journal.recover((path, reason) -> reasons.add(reason), foreign::add);
            assertThat(entries.size() + reasons.size()).as("seed 42, round %s", i).isEqualTo(1);
            assertThat(Files.exists(file)).isEqualTo(reasons.isEmpty());
        }
    }

    @Test
    void aCapacityThatNoRingHasIsRejected()
    {
        assertThatThrownBy(() -> JournalEntry.parse(ENTRY.print().replace("1048576", "1048577")))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("1048577");
    }
}

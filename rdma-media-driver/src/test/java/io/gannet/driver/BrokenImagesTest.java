package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is known of images that broke off outlives a driver; a file that is damaged costs what is in it and no more.
 */
class BrokenImagesTest
{
    private static final String WHOLE = "gannet-broken 1\nreader 00000000000000a1 3 4096\nreader " +
        "00000000000000a2 5 8192\nend\n";

    private final Path directory = TestDirectory.create("broken");
    private final List<String> errors = new ArrayList<>();
    private final Set<Long> clients = new HashSet<>();
    private final BrokenImages broken = new BrokenImages(
        directory, PosixFilePermissions.fromString("rw-------"), failure -> errors.add(failure.getMessage()));

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    private Path write(final String name, final String text) throws IOException
    {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void whatWasKnownIsKnownAgain() throws IOException
    {
        write("00000000000000f1.broken", WHOLE);
        broken.recover(clients);
        assertThat(errors).isEmpty();
        assertThat(clients).containsExactlyInAnyOrder(0xa1L, 0xa2L);
        assertThat(broken.position(0xf1)).isEqualTo(8192);
        assertThat(broken.position(0xf1, 0xa1, 3)).isEqualTo(4096);
        broken.told(0xf1, 0xa1, 3);
        assertThat(Files.readString(directory.resolve("00000000000000f1.broken")))
            .contains("a2 5 8192").doesNotContain("a1");
        broken.forget(0xa2);
        assertThat(TestDirectory.list(directory)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "",
        "gannet-broken 1\n",
        "gannet-broken 2\nreader 00000000000000a1 3 4096\nend\n",
        "gannet-broken 1\nreader 00000000000000a1 3 4096\n",
        "gannet-broken 1\nreader 00000000000000a1 3\nend\n",
        "gannet-broken 1\nreader 00000000000000a1 3 -1\nend\n",
        "gannet-broken 1\nreader 00000000000000a1 x 4096\nend\n",
        "gannet-broken 1\nreader zz 3 4096\nend\n",
        "gannet-broken 1\nreader 00000000000000a1 3 99999999999999999999\nend\n",
        "gannet-broken 1\nwriter 00000000000000a1 3 4096\nend\n",
        "\u0000\u0001\u0002\n\n\n\n"})
    void aDamagedFileIsReportedAndRemovedAndTheOthersCount(final String damaged) throws IOException
    {
        final Path file = write("00000000000000f0.broken", damaged);
        assertThatOnlyItIsLost(file);
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatIsNoTextIsReportedAndRemoved() throws IOException
    {
        final Path file = directory.resolve("00000000000000f0.broken");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 10, (byte) 0x80, 10, 10});
        assertThatOnlyItIsLost(file);
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatIsTooLongIsReportedAndRemoved() throws IOException
    {
        final Path file = write("00000000000000f0.broken", "gannet-broken 1\n".repeat(8_000));
        assertThatOnlyItIsLost(file);
        assertThat(file).doesNotExist();
    }

    /** The journal tells of it. */
    @Test
    void aFileWithoutANumberIsNotTouched() throws IOException
    {
        final Path file = write("publication.broken", WHOLE);
        final Path unfinished = write("publication.broken.tmp", WHOLE);
        broken.recover(clients);
        assertThat(errors).isEmpty();
        assertThat(clients).isEmpty();
        assertThat(file).exists();
        assertThat(unfinished).exists();
    }

    @Test
    void whatIsNoFileStays() throws IOException
    {
        final Path other = Files.createDirectory(directory.resolve("00000000000000f0.broken"));
        Files.createFile(other.resolve("something"));
        assertThatOnlyItIsLost(other);
        assertThat(other).exists();
    }

    @Test
    void whatWasBeingWrittenWhenADriverDiedIsRemoved() throws IOException
    {
        write("00000000000000f0.broken.tmp", "gannet-broken 1\nrea");
        write("00000000000000f1.broken", WHOLE);
        broken.recover(clients);
        assertThat(errors).isEmpty();
        assertThat(TestDirectory.list(directory)).containsExactly("00000000000000f1.broken");
    }

    private void assertThatOnlyItIsLost(final Path file) throws IOException
    {
        write("00000000000000f1.broken", WHOLE);
        broken.recover(clients);
        assertThat(errors).singleElement().asString().contains(file.toString(), "a gap may not be told");
        assertThat(broken.position(0xf1)).isEqualTo(8192);
    }
}

package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.os.FileSystem;
import io.gannet.os.OsException;
import io.gannet.os.SharedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RingFileTest
{
    private static final RingDescription DESCRIPTION =
        new RingDescription(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY, -5, 1001, 77, 4096, true);

    private Path directory;
    private Path path;

    @BeforeEach
    void createDirectory() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-ring-test-");
        path = directory.resolve("ring");
    }

    @AfterEach
    void removeDirectory() throws IOException
    {
        Files.deleteIfExists(path);
        Files.delete(directory);
    }

    @Test
    void isWhatItsCreatorSaid()
    {
        close(RingFile.create(path, DESCRIPTION));
        final Ring ring = RingFile.attach(path, RingFile.Access.READ);
        assertThat(ring.description()).isEqualTo(DESCRIPTION);
        assertThat(ring.endOfStreamPosition()).isEqualTo(Long.MAX_VALUE);
        close(ring);
    }

    @Test
    void goesOnAtTheStartWhereItEnds()
    {
        final Ring ring = RingFile.create(path, DESCRIPTION);
        final RingMemory memory = ring.memory();
        memory.putInt(ring.dataAddress() + ring.capacity(), 0x1122_3344);
        assertThat(memory.getInt(ring.dataAddress())).isEqualTo(0x1122_3344);
        memory.putInt(ring.dataAddress() + 4, 0x5566_7788);
        assertThat(memory.getInt(ring.dataAddress() + ring.capacity() + 4)).isEqualTo(0x5566_7788);
        close(ring);
    }

    @Test
    void isReadThroughAMappingOfItsOwn()
    {
        try (TestRing writer = new TestRing(RingFile.create(path, DESCRIPTION));
            TestRing other = new TestRing(RingFile.attach(path, RingFile.Access.READ)))
        {
            final ExclusiveProducer producer = writer.exclusiveProducer();
            final RingReader reader = new RingReader(other.ring, writer.join(), true);
            assertThat(producer.offer(writer.source, 0, 20)).isEqualTo(4096 + 64);
            assertThat(TestRing.lengths(reader)).containsExactly(20);
            assertThat(reader.joinPosition()).isEqualTo(4096);
        }
    }

    @Test
    void isNotMadeOnADisk()
    {
        final Path disk = Path.of("/proc/self/ring");
        assertThatThrownBy(() -> RingFile.create(disk, DESCRIPTION))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("/dev/shm");
    }

    @Test
    void isNotMadeOverAFileThatExists()
    {
        close(RingFile.create(path, DESCRIPTION));
        assertThatThrownBy(() -> RingFile.create(path, DESCRIPTION))
            .isInstanceOf(OsException.class).hasMessageContaining("EEXIST").hasMessageContaining(path.toString());
    }

    @Test
    void saysHowMuchIsThereWhenThereIsNotEnough()
    {
        final FileSystem fileSystem = FileSystem.of(directory);
        assertThat(fileSystem.isMemory()).isTrue();
        final long tooMuch = (fileSystem.totalBytes() & -4096) + (1L << 30);
        try (SharedFile file = SharedFile.create(path, 0600))
        {
            assertThatThrownBy(() -> file.reserve(tooMuch))
                .isInstanceOf(OsException.class)
                .hasMessageContaining(Long.toString(tooMuch))
                .hasMessageContaining("bytes are available")
                .hasMessageContaining("remount");
        }
    }

    @Test
    void refusesWhatIsNotARing() throws IOException
    {
        Files.write(path, new byte[100]);
        assertThatThrownBy(() -> RingFile.attach(path, RingFile.Access.READ))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("100 bytes");
        Files.write(path, new byte[RingLayout.HEADER_LENGTH + RingLayout.MIN_CAPACITY]);
        assertThatThrownBy(() -> RingFile.attach(path, RingFile.Access.READ))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("not a ring");
    }

    @Test
    void refusesAnotherLayoutNamingBothVersions() throws IOException
    {
        close(RingFile.create(path, DESCRIPTION));
        patch(RingLayout.LAYOUT_VERSION_OFFSET, 99);
        assertThatThrownBy(() -> RingFile.attach(path, RingFile.Access.READ))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("layout 99").hasMessageContaining("layout " + RingLayout.VERSION);
    }

    @Test
    void refusesAFileThatWasCutShort() throws IOException
    {
        close(RingFile.create(path, new RingDescription(RingKind.IMAGE, 1 << 20)));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE))
        {
            channel.truncate(RingLayout.HEADER_LENGTH + (1 << 19));
        }
        assertThatThrownBy(() -> RingFile.attach(path, RingFile.Access.READ))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("damaged");
    }

    /** And takes no memory for what it has grown by: that would be all there is. */
    @Test
    void refusesAFileThatHasGrown() throws IOException
    {
        close(RingFile.create(path, new RingDescription(RingKind.IMAGE, 1 << 20)));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.allocate(1), 1L << 40);
        }
        assertThatThrownBy(() -> RingFile.attach(path, RingFile.Access.READ))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("damaged: it has 1099511627777 bytes");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void neitherCrashesNorMapsNonsenseWhenTheHeaderIsGarbage(final long seed) throws IOException
    {
        final Random random = new Random(seed);
        close(RingFile.create(path, DESCRIPTION));
        final long length = Files.size(path);
        for (int i = 0; i < 200; i++)
        {
            patch(4 * (2 + random.nextInt(14)), random.nextInt(4) == 0 ? random.nextInt(5) : random.nextInt());
            try
            {
                final Ring ring = RingFile.attach(path, RingFile.Access.READ);
                assertThat(RingLayout.HEADER_LENGTH + (long) ring.capacity()).isEqualTo(length);
                assertThat(ring.kind()).isNotEqualTo(RingKind.NONE);
                close(ring);
            }
            catch (final IllegalStateException ex)
            {
                assertThat(ex).hasMessageContaining(path.toString());
            }
            assertThat(Files.size(path)).isEqualTo(length);
        }
    }

    static LongStream seeds()
    {
        return new Random().longs(3);
    }

    private void patch(final int offset, final int value) throws IOException
    {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.allocate(4).putInt(0, Integer.reverseBytes(value)), offset);
        }
    }

    private static void close(final Ring ring)
    {
        ring.close();
        ring.free();
    }
}

package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A tmpfs of a size of its own, for which a test needs root. */
final class SmallDisk implements AutoCloseable
{
    private static final int CHUNK = 4096;

    final Path path;

    private SmallDisk(final Path path)
    {
        this.path = path;
    }

    /**
     * Mounts one; without root the test is skipped.
     *
     * @param size   as mount(8) has it.
     * @param untested named where the test is skipped.
     */
    static SmallDisk mount(final String size, final String untested) throws IOException
    {
        final boolean root = "root".equals(System.getProperty("user.name")) && run("unshare", "--mount", "true") == 0;
        if (!root)
        {
            System.err.println("not tested without root: " + untested);
        }
        assumeTrue(root);
        final Path path = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-orders-it-disk-");
        assertThat(run("mount", "-t", "tmpfs", "-o", "size=" + size + ",mode=0700", "gannet-test", path.toString()))
            .isZero();
        return new SmallDisk(path);
    }

    private static int run(final String... command) throws IOException
    {
        try
        {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    void resize(final String size) throws IOException
    {
        assertThat(run("mount", "-o", "remount,size=" + size, path.toString())).isZero();
    }

    /** Leaves no byte. */
    void fill()
    {
        try (OutputStream out = Files.newOutputStream(path.resolve("filler")))
        {
            final byte[] chunk = new byte[CHUNK];
            while (true)
            {
                out.write(chunk);
            }
        }
        catch (final IOException full)
        {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    void free() throws IOException
    {
        Files.delete(path.resolve("filler"));
    }

    @Override
    public void close() throws IOException
    {
        assertThat(run("umount", path.toString())).isZero();
        Files.delete(path);
    }
}

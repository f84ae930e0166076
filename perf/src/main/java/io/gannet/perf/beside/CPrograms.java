package io.gannet.perf.beside;

import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The C programs and the fake libraries, compiled in a directory of their own, which goes when this is closed.
 */
public final class CPrograms implements AutoCloseable
{
    private static final String SOURCES = "/io/gannet/perf/verbs/";
    private static final String FAKE = "fake_provider.c";
    private static final String POST_LOOP = "post_loop";
    private static final String WRITE_LOOP = "write_loop";
    /** Named like a provider that may be called without a change of the thread's state, see HotCalls. */
    private static final String FAKE_LIBRARY = "libmlx5.so";
    private static final int LIMIT_SECONDS = 120;

    private final Path directory;

    private CPrograms(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Compiles all.
     *
     * @param fake whether the loop of writes is for the fake device rather than the installed libraries.
     * @throws RigException if there is no compiler, or no headers, with the packages that have them.
     */
    public static CPrograms compile(final boolean fake) throws IOException, InterruptedException
    {
        final CPrograms programs = new CPrograms(Files.createTempDirectory("gannet-c-"));
        try
        {
            programs.make(fake);
            return programs;
        }
        catch (final RigException | IOException | InterruptedException e)
        {
            programs.close();
            throw e;
        }
    }

    private void make(final boolean fake) throws IOException, InterruptedException
    {
        for (final String source : List.of(FAKE, POST_LOOP + ".c", WRITE_LOOP + ".c"))
        {
            try (InputStream in = CPrograms.class.getResourceAsStream(SOURCES + source))
            {
                Files.copy(in, directory.resolve(source));
            }
        }
        compiler("-shared", "-fPIC", "-pthread", "-o", FAKE_LIBRARY, FAKE);
        for (final String name : List.of("libibverbs.so.1", "librdmacm.so.1"))
        {
            Files.createSymbolicLink(directory.resolve(name), Path.of(FAKE_LIBRARY));
        }
        compiler("-o", POST_LOOP, POST_LOOP + ".c", "./" + FAKE_LIBRARY, "-Wl,-rpath,$ORIGIN");
        final List<String> loop = new ArrayList<>(List.of("-pthread", "-o", WRITE_LOOP, WRITE_LOOP + ".c"));
        loop.addAll(fake ?
            List.of("./" + FAKE_LIBRARY, "-Wl,-rpath,$ORIGIN") : List.of("-l:libibverbs.so.1", "-l:librdmacm.so.1"));
        compiler(loop.toArray(String[]::new));
    }

    private void compiler(final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("cc", "-O2", "-march=native"));
        command.addAll(List.of(arguments));
        try
        {
            run(command);
        }
        catch (final IOException e)
        {
            throw new RigException("no C compiler (cc). Install one, and the headers (Debian, Ubuntu: gcc libc6-dev " +
                "libibverbs-dev librdmacm-dev)", e);
        }
        catch (final RigException e)
        {
            throw new RigException("the C programs do not compile. They need the headers of rdma-core (Debian, " +
                "Ubuntu: libc6-dev libibverbs-dev librdmacm-dev; Fedora, RHEL: rdma-core-devel). " + e.getMessage(), e);
        }
    }

    /** {@return where the fake libraries are, for LD_LIBRARY_PATH} */
    Path fakeLibraries()
    {
        return directory;
    }

    /**
     * {@return nanoseconds of one post on the fake device, without delivery}
     *
     * @param same whether with the duties of the binding, or bare.
     */
    double postLoop(final boolean same, final int bytes, final int depth, final long posts)
        throws IOException, InterruptedException
    {
        return Double.parseDouble(run(List.of("env", "GANNET_FAKE_DELIVER=0", directory.resolve(POST_LOOP).toString(),
            same ? "same" : "bare", Integer.toString(bytes), Integer.toString(depth), Long.toString(posts))).strip());
    }

    /** {@return half round trips between two addresses} */
    Trips writeLoop(
        final String first,
        final String second,
        final boolean immediate,
        final int bytes,
        final int inline,
        final long millis,
        final boolean yields)
        throws IOException, InterruptedException
    {
        return Trips.parse(run(List.of(directory.resolve(WRITE_LOOP).toString(), first, second,
            immediate ? "imm" : "write", Integer.toString(bytes), Integer.toString(inline), Long.toString(millis),
            yields ? "1" : "0")));
    }

    /** Runs a program to its end in the directory; what it printed. */
    private String run(final List<String> command) throws IOException, InterruptedException
    {
        final Path output = directory.resolve("output");
        final Process process = new ProcessBuilder(command).directory(directory.toFile())
            .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            throw new RigException(String.join(" ", command) + ": no end within " + LIMIT_SECONDS + " s");
        }
        final String text = Files.readString(output, StandardCharsets.UTF_8);
        if (process.exitValue() != 0)
        {
            throw new RigException(
                String.join(" ", command) + " ended with status " + process.exitValue() + ": " + text.strip());
        }
        return text;
    }

    @Override
    public void close() throws IOException
    {
        try (Stream<Path> tree = Files.walk(directory))
        {
            for (final Path file : tree.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}

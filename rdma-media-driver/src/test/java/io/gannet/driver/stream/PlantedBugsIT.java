package io.gannet.driver.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

import io.gannet.cli.SimulateCommand;
import io.gannet.driver.stream.simulation.Simulations;
import io.gannet.ring.Ring;

/**
 * Breaks shipped code in one place after another, and shows that the simulation notices. Each broken class is compiled
 * and loaded, with all other classes of ours, in a loader of its own.
 */
class PlantedBugsIT
{
    private static final int SEEDS = Integer.getInteger("gannet.planted.seeds", 2_000);
    private static final int SEEDS_WITHOUT_YIELDS = 60;
    private static final Pattern FAILED = Pattern.compile("\\{\"first\":1,\"seeds\":500,\"passed\":(\\d+)," +
        "\"millis\":\\d+,\"failed\":(\\d+),\"again\":\"gannet simulate ([^\"]+)\",\"events\":\\[\"(.+)\"]}\n");
    private static final String ONLY = System.getProperty("gannet.planted.only", "");
    static final List<PlantedBug> BUGS =
        PlantedBug.ALL.stream().filter(bug -> Pattern.compile(ONLY).matcher(bug.what()).find()).toList();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @FieldSource("BUGS")
    void isCaught(final PlantedBug bug) throws Exception
    {
        compile(bug);
        if (bug.yields())
        {
            assertThat(firstFailure(1, SEEDS_WITHOUT_YIELDS, false))
                .as(bug + ": caught though nobody loses a processor between two accesses").isNegative();
        }
        long seed = bug.late() == 0 ? -1 : firstFailure(bug.late(), 1, bug.yields());
        if (seed < 0)
        {
            seed = firstFailure(1, SEEDS, bug.yields());
        }
        assertThat(seed).as(bug + ": seeds until it is caught, of " + SEEDS).isPositive();
        System.out.println("planted bug caught by seed " + seed + (bug.yields() ? ", with yields: " : ": ") + bug);
    }

    /** What {@code gannet simulate} says of a seed that fails, with the command that runs it again. */
    @Test
    void theCommandTellsAFailingSeedToPrograms() throws Exception
    {
        compile(PlantedBug.ALL.stream()
            .filter(bug -> bug.what().equals("says that what was received is consumed")).findFirst().orElseThrow());
        final URL[] roots = {directory.toUri().toURL(), rootOf(Replication.class), rootOf(Ring.class)};
        try (Loader loader = new Loader(roots))
        {
            final Output json = simulate(loader, "--seeds", "500", "--json");
            final Matcher words = FAILED.matcher(json.text);
            assertThat(words.matches()).as(json.text).isTrue();
            assertThat(json.exitCode).isEqualTo(1);
            final long seed = Long.parseLong(words.group(2));
            assertThat(Long.parseLong(words.group(1))).isEqualTo(seed - 1);
            assertThat(words.group(4)).contains("seed=" + seed + ",").doesNotEndWith("passes");
            final Output again = simulate(loader, words.group(3).split(" "));
            assertThat(again.exitCode).isEqualTo(1);
            assertThat(again.text)
                .endsWith("seed " + seed + " failed; again: gannet simulate " + words.group(3) + "\n");
        }
    }

    private record Output(int exitCode, String text)
    {
    }

    private static Output simulate(final Loader loader, final String... arguments) throws Exception
    {
        final Object command = loader.loadClass(SimulateCommand.class.getName()).getConstructor().newInstance();
        final PrintStream before = System.out;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try
        {
            return new Output(new CommandLine(command).execute(arguments), printed.toString(UTF_8));
        }
        finally
        {
            System.setOut(before);
        }
    }

    private void compile(final PlantedBug bug) throws IOException
    {
        final Path source = Path.of("..", bug.module(), "src/main/java", bug.file()).normalize();
        final String text = Files.readString(source);
        assertThat(text.split(Pattern.quote(bug.original()), -1))
            .as(bug.file() + " has once: " + bug.original()).hasSize(2);
        final Path patched = directory.resolve(source.getFileName());
        Files.writeString(patched, text.replace(bug.original(), bug.replacement()));
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null))
        {
            final boolean compiled = compiler.getTask(
                null,
                files,
                null,
                List.of("-d", directory.toString(), "-classpath", classPath(), "-proc:none", "-nowarn"),
                null,
                files.getJavaFileObjects(patched)).call();
            assertThat(compiled).isTrue();
        }
    }

    private long firstFailure(final long first, final int seeds, final boolean yields) throws Exception
    {
        final URL[] roots = {directory.toUri().toURL(), rootOf(Replication.class), rootOf(Ring.class)};
        try (Loader loader = new Loader(roots))
        {
            return (long) loader.loadClass(Simulations.class.getName())
                .getMethod("firstFailure", long.class, int.class, boolean.class).invoke(null, first, seeds, yields);
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause() instanceof final Exception cause ? cause : ex;
        }
    }

    private static String classPath()
    {
        return Stream.of(Replication.class, Ring.class, DirectBuffer.class)
            .map(type -> new File(URI.create(rootOf(type).toString())).getPath())
            .collect(Collectors.joining(File.pathSeparator));
    }

    private static URL rootOf(final Class<?> type)
    {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    /** Loads our classes itself, the broken one first, and the libraries' from the parent. */
    private static final class Loader extends URLClassLoader
    {
        Loader(final URL[] urls)
        {
            super(urls, PlantedBugsIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
        {
            if (!name.startsWith("io.gannet."))
            {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name))
            {
                final Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }
}

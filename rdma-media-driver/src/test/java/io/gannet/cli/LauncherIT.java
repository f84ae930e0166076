package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The launcher of the sources, with a program that says what it was called with. */
@Timeout(180)
class LauncherIT
{
    private static final String ARCHIVE = "making the archive";

    private final Path home = TestDirectory.create("launcher");
    private final Path dist = home.resolve("perf/target/dist");

    /** What is launched. */
    public static final class Program
    {
        private Program()
        {
        }

        public static void main(final String[] arguments)
        {
            System.out.println("called with " + String.join(" ", arguments));
        }
    }

    @AfterEach
    void remove()
    {
        TestDirectory.remove(home);
    }

    private void build() throws IOException
    {
        Files.createDirectories(dist);
        Files.copy(Path.of("..", "gannet"), home.resolve("gannet"));
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Program.class.getName());
        final String name = Program.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(dist.resolve("gannet-dist.jar"));
            JarOutputStream jar = new JarOutputStream(file, manifest);
            InputStream classFile = Program.class.getClassLoader().getResourceAsStream(name))
        {
            jar.putNextEntry(new JarEntry(name));
            classFile.transferTo(jar);
            jar.closeEntry();
        }
    }

    private record Run(String out, String err)
    {
    }

    private Run launch(final String... arguments) throws IOException, InterruptedException
    {
        final String[] command = new String[arguments.length + 2];
        command[0] = "bash";
        command[1] = home.resolve("gannet").toString();
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        final Path err = home.resolve("err");
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("GANNET_JAVA_OPTS");
        final Process process = builder.start();
        final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(err)).isZero();
        return new Run(out, Files.readString(err));
    }

    @Test
    void theFirstRunSaysWhatTakesItsTimeAndTheNextOneIsSilent() throws IOException, InterruptedException
    {
        build();
        final Run first = launch("driver", "--dir", "/x");
        assertThat(first.out).isEqualTo("called with driver --dir /x\n");
        assertThat(first.err).hasLineCount(1).contains("first run of this build").contains(ARCHIVE);
        assertThat(TestDirectory.list(dist)).containsExactlyInAnyOrder("gannet-dist.jar", "gannet.aot");
        final Run second = launch("stat");
        assertThat(second.out).isEqualTo("called with stat\n");
        assertThat(second.err).isEmpty();
    }
}

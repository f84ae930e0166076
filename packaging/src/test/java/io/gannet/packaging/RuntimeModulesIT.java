package io.gannet.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java runtime of the package has all modules that its program asks for. */
class RuntimeModulesIT
{
    private static final Path TARGET = Path.of(System.getProperty("gannet.packages", "target")).toAbsolutePath();
    /** Of picocli's annotation processor, which does not run there. */
    private static final String COMPILER = "java.compiler";

    @Test
    void nothingThatTheProgramUsesIsMissing() throws IOException
    {
        final Path libraries = TARGET.resolve("home/lib");
        final List<String> arguments = new ArrayList<>(List.of("--multi-release", "25", "--ignore-missing-deps",
            "--print-module-deps"));
        try (Stream<Path> jars = Files.list(libraries))
        {
            jars.map(Path::toString).sorted().forEach(arguments::add);
        }
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final int exitCode = ToolProvider.findFirst("jdeps").orElseThrow()
            .run(new PrintWriter(out, true), new PrintWriter(err, true), arguments.toArray(String[]::new));
        assertThat(exitCode).as("%s%s", out, err).isZero();
        final List<String> needed = new ArrayList<>(List.of(out.toString().strip().split(",", -1)));
        assertThat(needed).contains("java.base", "java.management");
        needed.remove(COMPILER);
        assertThat(Files.readAllLines(TARGET.resolve("runtime/release"))).filteredOn(line -> line.startsWith("MODULES"))
            .singleElement().satisfies(modules ->
                assertThat(List.of(modules.substring(modules.indexOf('"') + 1, modules.lastIndexOf('"'))
                    .split(" ", -1))).containsAll(needed));
    }
}

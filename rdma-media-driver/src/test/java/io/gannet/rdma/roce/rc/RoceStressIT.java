package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stress tests of src/jcstress on the shipped classes, with C2's schedule randomised.
 * {@code -Dgannet.stress.millis} sets the time per test and fork (default 700), {@code -Dgannet.stress.forks} their
 * number (default 1): about 2 s per test in all.
 */
class RoceStressIT
{
    private static final long MILLIS = Long.getLong("gannet.stress.millis", 700);
    private static final int FORKS = Integer.getInteger("gannet.stress.forks", 1);
    private static final String STRESSED_COMPILER = "-XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM " +
        "-XX:+StressIGVN -XX:+StressCCP --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";
    private static final Pattern VERDICT = Pattern.compile("(?m)^\\.* *\\[([A-Z ]+)] [\\w.]*?(\\w+Stress)\\s*$");

    @TempDir
    Path directory;

    @Test
    void noOutcomeIsForbiddenOnTheShippedClasses() throws Exception
    {
        final String output = run();
        final Set<String> passed = new TreeSet<>();
        final Matcher verdicts = VERDICT.matcher(output.substring(Math.max(0, output.indexOf("RUN RESULTS:"))));
        while (verdicts.find())
        {
            assertThat(verdicts.group(1)).as(output).isEqualTo("OK");
            passed.add(verdicts.group(2));
        }
        assertThat(passed).as(output).isEqualTo(compiled()).isNotEmpty();
    }

    private String run() throws IOException, InterruptedException
    {
        final Path log = directory.resolve("jcstress.log");
        final Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main",
            "-t", "io.gannet.rdma", "-v", "-sc", "false", "-f", Integer.toString(FORKS), "-fsm", "1", "-iters", "1",
            "-time", Long.toString(MILLIS), "-hs", "256", "-strideSize", "16", "-strideCount", "8",
            "-r", directory.resolve("report").toString(), "-jvmArgs", STRESSED_COMPILER)
            .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (!process.waitFor(20 + TimeUnit.MILLISECONDS.toMinutes(20L * FORKS * MILLIS), TimeUnit.MINUTES))
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(log, StandardCharsets.UTF_8);
    }

    /** What the annotation processor wrote down, so that a test class cannot get lost between build and run. */
    private static Set<String> compiled() throws IOException
    {
        final Set<String> tests = new TreeSet<>();
        try (InputStream in = RoceStressIT.class.getResourceAsStream("/META-INF/TestList"))
        {
            assertThat(in).as("no stress tests were compiled").isNotNull();
            final Matcher name = Pattern.compile("io\\.gannet\\.[\\w.]*?(\\w+Stress)(?=\\d+S)")
                .matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            while (name.find())
            {
                tests.add(name.group(1));
            }
        }
        return tests;
    }
}

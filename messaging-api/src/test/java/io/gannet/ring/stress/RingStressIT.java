package io.gannet.ring.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stress tests of src/jcstress on the shipped classes, with C2's schedule randomised.
 * {@code -Dgannet.stress.millis} sets the time per test and fork (default 700), {@code -Dgannet.stress.forks} their
 * number (default 1): about 2 s per test in all. Long runs raise both.
 */
class RingStressIT
{
    private static final long MILLIS = Long.getLong("gannet.stress.millis", 700);
    private static final int FORKS = Integer.getInteger("gannet.stress.forks", 1);
    private static final List<String> STRESSED_COMPILER = List.of(
        "-XX:+UnlockDiagnosticVMOptions", "-XX:+StressLCM", "-XX:+StressGCM", "-XX:+StressIGVN", "-XX:+StressCCP");

    @TempDir
    Path directory;

    @Test
    void noOutcomeIsForbiddenOnTheShippedClasses() throws Exception
    {
        final StressRun run = StressRun.run(directory, "io.gannet", MILLIS, FORKS, jvmArguments());

        assertThat(run.verdicts().keySet()).isEqualTo(compiledStressTests());
        assertThat(run.verdicts()).as(run.output()).allSatisfy((test, verdict) -> assertThat(verdict).isEqualTo("OK"));
        assertThat(run.samples()).as(run.output()).allSatisfy((test, count) -> assertThat(count).isPositive());
    }

    static List<String> jvmArguments(final String... more)
    {
        final List<String> arguments = new ArrayList<>(STRESSED_COMPILER);
        arguments.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** What the annotation processor wrote down, so that a test class cannot get lost between build and run. */
    private static Set<String> compiledStressTests() throws IOException
    {
        final Set<String> tests = new TreeSet<>();
        try (InputStream in = RingStressIT.class.getResourceAsStream("/META-INF/TestList"))
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

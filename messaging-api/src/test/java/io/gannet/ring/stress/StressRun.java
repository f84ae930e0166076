package io.gannet.ring.stress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of the jcstress harness in a JVM of its own (the one that runs this test), and its verdict per stress test.
 * A run that planned nothing, or ended without a verdict for each planned test, is an error and not a pass.
 *
 * @param verdicts verdict by simple class name, as jcstress prints it: OK, FAILED, ERROR ...
 * @param samples  observed results by simple class name.
 * @param output   everything that the harness printed.
 */
record StressRun(Map<String, String> verdicts, Map<String, Long> samples, String output)
{
    private static final Pattern VERDICT = Pattern.compile("^\\.* *\\[([A-Z ]+)] ([\\w.$]+)\\s*$");
    private static final Pattern OUTCOME = Pattern.compile(
        "^ +.*? +([\\d,]+) +<?[\\d.]+% +(Acceptable|Forbidden|Interesting|Unknown)\\b.*$");
    private static final Pattern TOTALS = Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, " +
        "(\\d+) soft errs, (\\d+) hard errs\\)");
    private static final long DEADLINE_MINUTES = 20;
    private static final long MORE_THAN_ALL_TESTS = 50;

    /** Runs the stress tests whose class name matches {@code tests}, each for {@code millis} in {@code forks} forks. */
    static StressRun run(final Path directory, final String tests, final long millis, final int forks,
        final List<String> jvmArguments) throws IOException, InterruptedException
    {
        final Path log = directory.resolve("jcstress.log");
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"),
            "org.openjdk.jcstress.Main",
            "-t", tests,
            "-v",
            "-sc", "false",
            "-f", Integer.toString(forks),
            "-fsm", "1",
            "-iters", "1",
            "-time", Long.toString(millis),
            "-hs", "256",
            "-strideSize", "16",
            "-strideCount", "8",
            "-r", directory.resolve("report").toString(),
            "-jvmArgs", String.join(" ", jvmArguments)));
        final Process process = new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
        final long deadlineMinutes =
            DEADLINE_MINUTES + TimeUnit.MILLISECONDS.toMinutes(MORE_THAN_ALL_TESTS * forks * millis);
        if (!process.waitFor(deadlineMinutes, TimeUnit.MINUTES))
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("jcstress did not end in " + deadlineMinutes + " min:\n" + read(log));
        }
        return parse(read(log));
    }

    static StressRun parse(final String output)
    {
        final int results = output.indexOf("RUN RESULTS:");
        if (results < 0)
        {
            throw new AssertionError("jcstress ended without results:\n" + output);
        }
        final Map<String, String> verdicts = new TreeMap<>();
        final Map<String, Long> samples = new TreeMap<>();
        String test = null;
        for (final String line : output.substring(results).lines().toList())
        {
            final Matcher verdict = VERDICT.matcher(line);
            final Matcher outcome = OUTCOME.matcher(line);
            if (verdict.matches())
            {
                test = verdict.group(2).substring(verdict.group(2).lastIndexOf('.') + 1);
                verdicts.put(test, verdict.group(1));
            }
            else if (test != null && outcome.matches())
            {
                samples.merge(test, Long.parseLong(outcome.group(1).replace(",", "")), Long::sum);
            }
        }
        final Matcher totals = TOTALS.matcher(output);
        int planned = 0;
        int done = 0;
        while (totals.find())
        {
            planned = Integer.parseInt(totals.group(1));
            done = Integer.parseInt(totals.group(2)) + Integer.parseInt(totals.group(3)) +
                Integer.parseInt(totals.group(4)) + Integer.parseInt(totals.group(5));
        }
        if (planned == 0 || done != planned || verdicts.isEmpty())
        {
            throw new AssertionError(done + " of " + planned + " planned stress tests have a result:\n" + output);
        }
        return new StressRun(verdicts, samples, output);
    }

    private static String read(final Path log) throws IOException
    {
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }
}

package io.gannet.perf.beside;

import io.gannet.perf.os.Posix;
import io.gannet.perf.rig.ChildProcess;
import io.gannet.perf.worker.WorkerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The process of a {@link Loop}: its first line of input names it, each further line, {@code run ARGUMENT...}, runs it
 * once.
 */
final class LoopMain
{
    private static final long LIMIT_MS = 600_000;

    private LoopMain()
    {
    }

    /** Starts a process; closing it ends it. */
    static ChildProcess start(
        final String name, final List<String> environment, final List<String> flags, final String... loop)
        throws IOException, InterruptedException
    {
        final List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx256m",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
            "-Dagrona.disable.bounds.checks=true"));
        all.addAll(flags);
        final List<String> prefix = new ArrayList<>(List.of("env"));
        prefix.addAll(environment);
        final ChildProcess process = new ChildProcess(name, prefix, LoopMain.class, all);
        try
        {
            process.send(String.join(" ", loop));
            process.answer(LIMIT_MS);
        }
        catch (final RuntimeException | IOException | InterruptedException e)
        {
            process.close();
            throw e;
        }
        return process;
    }

    /** Runs the loop of a process once. */
    static String run(final ChildProcess process, final String... arguments) throws IOException, InterruptedException
    {
        process.send(String.join(" ", "run", String.join(" ", arguments)).strip());
        return process.answer(LIMIT_MS);
    }

    static void main() throws IOException
    {
        Posix.dieWithParent();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final String first = in.readLine();
        if (first == null)
        {
            return;
        }
        try (Loop loop = open(Arrays.asList(first.split(" ", -1))))
        {
            answer("opened");
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                final List<String> words = Arrays.asList(line.split(" ", -1));
                answer(loop.run(words.subList(1, words.size())));
            }
        }
        catch (final Exception e)
        {
            e.printStackTrace();
            answer("failed " + e);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static Loop open(final List<String> words) throws InterruptedException
    {
        final List<String> arguments = words.subList(1, words.size());
        return switch (words.getFirst())
        {
            case PostLoop.NAME -> PostLoop.open(arguments);
            case WriteLoop.NAME -> WriteLoop.open(arguments);
            case PolicyLoop.NAME -> PolicyLoop.open(arguments);
            case MessageLoop.NAME -> MessageLoop.open(arguments);
            default -> throw new IllegalArgumentException("no loop " + words.getFirst());
        };
    }

    private static void answer(final String text)
    {
        System.out.println(WorkerMain.ANSWER + text.replace('\n', ' '));
        System.out.flush();
    }
}

package io.gannet.perf.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * {@code gannet perf jmh}: the pieces of the hot path, one by one.
 */
@Command(name = "jmh", description = {
    "Runs the micro-benchmarks of the pieces: memory, offer, claim, poll, gating, codecs, system calls.",
    "Everything after the name goes to JMH, as in: gannet perf jmh Offer -f 3. Allocation is profiled (-prof gc)."})
public final class JmhCommand implements Callable<Integer>
{
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws Exception
    {
        final List<String> all = new ArrayList<>(arguments);
        if (!all.contains("-prof"))
        {
            all.addAll(List.of("-prof", "gc"));
        }
        org.openjdk.jmh.Main.main(all.toArray(String[]::new));
        return 0;
    }
}

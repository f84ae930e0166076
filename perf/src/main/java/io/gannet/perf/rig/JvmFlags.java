package io.gannet.perf.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * Flags of the rig's processes; the same for every peer.
 */
final class JvmFlags
{
    private static final List<String> COMMON = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:+UseCompressedOops",
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    private JvmFlags()
    {
    }

    /** A worker compiles in the foreground (-Xbatch): two spinning threads leave the compiler no processor. */
    static List<String> worker(final IpcOptions options)
    {
        final List<String> flags = new ArrayList<>(COMMON);
        flags.addAll(List.of("-Xms256m", "-Xmx512m", "-Xbatch"));
        flags.addAll(boundsChecks(options));
        flags.addAll(options.workerFlags());
        return flags;
    }

    static List<String> driver(final IpcOptions options)
    {
        final List<String> flags = new ArrayList<>(COMMON);
        flags.addAll(List.of("-Xms64m", "-Xmx128m"));
        flags.addAll(boundsChecks(options));
        return flags;
    }

    private static List<String> boundsChecks(final IpcOptions options)
    {
        return List.of("-Dagrona.disable.bounds.checks=" + !options.boundsChecks(),
            "-Daeron.disable.bounds.checks=" + !options.boundsChecks());
    }
}

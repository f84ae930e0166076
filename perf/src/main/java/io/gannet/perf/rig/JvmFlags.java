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

    private static final List<String> NO_BOUNDS_CHECKS =
        List.of("-Dagrona.disable.bounds.checks=true", "-Daeron.disable.bounds.checks=true");

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

    /** Flags of a worker over a network; {@code external} if its driver is another process. */
    static List<String> netWorker(final NetOptions options, final boolean external)
    {
        final List<String> flags = new ArrayList<>(COMMON);
        flags.addAll(List.of("-Xms256m", "-Xmx512m"));
        if (external)
        {
            flags.add("-Xbatch");
        }
        else
        {
            flags.addAll(List.of("-Drig.embedded=true", "-Drig.idle=" + options.idle()));
        }
        if (options.apart())
        {
            flags.add("-Drig.apart=true");
        }
        flags.addAll(NO_BOUNDS_CHECKS);
        flags.addAll(options.workerFlags());
        return flags;
    }

    static List<String> netDriver(final NetOptions options)
    {
        final List<String> flags = new ArrayList<>(COMMON);
        // -Xbatch, as for workers: on two processors, a compiler's thread takes milliseconds from all that yield
        flags.addAll(List.of("-Xms64m", "-Xmx256m", "-Xbatch"));
        flags.addAll(NO_BOUNDS_CHECKS);
        flags.addAll(options.driverFlags());
        return flags;
    }

    static List<String> linkDriver()
    {
        final List<String> flags = new ArrayList<>(COMMON);
        flags.addAll(List.of("-Xms64m", "-Xmx128m"));
        return flags;
    }

    private static List<String> boundsChecks(final IpcOptions options)
    {
        return List.of("-Dagrona.disable.bounds.checks=" + !options.boundsChecks(),
            "-Daeron.disable.bounds.checks=" + !options.boundsChecks());
    }
}

package io.gannet.perf.jmh;

/**
 * JVM flags of the forks: a manifest's entries don't reach them.
 */
final class JmhFlags
{
    static final String EXPORTS = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";
    static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    static final String NO_BOUNDS_CHECKS = "-Dagrona.disable.bounds.checks=true";

    private JmhFlags()
    {
    }
}

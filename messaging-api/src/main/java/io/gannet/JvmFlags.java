package io.gannet;

import io.gannet.os.Processes;

/** The flags that the JVM needs: looked for before anything fails for want of them. */
final class JvmFlags
{
    private static final String FLAGS =
        "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED --enable-native-access=ALL-UNNAMED";
    private static final String INTERNAL_PACKAGE = "jdk.internal.misc";

    private JvmFlags()
    {
    }

    /** Throws an {@link IllegalStateException} with the exact flags where one is missing. */
    static void check()
    {
        // Agrona is what uses the package; its module is ours on the class path.
        if (!Object.class.getModule().isExported(INTERNAL_PACKAGE, org.agrona.ErrorHandler.class.getModule()))
        {
            throw missing(null);
        }
        try
        {
            Processes.pid();
        }
        catch (final IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError ex)
        {
            throw missing(ex);
        }
    }

    private static IllegalStateException missing(final Throwable cause)
    {
        return new IllegalStateException("this JVM lacks a flag that Gannet needs. Start it with " + FLAGS +
            " (or put \"Add-Exports: java.base/jdk.internal.misc\" and \"Enable-Native-Access: ALL-UNNAMED\" into " +
            "the manifest of the jar that is run)", cause);
    }
}

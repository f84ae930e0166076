package io.gannet.samples.marketdata.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines for further processes of this very program: the same JVM, class path and flags.
 */
public final class JavaCommand
{
    private JavaCommand()
    {
    }

    /** A process with this main class. */
    public static List<String> of(final String mainClass, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC", "-XX:-UsePerfData",
            "-Dsbe.enable.precedence.checks=false"));
        final String options = System.getenv("GANNET_JAVA_OPTS");
        if (options != null && !options.isBlank())
        {
            command.addAll(List.of(options.strip().split("\\s+")));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        return command;
    }
}

package io.gannet.doctor;

import java.util.ArrayList;
import java.util.List;

/** Java of the process: its release, by the file beside it, and flags that slow it down. */
final class JavaCheck extends Check
{
    private static final int VERSION = 25;
    private static final int DEPTH = 2;

    JavaCheck()
    {
        super("java", false, "Java " + VERSION + " without flags for debugging",
            "interpreted or half-compiled code is ten times slower, and a debugger stops all threads");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final List<String> arguments =
            List.of(host.tree().text(host.ofProcess("cmdline")).split("\0", -1));
        final String program = host.tree().link(host.ofProcess("exe"));
        if (!program.endsWith("/java"))
        {
            throw new UnreadableException(host.processName() + " is no Java, or can't be looked at");
        }
        final List<String> slow = new ArrayList<>();
        for (final String argument : arguments)
        {
            if ("-Xint".equals(argument) || argument.startsWith("-XX:TieredStopAtLevel=") ||
                argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp") || "-Xdebug".equals(argument))
            {
                slow.add(argument);
            }
        }
        final String version = version(host, program);
        final long feature = Tree.parse(version).orElse(VERSION);
        final String found = host.processName() + ": Java " + (version.isEmpty() ? "of unknown version" : version);
        if (feature < VERSION)
        {
            notes.error(found, "install a JDK " + VERSION + " and set JAVA_HOME to it");
        }
        else if (!slow.isEmpty())
        {
            notes.warning(found + " with " + String.join(", ", slow),
                "start it without them: GANNET_JAVA_OPTS, JAVA_TOOL_OPTIONS, the unit's ExecStart=");
        }
        else
        {
            notes.ok(found);
        }
    }

    /** Of {@code JAVA_VERSION="25.0.3"} in the release file of a JDK whose program is bin/java. */
    private static String version(final Host host, final String program)
    {
        String home = program;
        for (int i = 0; i < DEPTH; i++)
        {
            home = home.substring(0, Math.max(0, home.lastIndexOf('/')));
        }
        for (final String line : host.tree().lines(home + "/release"))
        {
            if (line.startsWith("JAVA_VERSION="))
            {
                return line.substring(line.indexOf('=') + 1).replace("\"", "");
            }
        }
        return "";
    }
}

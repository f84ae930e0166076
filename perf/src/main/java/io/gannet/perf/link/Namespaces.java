package io.gannet.perf.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces of this process's own, each with one end of a link. Needs root and ip(8).
 */
public final class Namespaces implements AutoCloseable
{
    /** Address of the first end. */
    public static final String FIRST = "10.199.0.1";
    /** Address of the second end. */
    public static final String SECOND = "10.199.0.2";

    /** IPv6 address of the first end. */
    public static final String FIRST_IPV6 = "fd00:199::1";
    /** IPv6 address of the second end. */
    public static final String SECOND_IPV6 = "fd00:199::2";

    private static final List<String> TOOLS = List.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip");
    private static final int LEAST_IPV6_MTU = 1280;
    private static final long COMMAND_SECONDS = 30;

    private final String tool;
    private final String[] names = new String[2];
    private final String[] devices = new String[2];
    private final Thread hook = new Thread(this::remove, "namespaces-end");

    private Namespaces(final String tool)
    {
        this.tool = tool;
        final long pid = ProcessHandle.current().pid();
        for (int i = 0; i < names.length; i++)
        {
            names[i] = "gannet-" + pid + "-" + i;
            devices[i] = "gn" + pid + "e" + i;
        }
        Runtime.getRuntime().addShutdownHook(hook);
        for (final String name : names)
        {
            run(tool, "netns", "add", name);
            run(tool, "-n", name, "link", "set", "lo", "up");
        }
    }

    /** Why there can't be namespaces here, or null. */
    public static String missing()
    {
        if (!"root".equals(System.getProperty("user.name")))
        {
            return "root is needed";
        }
        return tool() == null ? "ip(8) is needed" : null;
    }

    /** Makes two namespaces, connected by a pair of virtual Ethernet devices. */
    public static Namespaces ethernet(final int mtu)
    {
        final Namespaces made = new Namespaces(tool());
        try
        {
            run(made.tool, "link", "add", made.devices[0], "netns", made.names[0], "type", "veth", "peer", "name",
                made.devices[1], "netns", made.names[1]);
            made.up(mtu);
            // Datagrams leave one by one, as from a NIC: what is captured is what is on the wire.
            for (int i = 0; i < 2; i++)
            {
                run(made.tool, "-n", made.names[i], "link", "set", made.devices[i], "gso_max_segs", "1");
            }
        }
        catch (final RuntimeException e)
        {
            made.close();
            throw e;
        }
        return made;
    }

    /** Makes two namespaces, each with a tunnel of which the other end is this process's. */
    public static Namespaces tunnels(final Tunnel[] ends, final int mtu)
    {
        final Namespaces made = new Namespaces(tool());
        try
        {
            for (int i = 0; i < 2; i++)
            {
                ends[i] = new Tunnel(made.devices[i]);
                run(made.tool, "link", "set", made.devices[i], "netns", made.names[i]);
            }
            made.up(mtu);
        }
        catch (final RuntimeException e)
        {
            made.close();
            throw e;
        }
        return made;
    }

    private void up(final int mtu)
    {
        for (int i = 0; i < 2; i++)
        {
            run(tool, "-n", names[i], "addr", "add", (i == 0 ? FIRST : SECOND) + "/24", "dev", devices[i]);
            run(tool, "-n", names[i], "link", "set", devices[i], "mtu", Integer.toString(mtu), "up");
            if (mtu >= LEAST_IPV6_MTU)
            {
                run(tool, "-n", names[i], "addr", "add", (i == 0 ? FIRST_IPV6 : SECOND_IPV6) + "/64", "dev",
                    devices[i], "nodad");
            }
        }
    }

    /** Takes the link down, or up again. */
    public void link(final boolean up)
    {
        run(tool, "-n", names[0], "link", "set", devices[0], up ? "up" : "down");
    }

    /** Start of a command line that runs in a namespace. */
    public List<String> inside(final int which)
    {
        return List.of(tool, "netns", "exec", names[which]);
    }

    /** File that names a namespace. */
    public Path file(final int which)
    {
        return Path.of("/run/netns", names[which]);
    }

    private static String tool()
    {
        return TOOLS.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst().orElse(null);
    }

    private static void run(final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0)
            {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output.strip());
            }
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(String.join(" ", command) + " failed: " + e.getMessage(), e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(String.join(" ", command) + " was interrupted", e);
        }
    }

    private void remove()
    {
        final List<String> left = new ArrayList<>(List.of(names));
        for (final String name : left)
        {
            if (Files.exists(Path.of("/run/netns", name)))
            {
                run(tool, "netns", "del", name);
            }
        }
    }

    @Override
    public void close()
    {
        remove();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}

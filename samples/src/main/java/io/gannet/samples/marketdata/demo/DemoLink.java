package io.gannet.samples.marketdata.demo;

import io.gannet.cli.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The way from the demo's publisher to its subscribers: the ring of one driver, or two drivers, each with a directory
 * of its own, and RoCE packets between them.
 *
 * @param transport           its name for machines.
 * @param channel             of the feed.
 * @param publisherDirectory  of the publisher's driver.
 * @param subscriberDirectory of the subscribers' driver.
 * @param drivers             that one driver, or the publisher's and the subscribers'.
 * @param route               of the packets, in words; empty if there are none.
 */
record DemoLink(
    String transport,
    String channel,
    Path publisherDirectory,
    Path subscriberDirectory,
    List<Child> drivers,
    String route)
{
    private static final Pattern READY = Pattern.compile("gannet driver ready: .*device (\\S+)");
    private static final String ROCE = "roce:";
    private static final int PORT = 4100;

    /** Starts one driver in a directory. */
    static DemoLink ipc(final Path directory, final String ring, final Launcher launcher) throws IOException
    {
        final Child driver = launcher.start("driver", driver(directory));
        return new DemoLink("ipc", "gannet:ipc?ring=" + ring, directory, directory, List.of(driver), "");
    }

    /** Starts two drivers, each on a loopback address that nobody has, in directories below one. */
    static DemoLink roce(
        final Path directory, final String ring, final Launcher launcher, final Function<Child, Matcher> await)
        throws IOException
    {
        final Path from = Files.createDirectory(directory.resolve("publisher"));
        final Path to = Files.createDirectory(directory.resolve("subscribers"));
        final Child sender = launcher.start("the publisher's driver", driver(from, "--device", "roce"));
        final Child receiver = launcher.start("the subscribers' driver", driver(to, "--device", "roce"));
        final String source = address(await.apply(sender));
        final String destination = address(await.apply(receiver));
        return new DemoLink("roce", "gannet:rdma?endpoint=" + destination + ":" + PORT + "|ring=" + ring, from, to,
            List.of(sender, receiver), source + " to " + destination);
    }

    /** The line of a driver that says that it is ready, and with which device. */
    static Pattern ready()
    {
        return READY;
    }

    /** What shows the publisher's driver from another terminal. */
    String topCommand()
    {
        return "./gannet top --dir " + publisherDirectory;
    }

    boolean isRoce()
    {
        return drivers.size() > 1;
    }

    private static List<String> driver(final Path directory, final String... more)
    {
        final List<String> arguments = new java.util.ArrayList<>(List.of("--dir", directory.toString()));
        arguments.addAll(List.of(more));
        return JavaCommand.of(DemoDriver.class.getName(), arguments);
    }

    private static String address(final Matcher ready)
    {
        final String device = ready.group(1);
        if (!device.startsWith(ROCE))
        {
            throw new OperatorException("the demo's driver has device " + device + " instead of the software NIC");
        }
        return device.substring(ROCE.length());
    }

    /** Starts a process of the demo. */
    @FunctionalInterface
    interface Launcher
    {
        /** Starts it. */
        Child start(String name, List<String> command) throws IOException;
    }
}

package io.gannet.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Where a test's publishers and subscribers are: on one host, or on two, each with a driver of its own and the software
 * NIC at a loopback address of its own between them.
 */
public final class Hosts
{
    /** A driver keeps at most 1024 of them. */
    private static final String NOTE = ".broken";
    private static final int PORT = 4400;
    private static final int FIRST_OCTET = 16;
    private static final int OCTETS = 254;

    /** How many hosts, and who connects to whom. */
    public enum Where
    {
        /** One. */
        LOCAL,
        /** The publishers' driver connects to the subscribers'. */
        ENDPOINT,
        /** The subscribers' driver connects to the publishers'. */
        CONTROL
    }

    /** One of the hosts; with {@link Where#LOCAL} both are the same. */
    public enum Side
    {
        /** The publishers'. */
        PUBLISHERS,
        /** The subscribers'. */
        SUBSCRIBERS
    }

    private final ProcessHarness harness;
    private final Where where;
    private final Path publishers;
    private final Path subscribers;
    private final String publishersAddress = address();
    private final String subscribersAddress = address();
    private final String channel;

    /** In directories of the harness, of which the publishers' is its first. */
    public Hosts(final ProcessHarness harness, final Where where)
    {
        this.harness = harness;
        this.where = where;
        publishers = harness.directory();
        subscribers = isRemote() ? harness.anotherDirectory() : publishers;
        channel = switch (where)
        {
            case LOCAL -> "gannet:ipc?";
            case ENDPOINT -> "gannet:rdma?endpoint=" + subscribersAddress + ":" + PORT;
            case CONTROL -> "gannet:rdma?control=" + publishersAddress + ":" + PORT;
        };
        if (isRemote())
        {
            // Whoever dies is missed by its peer for a while.
            harness.expectError("it is to be made again");
            harness.expectError("cannot connect to");
            harness.expectError("cannot ask");
        }
    }

    /** The places that a system property names, separated by commas. */
    public static Stream<Where> named(final String property, final String byDefault)
    {
        return Arrays.stream(System.getProperty(property, byDefault).split(",")).map(Where::valueOf);
    }

    /** Tests of other runs on this machine have others. */
    private static String address()
    {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        return "127." + random.nextInt(FIRST_OCTET, OCTETS) + "." + random.nextInt(OCTETS) + "." +
            random.nextInt(1, OCTETS);
    }

    /** Whether there are two. */
    public boolean isRemote()
    {
        return where != Where.LOCAL;
    }

    /** Those that have a driver of their own. */
    public List<Side> sides()
    {
        return isRemote() ? List.of(Side.values()) : List.of(Side.PUBLISHERS);
    }

    /** The address of a host's NIC, if there are two. */
    public String address(final Side side)
    {
        return side == Side.PUBLISHERS ? publishersAddress : subscribersAddress;
    }

    /** The directory of a host's driver. */
    public Path directory(final Side side)
    {
        return side == Side.PUBLISHERS ? publishers : subscribers;
    }

    /** What publishers and subscribers name, with options such as {@code image-timeout=60s}. */
    public String channel(final String... options)
    {
        final StringBuilder text = new StringBuilder(channel);
        for (final String option : options)
        {
            text.append(text.charAt(text.length() - 1) == '?' ? "" : "|").append(option);
        }
        return text.charAt(text.length() - 1) == '?' ? text.substring(0, text.length() - 1) : text.toString();
    }

    /** Starts all drivers and waits until they are ready. */
    public List<TestProcess> startDrivers(final String... flags)
    {
        final List<TestProcess> drivers = new ArrayList<>();
        sides().forEach(side -> drivers.add(launchDriver(side, flags)));
        drivers.forEach(harness::awaitReady);
        return drivers;
    }

    /** Starts one driver and waits until it is ready. */
    public TestProcess startDriver(final Side side, final String... flags)
    {
        final TestProcess driver = launchDriver(side, flags);
        harness.awaitReady(driver);
        return driver;
    }

    /** Starts one driver and does not wait. */
    public TestProcess launchDriver(final Side side, final String... flags)
    {
        final List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of("--dir", directory(side).toString()));
        if (isRemote())
        {
            all.addAll(List.of("--device", "roce", "--device-address", address(side)));
        }
        return harness.launchDriver(all.toArray(String[]::new));
    }

    /** Starts a {@link FlowPublisher}, with options of the channel. */
    public TestProcess startPublisher(final boolean exclusive, final String... options)
    {
        return harness.start("publisher", FlowPublisher.class.getName(),
            List.of(publishers.toString(), Boolean.toString(exclusive), channel(options)));
    }

    /** Starts a {@link FlowSubscriber}, with options of the channel. */
    public TestProcess startSubscriber(final String... options)
    {
        return startSubscriberThat("=", options);
    }

    /** Starts a {@link FlowSubscriber} that does something after a number of messages. */
    public TestProcess startSubscriberThat(final String deed, final String... options)
    {
        return harness.start("subscriber", FlowSubscriber.class.getName(),
            List.of(subscribers.toString(), channel(options), deed));
    }

    /** Clients that the drivers of all hosts know. */
    public int clients()
    {
        return count("clients", name -> true);
    }

    /** Files of rings, and their journals, on all hosts. */
    public int rings()
    {
        return count("rings", name -> !name.endsWith(NOTE));
    }

    /** Notes of gaps that living subscribers are to be told when a publication comes again. */
    public int notes()
    {
        return count("rings", name -> name.endsWith(NOTE));
    }

    private int count(final String folder, final Predicate<String> which)
    {
        return sides().stream().mapToInt(side ->
            (int) TestDirectory.list(directory(side).resolve(folder)).stream().filter(which).count()).sum();
    }
}

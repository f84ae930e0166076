package io.gannet.driver;

import io.gannet.doctor.FactReader;
import io.gannet.doctor.HostFacts;
import io.gannet.doctor.HostFacts.Fact;
import io.gannet.driver.stream.SetupRequest;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.RdmaDevice;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What other hosts' doctors are told of this host. It is read when somebody asks, and again if it is old then: a flood
 * of questions costs one look at the host in a while, on a thread of its own, as tools of the host are run for it.
 * Owned by the conductor.
 */
final class HostAnswers
{
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Source source;
    private final AtomicBoolean reading = new AtomicBoolean();
    private Runnable reader;
    private volatile Answer answer;

    private static final class Answer
    {
        private final byte[] facts;
        private final long readAt = System.nanoTime();

        Answer(final HostFacts facts)
        {
            this.facts = facts.encode();
        }
    }

    /** Reads what does not depend on the driver. */
    @FunctionalInterface
    interface Source
    {
        /**
         * Takes seconds at worst.
         *
         * @param device  provider and name.
         * @param address of the device.
         */
        HostFacts read(String device, InetAddress address);
    }

    HostAnswers(final Source source)
    {
        this.source = source;
    }

    static HostAnswers ofThisHost()
    {
        return new HostAnswers((device, address) -> FactReader.read(Path.of("/"), device, address));
    }

    /** There is a device now. */
    void opened(final RdmaDevice device)
    {
        final PortAttributes port = device.port(1);
        final String name = device.name();
        reader = () -> answer = new Answer(complete(read(name, port.address()), name, port.activeMtu()));
    }

    /** What the host shows makes no difference to the driver: at worst nothing of it is known. */
    private HostFacts read(final String device, final InetAddress address)
    {
        try
        {
            return source.read(device, address);
        }
        catch (final RuntimeException unreadable)
        {
            return new HostFacts(Map.of());
        }
    }

    /** Adds what the driver itself knows. */
    static HostFacts complete(final HostFacts facts, final String device, final int activeMtu)
    {
        HostFacts all = facts;
        for (final Map.Entry<Fact, String> own : Map.of(
            Fact.GANNET, MediaDriver.version(),
            Fact.PROTOCOL, Integer.toString(SetupRequest.VERSION),
            Fact.DEVICE, device,
            Fact.ACTIVE_MTU, Integer.toString(activeMtu)).entrySet())
        {
            all = all.values().containsKey(own.getKey()) ? all : all.with(own.getKey(), own.getValue());
        }
        return all;
    }

    /**
     * The encoded facts.
     *
     * @param again whether the rest of an answer is asked for, which does not get old.
     * @return null if they are being read.
     */
    byte[] get(final boolean again)
    {
        final Answer last = answer;
        if (last != null && (again || System.nanoTime() - last.readAt < FRESH_NANOS))
        {
            return last.facts;
        }
        if (reading.compareAndSet(false, true))
        {
            Thread.ofPlatform().name("gannet-facts").daemon(true).start(() ->
            {
                try
                {
                    reader.run();
                }
                finally
                {
                    reading.set(false);
                }
            });
        }
        return null;
    }
}

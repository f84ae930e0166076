package io.gannet.driver;

import io.gannet.control.DriverFile;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.errors.ErrorCodes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.agrona.concurrent.Agent;

/**
 * The place of the driver's device and of replication over it: empty until a channel needs the device, unless the
 * options ask for it at once. The agents and bells of the sender's and the receiver's thread are there from the start.
 */
final class DeviceSlot
{
    private final DeviceOpener opener;
    private final ConductorInbox inbox;
    private final DriverFile driverFile;
    private final ThreadingMode threading;
    private final ReplicationSettings settings;
    private final DriverErrors errors;
    private final DriverCounters counters;
    private final HostAnswers answers;
    /** Where doctors are answered apart from channels; 0 for nowhere. */
    private final int doctorPort;
    private final RingMaker maker;
    private final RemoteImages images;
    private final RemoteStreams remote;
    /** Senders, and as many receivers. */
    private final int agents;
    private final List<DriverService> services = new ArrayList<>();
    private final List<SlotBell> agentBells = new ArrayList<>();
    private final SlotBell conductorBell;
    /** Set once, by the conductor or before it runs. */
    private volatile RdmaEngine engine;
    private DeviceCounters deviceCounters;
    private boolean closed;

    private DeviceSlot(
        final DriverConfiguration configuration,
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox inbox,
        final Addresses addresses,
        final DriverFile driverFile,
        final DriverErrors errors,
        final DriverCounters counters,
        final HostAnswers answers)
    {
        this.answers = answers;
        doctorPort = configuration.get(DriverOptions.DOCTOR_PORT);
        opener = new DeviceOpener(configuration);
        threading = configuration.get(DriverOptions.THREADING);
        agents = threading == ThreadingMode.DEDICATED ? AgentCount.of(configuration.get(DriverOptions.AGENTS)) : 1;
        settings = ReplicationSettings.defaults().withPolicies(
            Math.toIntExact(configuration.get(DriverOptions.INLINE_THRESHOLD)),
            configuration.get(DriverOptions.SIGNAL_INTERVAL));
        this.maker = maker;
        this.inbox = inbox;
        this.driverFile = driverFile;
        this.errors = errors;
        this.counters = counters;
        for (int i = 0; i < agents; i++)
        {
            final int index = i;
            add(DriverService.Role.SENDER, "sender", i, e -> e.send(index), e -> e.senderBell(index));
            add(DriverService.Role.RECEIVER, "receiver", i, e -> e.receive(index), e -> e.receiverBell(index));
        }
        conductorBell = new SlotBell(new ConductorBell(driverFile.bell()), RdmaEngine::conductorBell);
        images = new RemoteImages(maker, resources, inbox, addresses, answers);
        remote = new RemoteStreams(
            this::open, images, maker, resources, addresses, errors, new RemoteCounters(counters));
    }

    private void add(
        final DriverService.Role role,
        final String name,
        final int index,
        final ToIntFunction<RdmaEngine> cycle,
        final Function<RdmaEngine, Sleeper> bell)
    {
        final SlotBell sleeper = new SlotBell(new ThreadBell(), bell);
        agentBells.add(sleeper);
        services.add(new Service(
            role, index, new Role(index == 0 ? name : name + "-" + (index + 1), cycle), sleeper));
    }

    /**
     * Prepares the configured device, and opens it unless that waits for a channel.
     *
     * @return null if there is none.
     * @throws DriverException if it is asked for by name and can't be opened, with the remedy.
     */
    static DeviceSlot create(
        final DriverConfiguration configuration,
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox inbox,
        final Addresses addresses,
        final DriverFile driverFile,
        final DriverErrors errors,
        final DriverCounters counters,
        final HostAnswers answers)
    {
        if (configuration.get(DriverOptions.DEVICE) == DeviceKind.NONE)
        {
            return null;
        }
        final DeviceSlot slot =
            new DeviceSlot(configuration, maker, resources, inbox, addresses, driverFile, errors, counters, answers);
        if (!slot.opener.isLazy())
        {
            try
            {
                slot.open(null, null);
            }
            catch (final RdmaException failure)
            {
                throw DriverException.of(failure);
            }
        }
        return slot;
    }

    /** Opens the device if it isn't; on the conductor's thread, or before that runs. */
    private void open(final InetAddress own, final InetAddress others)
    {
        if (engine == null)
        {
            final RdmaDevice device = opener.open(own, others);
            engine = start(device);
            deviceCounters = new DeviceCounters(device, counters);
            errors.tell("device " + device.name() + " carries gannet:rdma channels, " + opener.reason());
            answers.opened(device);
            answerDoctors(device);
            device.preflight(maker.registeredBytes()).forEach(errors::tell);
            agentBells.forEach(SlotBell::wake);             // to sleep on the engine's bells instead
        }
    }

    private RdmaEngine start(final RdmaDevice device)
    {
        try
        {
            return new RdmaEngine(
                device, remote, images, inbox, driverFile, agents, threading, settings, errors);
        }
        catch (final RuntimeException shortage)
        {
            // Or the next attempt would find its address taken.
            device.close();
            throw shortage;
        }
    }

    /** Not worth a driver if that can't be. */
    private void answerDoctors(final RdmaDevice device)
    {
        if (doctorPort == 0)
        {
            return;
        }
        try
        {
            engine.answerDoctors(new InetSocketAddress(device.port(1).address(), doctorPort));
        }
        catch (final RdmaException failure)
        {
            errors.onError(new DriverException(ErrorCodes.of(failure), DriverOptions.DOCTOR_PORT + "=" + doctorPort +
                ": " + failure.getMessage() + "; gannet doctor --peer of other hosts is not answered there", failure));
        }
    }

    /** Before anything else. */
    void connect(final Streams streams)
    {
        remote.connect(streams);
    }

    RemoteStreams remote()
    {
        return remote;
    }

    /** Null until it is opened. Any thread. */
    RdmaDevice device()
    {
        final RdmaEngine opened = engine;
        return opened == null ? null : opened.device();
    }

    /** Whether there was a device that is gone. */
    boolean isDeviceRemoved()
    {
        return engine != null && engine.device().isRemoved();
    }

    /** How the rings are spread over senders. For tests. */
    int[] senderShares()
    {
        return engine.senderShares();
    }

    /** How the images are spread over receivers. For tests. */
    int[] receiverShares()
    {
        return engine.receiverShares();
    }

    /** What the conductor's thread sleeps on. */
    Sleeper conductorBell()
    {
        return conductorBell;
    }

    List<DriverService> services()
    {
        return services;
    }

    /** The conductor's part. */
    int doWork(final long now)
    {
        if (engine == null)
        {
            return 0;
        }
        deviceCounters.onTime(now);
        return engine.doWork(now) + remote.check(now);
    }

    /** Ends all connections, in an orderly way if the agents can; on the conductor's thread, after the others' end. */
    void close()
    {
        if (!closed)
        {
            closed = true;
            remote.stop();
            if (engine != null)
            {
                engine.close();
                deviceCounters.update();
            }
        }
    }

    /** Closes the device of a driver that could not start. */
    void abandon()
    {
        closed = true;
        if (engine != null)
        {
            try
            {
                engine.abandon();
            }
            catch (final RdmaException failure)
            {
                // Why the driver could not start is what counts.
                errors.onError(failure);
            }
        }
    }

    /** Nobody rings any more, nor makes images. */
    void closeBells()
    {
        images.unmapUnstarted();
        if (engine != null)
        {
            engine.closeBells();
        }
    }

    private record Service(DriverService.Role role, int lane, Agent agent, Sleeper sleeper) implements DriverService
    {
    }

    private final class Role implements Agent
    {
        private final String roleName;
        private final ToIntFunction<RdmaEngine> cycle;

        Role(final String roleName, final ToIntFunction<RdmaEngine> cycle)
        {
            this.roleName = roleName;
            this.cycle = cycle;
        }

        @Override
        public int doWork()
        {
            final RdmaEngine opened = engine;
            return opened == null ? 0 : cycle.applyAsInt(opened);
        }

        @Override
        public String roleName()
        {
            return roleName;
        }
    }

    /** A bell of its own until there is an engine, then the engine's. */
    private final class SlotBell implements Sleeper
    {
        private final Sleeper first;
        private final Function<RdmaEngine, Sleeper> second;
        /** What is armed; the sleeper's. */
        private Sleeper armed;

        SlotBell(final Sleeper first, final Function<RdmaEngine, Sleeper> second)
        {
            this.first = first;
            this.second = second;
        }

        @Override
        public void arm()
        {
            final RdmaEngine opened = engine;
            armed = opened == null ? first : second.apply(opened);
            armed.arm();
        }

        @Override
        public void disarm()
        {
            armed.disarm();
        }

        @Override
        public void sleep(final long timeoutNanos)
        {
            armed.sleep(timeoutNanos);
        }

        @Override
        public void ring()
        {
            final RdmaEngine opened = engine;
            if (opened != null)
            {
                second.apply(opened).ring();
            }
            else
            {
                first.ring();
            }
        }

        void wake()
        {
            first.ring();
        }
    }
}

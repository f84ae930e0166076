package io.gannet.driver.stream.simulation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.gannet.driver.stream.FanOutListener;
import io.gannet.driver.stream.FanOutSubscription;
import io.gannet.driver.stream.ImageListener;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.Bell;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingMemory;

/**
 * One run of a {@link Scenario}: publishes, breaks things, mends them, and then everything must drain, end and be given
 * back.
 */
public final class Simulation
{
    private static final int PORT = 4000;
    /** Bits of a publication's identifier that a run counts with. */
    private static final int ID_BITS = 6;
    /** Longer than all faults of a run together. */
    private static final long LONG_IMAGE_TIMEOUT = 80_000_000;
    private static final int PAUSE_CHANCE = 4_096;
    private static final int SLOW_PAUSE_CHANCE = 32;
    private static final long LONGEST_SLOW_PAUSE = 4_000_000;
    /** Virtual time after the last fault within which everything must have drained. */
    private static final long PATIENCE = 400_000_000;

    private final Scenario scenario;
    private final SplittableRandom random;
    private final SimTrace trace;
    private final SimFabric fabric;
    private final Interleaving interleaving;
    private final RingMemory memory;
    private final PlacementMemory placement = new PlacementMemory();
    private final ReplicationSettings settings;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final List<SimulatedHost> crashed = new ArrayList<>();
    private final List<Actor> actors = new ArrayList<>();
    private final List<AgentActor> agents = new ArrayList<>();
    private final List<SimulatedPublication> publications = new ArrayList<>();
    /** Of publishers that have crashed. */
    private final List<SimulatedPublication> lost = new ArrayList<>();
    private final FaultInjector faults;
    private boolean lied;
    private int publishedBefore;
    private long steps;

    /**
     * @param traceLines events to keep as text.
     */
    public Simulation(final Scenario scenario, final int traceLines)
    {
        this.scenario = scenario;
        random = new SplittableRandom(scenario.seed());
        interleaving = new Interleaving(new SplittableRandom(~scenario.seed()), scenario.yields());
        memory = scenario.yields() ? new YieldingMemory(interleaving) : NativeMemory.INSTANCE;
        trace = new SimTrace(traceLines);
        fabric = new SimFabric(random.nextLong(), profile(), placement, trace);
        settings = settings();
        for (int i = 0; i < scenario.publications(); i++)
        {
            final long id = 1 + (scenario.seed() << ID_BITS) + i;
            publications.add(publication(id, scenario.messages()));
        }
        faults = new FaultInjector(fabric, random.split(), this);
    }

    private SimulatedPublication publication(final long id, final int messages)
    {
        final SimulatedPublication publication =
            new SimulatedPublication(scenario, messages, id, memory, random.split(), this::onBell);
        placement.watchPublication(publication.ring());
        return publication;
    }

    private SimProfile profile()
    {
        final SimProfile profile = new SimProfile();
        profile.cmRetryInterval = 1_000_000;
        profile.writeWithImm = scenario.writeWithImm();
        profile.claimsWriteWithImm = random.nextBoolean();
        if (scenario.rough())
        {
            profile.jitter = random.nextInt(20_000);
            profile.completionDelay = random.nextInt(20_000);
            if (scenario.faults() > 0 && random.nextInt(2) == 0)
            {
                // Longer than a connection waits for its last completions, and than the next one takes to start.
                profile.completionHeld = 0.002;
                profile.longestHold = 1_500_000;
            }
            profile.partialPlacement = 0.5;
            profile.messageLoss = random.nextInt(4) == 0 ? 0.002 : 0;
            profile.flushDelay = random.nextInt(200_000);
            profile.flushNever = 0.1;
            profile.staleCompletions = 0.5;
            profile.staleDelay = 1_000_000;
            profile.cmLoss = 0.1;
            profile.cmDuplicate = 0.1;
            profile.portDownHangs = 0.5;
            profile.maxInline = random.nextInt(3) == 0 ? 0 : 220;
        }
        return profile;
    }

    private ReplicationSettings settings()
    {
        return new ReplicationSettings(
            16 << random.nextInt(3),
            16 << random.nextInt(3),
            4096 << random.nextInt(3),
            random.nextInt(4) == 0 ? 0 : 220,
            40_000,
            200_000,
            20_000,
            2_500_000,
            2_500_000,
            300_000,
            6_000_000,
            300_000,
            random.nextInt(3) == 0 ? 4_000_000 : LONG_IMAGE_TIMEOUT,
            new ConnectParameters(3, 3, 6, 0),
            true);
    }

    private void onBell(final long bell, final long waiters)
    {
        if ((waiters & Bell.WAITER_PIPE) != 0)
        {
            hosts.getFirst().wakeSender();
        }
    }

    /**
     * Runs to the end.
     *
     * @return a digest of all events: the same for the same seed and program.
     * @throws SimulationFailure if something did not hold.
     */
    public long run()
    {
        try
        {
            build();
            await("all messages are published", () ->
                publications.stream().allMatch(SimulatedPublication::isDone) && faults.isOver());
            fabric.profile().calm();
            await("subscribers have everything", this::isDrained);
            final SimulatedHost publisher = hosts.getFirst();
            publications.forEach(publication -> publisher.ask(() -> publisher.replication().endPublication(
                publication.stream(), publication.messages().end())));
            await("the stream has ended", this::isEnded);
            shutDown();
            return trace.digest();
        }
        finally
        {
            hosts.forEach(SimulatedHost::free);
            crashed.forEach(SimulatedHost::free);
            publications.forEach(SimulatedPublication::free);
            lost.forEach(SimulatedPublication::free);
        }
    }

    private void build()
    {
        final SimulatedHost publisher = addHost(0);
        for (int i = 1; i <= scenario.hosts(); i++)
        {
            addHost(i);
            subscribe(i);
        }
        publish(publisher.replication());
        publications.forEach(this::offer);
        faults.schedule(scenario.faults(), scenario.messages());
    }

    private void publish(final Replication replication)
    {
        final FanOutListener fanOut = scenario.fanOut() ?
            replication.listenForSubscribers(new InetSocketAddress(address(0), PORT)) : null;
        publications.forEach(publication -> publish(replication, publication, fanOut));
    }

    private void publish(
        final Replication replication, final SimulatedPublication publication, final FanOutListener fanOut)
    {
        if (fanOut != null)
        {
            publication.stream(replication, replication.addPublication(
                publication.ring(), publication.membership(), publication.id(), fanOut, scenario.dropsSlow()));
        }
        else
        {
            publication.stream(replication, replication.addPublication(
                publication.ring(),
                publication.membership(),
                publication.id(),
                new InetSocketAddress(address(1), PORT),
                scenario.dropsSlow()));
            for (int i = 2; i <= scenario.hosts(); i++)
            {
                replication.addDestination(publication.stream(), new InetSocketAddress(address(i), PORT));
            }
        }
    }

    private void offer(final SimulatedPublication publication)
    {
        final SimulatedHost host = hosts.getFirst();
        actor(0, host::clientPauseLeft, () ->
        {
            if (host.clientPauseLeft() > 0)
            {
                return 0;
            }
            publication.step();
            if (publication == publications.getFirst())
            {
                faults.onPublished(publishedBefore + publication.messages().count());
            }
            return 0;
        });
    }

    private SimulatedHost addHost(final int index)
    {
        final SimulatedHost host =
            new SimulatedHost(fabric, address(index), settings, memory, 100 + index, interleaving, new Gates());
        if (index < hosts.size())
        {
            hosts.set(index, host);
        }
        else
        {
            hosts.add(host);
        }
        final long pause = scenario.rough() ? 1_000_000 : 0;
        actor(pause, host::pauseLeft, host::control);
        if (scenario.waits())
        {
            final AgentActor sender = new AgentActor(
                fabric.scheduler(),
                random.split(),
                interleaving,
                new SenderAgent(host, publications),
                pauses(),
                pause(pause));
            final AgentActor receiver = new AgentActor(
                fabric.scheduler(), random.split(), interleaving, new ReceiverAgent(host), pauses(), pause(pause));
            agents.add(sender);
            agents.add(receiver);
            host.actors(sender, receiver);
        }
        else
        {
            actor(pause, host::pauseLeft, host::send);
            actor(pause, host::pauseLeft, host::receive);
        }
        if (scenario.slowSubscriber() && index == 1)
        {
            actors.add(new Actor(
                fabric.scheduler(),
                random.split(),
                SLOW_PAUSE_CHANCE,
                LONGEST_SLOW_PAUSE,
                interleaving.step(host::read),
                host::clientPauseLeft));
        }
        else
        {
            actor(pause, host::clientPauseLeft, host::read);
        }
        return host;
    }

    private int pauses()
    {
        return random.nextInt(8);
    }

    private LongSupplier pause(final long longest)
    {
        final SplittableRandom own = random.split();
        return () -> longest > 0 && own.nextInt(PAUSE_CHANCE) == 0 ? own.nextLong(longest) : 0;
    }

    private void subscribe(final int index)
    {
        publications.forEach(publication -> subscribe(index, publication.id()));
        if (scenario.fanOut())
        {
            hosts.get(index).replication().subscribe(
                new InetSocketAddress(address(0), PORT), SimulatedPublication.STREAM);
        }
        else
        {
            hosts.get(index).replication().listen(new InetSocketAddress(address(index), PORT));
        }
    }

    /**
     * A subscriber of a publication comes, or comes back as a new one, unless its host or the publisher's was started
     * anew meanwhile.
     */
    void subscribe(final int index, final long publicationId)
    {
        final SimulatedHost host = hosts.get(index);
        publications.stream()
            .filter(each -> each.id() == publicationId && host.subscriber(publicationId) == null)
            .findFirst().ifPresent(publication -> host.subscribe(
                publicationId,
                new SimulatedSubscriber(publication.messages(), placement, random.split(), interleaving)));
    }

    /** {@return the publications' identifiers} */
    List<Long> publicationIds()
    {
        return publications.stream().map(SimulatedPublication::id).toList();
    }

    private void actor(final long longestPause, final LongSupplier pauseLeft, final IntSupplier step)
    {
        actors.add(new Actor(
            fabric.scheduler(), random.split(), PAUSE_CHANCE, longestPause, interleaving.step(step), pauseLeft));
    }

    /** A host that has crashed comes back, with nothing left of what it was. */
    void restart(final int index)
    {
        crashed.add(hosts.get(index));
        final SimulatedHost host = addHost(index);
        if (index == 0)
        {
            publishAnew(host);
        }
        else
        {
            subscribe(index);
        }
    }

    /** Publishers start again with new rings, and publish what they had not. */
    private void publishAnew(final SimulatedHost host)
    {
        publishedBefore += publications.getFirst().messages().count();
        for (int i = 0; i < publications.size(); i++)
        {
            final SimulatedPublication before = publications.get(i);
            lost.add(before);
            publications.set(i, publication(before.id() + scenario.publications(), before.left()));
        }
        for (int i = 1; i <= scenario.hosts(); i++)
        {
            for (final SimulatedPublication publication : publications)
            {
                subscribe(i, publication.id());
            }
        }
        publish(host.replication());
        publications.forEach(this::offer);
    }

    /** {@return whether gates tell whose they are: by their driver, or as there is only one} */
    boolean canRestartDriver(final int index)
    {
        return index != 0 || scenario.fanOut() || scenario.hosts() == 1;
    }

    /** The driver of a host comes back, and goes on with the rings that its clients still have. */
    void restartDriver(final int index)
    {
        final SimulatedHost before = hosts.get(index);
        crashed.add(before);
        final SimulatedHost after = addHost(index);
        if (index == 0)
        {
            publications.forEach(SimulatedPublication::newMembership);
            publish(after.replication());
        }
        else if (scenario.fanOut())
        {
            final FanOutSubscription subscription = after.replication().subscribe(
                new InetSocketAddress(address(0), PORT), SimulatedPublication.STREAM);
            after.follow(before, subscription::adopt);
        }
        else
        {
            final ImageListener listener = after.replication().listen(new InetSocketAddress(address(index), PORT));
            after.follow(before, (ring, request) ->
                listener.adopt(ring, request, new InetSocketAddress(address(0), PORT)));
        }
    }

    /** A peer writes nonsense where its consumed position belongs. */
    void lieAboutConsumption(final long position)
    {
        lied = true;
        publications.forEach(publication -> publication.writeIntoRemoteGates(position));
    }

    List<SimulatedHost> hosts()
    {
        return hosts;
    }

    private static InetAddress address(final int index)
    {
        try
        {
            return InetAddress.getByAddress(new byte[] {10, 1, 0, (byte) (1 + index)});
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private boolean isDrained()
    {
        return publications.stream().allMatch(publication -> hosts.stream().skip(1)
            .allMatch(host -> host.subscriber(publication.id()).consumed() == publication.messages().end()));
    }

    private boolean isEnded()
    {
        return publications.stream().allMatch(publication ->
            hosts.getFirst().replication().isDone(publication.stream())) && hosts.stream().skip(1)
            .flatMap(host -> host.subscribers().stream()).noneMatch(SimulatedSubscriber::isReading);
    }

    private void shutDown()
    {
        hosts.forEach(host -> host.ask(() -> host.replication().stop()));
        await("drivers have stopped", () -> hosts.stream().allMatch(host -> host.replication().isStopped()));
        actors.forEach(Actor::stop);
        agents.forEach(AgentActor::stop);
        await("steps have ended", () ->
            actors.stream().noneMatch(Actor::isLeft) && agents.stream().noneMatch(AgentActor::isLeft));
        for (final SimulatedHost host : hosts)
        {
            host.replication().close();
            if (host.device().resources().open() != 0)
            {
                throw new SimulationFailure(host.device().name() + " leaks " + host.device().resources());
            }
            host.device().close();
        }
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long deadline = fabric.scheduler().now() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            for (int i = 0; i < 32; i++)
            {
                fabric.scheduler().runNext();
                steps++;
            }
            checkInvariants();
            if (fabric.scheduler().now() > deadline)
            {
                throw new SimulationFailure("still waits that " + what + progress());
            }
        }
    }

    /** What the publisher's gates stand for. */
    private final class Gates implements SimulatedHost.GateWatch
    {
        @Override
        public SimulatedSubscriber subscriber(final OutboundStream stream, final InetSocketAddress destination)
        {
            for (final SimulatedHost host : hosts)
            {
                if (host.isAt(destination.getAddress()) && !host.isCrashed())
                {
                    return host.subscriber(stream.publicationId());
                }
            }
            return null;
        }

        @Override
        public boolean mayTimeOut()
        {
            return settings.imageTimeout() < LONG_IMAGE_TIMEOUT;
        }
    }

    private String progress()
    {
        return "; published " + publications.stream().map(SimulatedPublication::messages)
            .map(messages -> messages.count() + " up to " + messages.end()).toList() + ", consumed " +
            hosts.stream().skip(1).flatMap(host -> host.subscribers().stream())
                .map(SimulatedSubscriber::consumed).toList();
    }

    private void checkInvariants()
    {
        if (!fabric.violations().isEmpty())
        {
            throw new SimulationFailure(fabric.violations().getFirst());
        }
        if (hosts.stream().anyMatch(SimulatedHost::sawProtocolError))
        {
            throw new SimulationFailure("a driver took its peer for one that breaks the protocol");
        }
        if (hosts.stream().anyMatch(SimulatedHost::tookAnothersError))
        {
            throw new SimulationFailure("a connection ended for an error of one that had ended before");
        }
        if (fabric.receiverNotReady() > 0)
        {
            throw new SimulationFailure("a request found no receive: credits were not kept");
        }
        publications.forEach(SimulatedPublication::checkGates);
        agents.forEach(AgentActor::check);
        if (!scenario.dropsSlow() && !lied && settings.imageTimeout() == LONG_IMAGE_TIMEOUT && hosts.stream()
            .flatMap(host -> host.subscribers().stream()).anyMatch(subscriber -> subscriber.lost() > 0))
        {
            throw new SimulationFailure("a subscriber has a gap though nobody drops, and no image timed out");
        }
        if (scenario.faults() == 0 && fabric.profile().messageLoss == 0 && hosts.getFirst().errors() > 0)
        {
            throw new SimulationFailure("a connection ended though nothing was broken");
        }
    }

    /** {@return the last events} */
    public List<String> trace()
    {
        return trace.lines();
    }

    /** {@return events run} */
    public long steps()
    {
        return steps;
    }

    /** {@return virtual nanoseconds that have passed} */
    public long virtualTime()
    {
        return fabric.scheduler().now();
    }
}

package io.gannet.driver.stream.simulation;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import io.gannet.driver.stream.FanOutListener;
import io.gannet.driver.stream.FanOutSubscription;
import io.gannet.driver.stream.ImageListener;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.ring.Bell;
import io.gannet.ring.RingMemory;

/**
 * Who is there: the publisher's host, the subscribers' hosts, publications; how they come, die and come back.
 */
final class Cluster implements SimulatedHost.GateWatch
{
    /** Bits of a publication's identifier that a run counts with. */
    private static final int ID_BITS = 10;
    private static final long FIRST_DRIVER_ID = 100;
    /** Lives are as far from each other as random ones mostly are. */
    private static final int LIFE_STEP = 7_919;
    /** Nanoseconds in which an image of the short time-out ends, whatever its driver is about. */
    private static final long LONG_AFTER = 50_000_000;

    private final Scenario scenario;
    private final SplittableRandom random;
    private final SimFabric fabric;
    private final Interleaving interleaving;
    private final RingMemory memory;
    private final PlacementMemory placement;
    private final ReplicationSettings settings;
    private final Threads threads;
    private final SimulatedNetwork network;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final List<SimulatedHost> crashed = new ArrayList<>();
    private final List<SimulatedPublication> publications = new ArrayList<>();
    /** Of publishers that have crashed. */
    private final List<SimulatedPublication> lost = new ArrayList<>();
    private final FaultInjector faults;
    private boolean lied;
    private int publishedBefore;
    private int lives;

    Cluster(
        final Scenario scenario,
        final SplittableRandom random,
        final SimFabric fabric,
        final Interleaving interleaving,
        final RingMemory memory,
        final PlacementMemory placement)
    {
        this.scenario = scenario;
        this.random = random;
        this.fabric = fabric;
        this.interleaving = interleaving;
        this.memory = memory;
        this.placement = placement;
        settings = Conditions.settings(random);
        threads = new Threads(fabric.scheduler(), random.split(), interleaving);
        network = new SimulatedNetwork(1 + scenario.hosts());
        for (int i = 0; i < scenario.publications(); i++)
        {
            publications.add(publication(1 + (scenario.seed() << ID_BITS) + i, scenario.messages()));
        }
        faults = new FaultInjector(fabric, random.split(), this);
    }

    /** Lets everybody come, and faults happen. */
    void start()
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

    private SimulatedPublication publication(final long id, final int messages)
    {
        final SimulatedPublication publication =
            new SimulatedPublication(scenario, messages, id, memory, random.split(), this::onBell);
        placement.watchPublication(publication.ring());
        return publication;
    }

    private void onBell(final long bell, final long waiters)
    {
        if ((waiters & Bell.WAITER_PIPE) != 0)
        {
            hosts.getFirst().ringSender();
        }
    }

    private void publish(final Replication replication)
    {
        final FanOutListener fanOut =
            scenario.fanOut() ? replication.listenForSubscribers(SimulatedNetwork.anyAddress()) : null;
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
                SimulatedNetwork.name(1),
                scenario.dropsSlow()));
            for (int i = 2; i <= scenario.hosts(); i++)
            {
                replication.addDestination(publication.stream(), SimulatedNetwork.name(i));
            }
        }
    }

    private void offer(final SimulatedPublication publication)
    {
        publication.clients().forEach(client -> offer(publication, client));
    }

    private void offer(final SimulatedPublication publication, final SimulatedClient client)
    {
        final SimulatedHost host = hosts.getFirst();
        threads.start(0, () -> Math.max(host.clientPauseLeft(), client.pauseLeft()), () ->
        {
            if (host.clientPauseLeft() > 0 || client.isDead())
            {
                return 0;
            }
            client.step();
            if (publication == publications.getFirst())
            {
                faults.onPublished(publishedBefore + publication.messages().count());
            }
            return 0;
        });
    }

    private SimulatedHost addHost(final int index)
    {
        final SimulatedHost host = new SimulatedHost(
            fabric, network, index, settings, memory, FIRST_DRIVER_ID + index, ++lives * LIFE_STEP, interleaving,
            this);
        if (index < hosts.size())
        {
            hosts.set(index, host);
        }
        else
        {
            hosts.add(host);
        }
        final long pause = scenario.rough() ? 1_000_000 : 0;
        threads.start(pause, host::pauseLeft, index == 0 ? () -> control(host) : host::control);
        if (scenario.waits())
        {
            host.actors(
                threads.start(new SenderAgent(host, publications), pause),
                threads.start(new ReceiverAgent(host), pause));
        }
        else
        {
            threads.start(pause, host::pauseLeft, host::send);
            threads.start(pause, host::pauseLeft, host::receive);
        }
        if (scenario.slowSubscriber() && index == 1)
        {
            threads.startSlow(host::clientPauseLeft, host::read);
        }
        else
        {
            threads.start(pause, host::clientPauseLeft, host::read);
        }
        return host;
    }

    /** The publisher's driver also looks after the rings of its clients. */
    private int control(final SimulatedHost host)
    {
        if (host.isRunning())
        {
            publications.forEach(SimulatedPublication::attend);
        }
        return host.control();
    }

    private void subscribe(final int index)
    {
        publications.forEach(publication -> subscribe(index, publication.id()));
        if (scenario.fanOut())
        {
            hosts.get(index).replication().subscribe(SimulatedNetwork.name(0), SimulatedPublication.STREAM);
        }
        else
        {
            hosts.get(index).replication().listen(SimulatedNetwork.anyAddress());
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

    /** Fails if somebody still waits for publications whose host has been away for much longer than images live. */
    void checkGone()
    {
        final long since = fabric.scheduler().now() - LONG_AFTER;
        for (final SimulatedHost host : subscribersHosts())
        {
            if (publications.stream().anyMatch(publication -> host.hasImage(publication.id(), since)))
            {
                throw new SimulationFailure("an image of a publication that is gone has not ended");
            }
        }
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
            final FanOutSubscription subscription =
                after.replication().subscribe(SimulatedNetwork.name(0), SimulatedPublication.STREAM);
            after.follow(before, subscription::adopt);
        }
        else
        {
            final ImageListener listener = after.replication().listen(SimulatedNetwork.anyAddress());
            final InetSocketAddress publisher = network.lookUp(SimulatedNetwork.name(0));
            after.follow(before, (ring, request) -> listener.adopt(ring, request, publisher));
        }
    }

    /** A host gets another address; if it has crashed, when it comes back. */
    void move(final int index)
    {
        network.move(index);
        if (!hosts.get(index).isCrashed())
        {
            hosts.get(index).device().moveTo(network.address(index));
        }
    }

    /** The host's name stands for its new address. */
    void rename(final int index)
    {
        network.rename(index);
    }

    /**
     * A client dies, wherever it is.
     *
     * @param which any number; taken modulo the living clients of the publication.
     * @return the client; null if no client of the publication may die.
     */
    SimulatedClient killClient(final SimulatedPublication publication, final int which)
    {
        final List<SimulatedClient> living =
            publication.clients().stream().filter(client -> !client.isDead()).toList();
        if (!scenario.isConcurrent() || living.isEmpty())
        {
            return null;
        }
        final SimulatedClient client = living.get(Math.floorMod(which, living.size()));
        client.die();
        return client;
    }

    /** One more client publishes, if the publication is still there. */
    void addClient(final SimulatedPublication publication)
    {
        if (publications.contains(publication))
        {
            offer(publication, publication.addClient());
        }
    }

    /** A peer writes nonsense where its consumed position belongs. */
    void lieAboutConsumption(final long position)
    {
        lied = true;
        publications.forEach(publication -> publication.writeIntoRemoteGates(position));
    }

    @Override
    public boolean hasLied()
    {
        return lied;
    }

    /** {@return the publisher's host, and then the subscribers'} */
    List<SimulatedHost> hosts()
    {
        return hosts;
    }

    /** {@return the subscribers' hosts} */
    List<SimulatedHost> subscribersHosts()
    {
        return hosts.subList(1, hosts.size());
    }

    List<SimulatedPublication> publications()
    {
        return publications;
    }

    ReplicationSettings settings()
    {
        return settings;
    }

    Threads threads()
    {
        return threads;
    }

    FaultInjector faults()
    {
        return faults;
    }

    @Override
    public int hostAt(final InetSocketAddress destination)
    {
        return network.hostAt(destination);
    }

    @Override
    public SimulatedSubscriber subscriber(final OutboundStream stream, final InetSocketAddress destination)
    {
        final int index = network.hostAt(destination);
        return index < 0 || hosts.get(index).isCrashed() ? null :
            hosts.get(index).subscriber(stream.publicationId());
    }

    @Override
    public void onGateEntered(final long publicationId, final int host, final long position)
    {
        publications.stream().filter(publication -> publication.id() == publicationId)
            .forEach(publication -> publication.onGateEntered(host, position));
    }

    @Override
    public void onGateLeft(final long publicationId, final int host)
    {
        publications.stream().filter(publication -> publication.id() == publicationId)
            .forEach(publication -> publication.onGateLeft(host));
    }

    @Override
    public void onImageStarted(final int host, final long publicationId, final long position)
    {
        publications.stream().filter(publication -> publication.id() == publicationId)
            .forEach(publication -> publication.onImageStarted(host, position));
    }

    @Override
    public boolean mayTimeOut()
    {
        return Conditions.mayTimeOut(settings);
    }

    /** Unmaps everything; nothing runs any more. */
    void free()
    {
        hosts.forEach(SimulatedHost::free);
        crashed.forEach(SimulatedHost::free);
        publications.forEach(SimulatedPublication::free);
        lost.forEach(SimulatedPublication::free);
    }
}

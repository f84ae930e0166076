package io.gannet.driver.stream.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.driver.stream.StreamCounters;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;

/**
 * 50,000 messages a second in virtual time, through the shipped engine: how many requests ask for a completion, how
 * soon after the last one all are reclaimed, and that agents that wait miss nothing.
 */
class PacedStreamTest
{
    private static final long PUBLICATION = 9;
    private static final long INTERVAL = 20_000;
    private static final int MESSAGES = 10_000;
    private static final int PAUSES = 200;
    private static final int LENGTH = 96;
    private static final long RECLAIMED_WITHIN = 50_000;
    private static final long PATIENCE = 1_000_000_000;

    private final SimFabric fabric =
        new SimFabric(1, new SimProfile(), NativeMemory.INSTANCE, new SimTrace(0));
    private final SplittableRandom random = new SplittableRandom(1);
    private final Interleaving interleaving = new Interleaving(random.split(), false);
    private final SimulatedNetwork network = new SimulatedNetwork(2);
    private final Threads threads = new Threads(fabric.scheduler(), random.split(), interleaving);
    private final Messages messages = new Messages(LENGTH);
    private final Source source = messages.newSource(random.split());
    private final Ring ring = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, 1 << 20, 7, SimulatedPublication.STREAM, PUBLICATION, 0, true));
    private final SimulatedSubscriber subscriber =
        new SimulatedSubscriber(messages, new PlacementMemory(), random.split(), interleaving);
    private final SimulatedHost from = host(0);
    private final SimulatedHost to = host(1);
    private final ExclusiveProducer producer = new ExclusiveProducer(ring, this::onBell);

    @AfterEach
    void free()
    {
        from.free();
        to.free();
        ring.close();
        ring.free();
    }

    private SimulatedHost host(final int index)
    {
        return new SimulatedHost(
            fabric, network, index, ReplicationSettings.defaults(), NativeMemory.INSTANCE, index, 1, interleaving,
            new Watch());
    }

    private void onBell(final long bell, final long waiters)
    {
        if ((waiters & Bell.WAITER_PIPE) != 0)
        {
            from.ringSender();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fewCompletionsAndAllReclaimedSoonAfterTheLastMessage(final boolean waits)
    {
        start(from, waits);
        start(to, waits);
        to.subscribe(PUBLICATION, subscriber);
        to.replication().listen(SimulatedNetwork.anyAddress());
        final OutboundStream stream = from.replication().addPublication(
            ring, new Membership(ring), PUBLICATION, SimulatedNetwork.name(1), false);
        final StreamCounters counters = stream.subscribers().getFirst().counters();
        await(() -> stream.subscribers().getFirst().isConnected() && subscriber.images() == 1 &&
            counters.outstanding() == 0);

        final long requests = counters.requests();
        final long signaled = counters.signaledRequests();
        final long polls = counters.completionPolls();
        final long emptyPolls = counters.emptyCompletionPolls();
        publish(MESSAGES);
        assertThat(counters.requests() - requests).isGreaterThanOrEqualTo(MESSAGES / 2);
        assertThat((counters.signaledRequests() - signaled) * 16).isLessThanOrEqualTo(counters.requests() - requests);

        for (int i = 0; i < PAUSES; i++)
        {
            // Any number of requests that no completion covers, none at times.
            publish(1 + random.nextInt(40));
            await(() -> counters.position() == messages.end());
            final long idleSince = fabric.scheduler().now();
            await(() -> counters.outstanding() == 0);
            assertThat(fabric.scheduler().now() - idleSince).isLessThanOrEqualTo(RECLAIMED_WITHIN);
        }
        await(() -> subscriber.consumed() == messages.end());
        assertThat(counters.completionPolls() - polls).isGreaterThan(counters.emptyCompletionPolls() - emptyPolls);
        assertThat(counters.emptyCompletionPolls() - emptyPolls).isPositive();
    }

    private void start(final SimulatedHost host, final boolean waits)
    {
        threads.start(0, host::pauseLeft, host::control);
        threads.start(0, host::clientPauseLeft, host::read);
        final int cycles = waits ? 8 : Integer.MAX_VALUE;
        host.actors(
            threads.start(new SenderAgent(host, List.of()), cycles, 0),
            threads.start(new ReceiverAgent(host), cycles, 0));
    }

    private void publish(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            source.published(producer.offer(source.next(), 0, source.nextLength()));
            final long next = fabric.scheduler().now() + INTERVAL;
            fabric.scheduler().after(INTERVAL, () ->
            {
            });
            await(() -> fabric.scheduler().now() >= next);
        }
    }

    private void await(final BooleanSupplier condition)
    {
        final long deadline = fabric.scheduler().now() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            fabric.scheduler().runNext();
            threads.check();
            assertThat(fabric.scheduler().now()).isLessThan(deadline);
        }
    }

    /** There is one subscriber, whose images do not time out. */
    private final class Watch implements SimulatedHost.GateWatch
    {
        @Override
        public int hostAt(final InetSocketAddress destination)
        {
            return network.hostAt(destination);
        }

        @Override
        public SimulatedSubscriber subscriber(final OutboundStream stream, final InetSocketAddress destination)
        {
            return subscriber;
        }

        @Override
        public void onGateEntered(final long publicationId, final int host, final long position)
        {
            assertThat(position).isZero();
        }

        @Override
        public void onGateLeft(final long publicationId, final int host)
        {
            throw new AssertionError("nobody leaves");
        }

        @Override
        public void onImageStarted(final int host, final long publicationId, final long position)
        {
            assertThat(position).isZero();
        }

        @Override
        public boolean mayTimeOut()
        {
            return false;
        }
    }
}

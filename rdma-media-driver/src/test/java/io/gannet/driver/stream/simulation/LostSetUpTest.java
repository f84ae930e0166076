package io.gannet.driver.stream.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;

/**
 * Connections whose first messages get lost, in virtual time, with a connection manager that repeats them as seldom as
 * kernels do.
 */
class LostSetUpTest
{
    private static final long PUBLICATION = 9;
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long KERNELS_REPEAT = 6_000 * MILLISECOND;

    private final SimProfile profile = new SimProfile();
    private final SimFabric fabric = new SimFabric(1, profile, NativeMemory.INSTANCE, new SimTrace(0));
    private final SplittableRandom random = new SplittableRandom(1);
    private final Interleaving interleaving = new Interleaving(random.split(), false);
    private final SimulatedNetwork network = new SimulatedNetwork(2);
    private final Threads threads = new Threads(fabric.scheduler(), random.split(), interleaving);
    private final Ring ring = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, 1 << 20, 7, SimulatedPublication.STREAM, PUBLICATION, 0, true));
    private final SimulatedSubscriber subscriber =
        new SimulatedSubscriber(new Messages(96), new PlacementMemory(), random.split(), interleaving);
    private final SimulatedHost from = host(0);
    private final SimulatedHost to = host(1);
    private OutboundStream stream;
    private long began;

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
        return new SimulatedHost(fabric, network, index, ReplicationSettings.defaults(), NativeMemory.INSTANCE, index,
            1, interleaving, new Watch());
    }

    /** Attempts begin after 0, 1.2 and 3.4 s, and from then on each 5.2 s. */
    @ParameterizedTest
    @CsvSource({"0, 100", "500, 1300", "2000, 3500", "4000, 8700"})
    void lostRequestIsFollowedByANewAttemptBeforeTheConnectionManagerRepeatsIt(final int lossMillis, final int limit)
    {
        profile.cmRetryInterval = KERNELS_REPEAT;
        profile.cmLoss = lossMillis == 0 ? 0 : 1;
        start();
        fabric.scheduler().after(lossMillis * MILLISECOND, () -> profile.cmLoss = 0);
        await(() -> stream.subscribers().getFirst().isConnected());
        assertThat((fabric.scheduler().now() - began) / MILLISECOND).isLessThan(limit);
    }

    /** Each message takes 1.1 s, so that the answer comes too late for the first two attempts. */
    @Test
    void hostThatNeedsLongToAnswerIsWaitedFor()
    {
        profile.latency = 1_100 * MILLISECOND;
        profile.cmRetryInterval = KERNELS_REPEAT;
        start();
        await(() -> stream.subscribers().getFirst().isConnected());
        assertThat((fabric.scheduler().now() - began) / MILLISECOND).isBetween(5_500L, 11_000L);
    }

    private void start()
    {
        for (final SimulatedHost host : List.of(from, to))
        {
            control(host);
            host.actors(
                threads.start(new SenderAgent(host, List.of()), 8, 0),
                threads.start(new ReceiverAgent(host), 8, 0));
        }
        to.subscribe(PUBLICATION, subscriber);
        to.replication().listen(SimulatedNetwork.anyAddress());
        began = fabric.scheduler().now();
        stream = from.replication().addPublication(
            ring, new Membership(ring), PUBLICATION, SimulatedNetwork.name(1), false);
    }

    /** The control plane each millisecond. */
    private void control(final SimulatedHost host)
    {
        host.control();
        fabric.scheduler().after(MILLISECOND, () -> control(host));
    }

    private void await(final BooleanSupplier condition)
    {
        final long deadline = fabric.scheduler().now() + 60_000 * MILLISECOND;
        while (!condition.getAsBoolean())
        {
            fabric.scheduler().runNext();
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
        public SimulatedSubscriber subscriber(final OutboundStream of, final InetSocketAddress destination)
        {
            return subscriber;
        }

        @Override
        public boolean mayTimeOut()
        {
            return false;
        }
    }
}

package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmListener;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A publication's ring into whose frames something has written that has no right to. */
class DamagedRingTest extends ScriptedPeer
{
    private static final int NO_LENGTH = 5;

    private final CmListener listener = other.connectionManager().listen(new InetSocketAddress(PORT), this);
    private final Ring ring = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, STREAM, PUBLICATION, 0, true));
    private final Membership membership = new Membership(ring);
    private final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });

    @AfterEach
    void close()
    {
        listener.close();
        images.add(ring);
    }

    private void publish()
    {
        replication.addPublication(
            ring, membership, PUBLICATION, new InetSocketAddress(other.address(), PORT), false);
    }

    private void damage(final long position)
    {
        ring.memory().putInt(ring.addressOf(position), NO_LENGTH);
    }

    private long gates()
    {
        long gates = 0;
        for (int entry = 0; entry < RingLayout.MAX_ENTRIES; entry++)
        {
            gates += membership.list().kind(entry) == GatingList.Kind.NONE ? 0 : 1;
        }
        return gates;
    }

    /** It would be tried again and again, and its publisher wait for it, without an end. */
    @Test
    void aHostThatCannotBeSentAFrameGatesNoMoreAndItsNextImageStartsBehindThat()
    {
        publish();
        acceptPublication();
        assertThat(awaitStart()).isZero();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[1_000]);
        assertThat(producer.offer(message, 0, 1_000)).isPositive();
        final long damaged = producer.position();
        while (producer.position() < damaged + 2 * RingLayout.COARSE_INTERVAL)
        {
            assertThat(producer.offer(message, 0, 1_000)).isPositive();
        }
        damage(damaged);
        await(() -> !told.ended.isEmpty());
        assertThat(told.ended).containsExactly(FailureKind.CORRUPT_RING);
        assertThat(gates()).isZero();
        hangUp();
        assertThat(acceptPublication().resume()).isFalse();
        assertThat(awaitStart()).isEqualTo(producer.position());
        assertThat(told.damaged).isEmpty();
    }

    @Test
    void aRingInWhichNoHostCanStartIsTheDriversToEnd()
    {
        publish();
        damage(0);
        acceptPublication();
        await(() -> !told.damaged.isEmpty());
        assertThat(told.damaged).singleElement().asString().contains("a frame of " + NO_LENGTH + " bytes at 0");
        assertThat(gates()).as("the sender's own, too").isZero();
        hangUp();
        ring.memory().putInt(ring.addressOf(0), 0);
        acceptPublication();
        assertThat(awaitStart()).isZero();
    }
}

package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that takes over a ring which goes to other hosts, and is not given the memory for it any more. */
class UnregisteredRingTest extends ScriptedPeer
{
    private final Ring ring = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, STREAM, PUBLICATION, 0, true));
    private final Membership membership = new Membership(ring);
    private final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });

    @BeforeEach
    void isLeftByTheDriverBefore()
    {
        images.add(ring);
        membership.join(GatingList.Kind.SENDER, 0, PUBLICATION);
        membership.join(GatingList.Kind.REMOTE, 5, PUBLICATION);
        shortage = new RdmaException(Errno.ENOMEM, "cannot register so much");
    }

    /** Nothing would ever move their gates, and publishers would wait for good. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void letsGoOfTheHostsThatItHad(final boolean fanOut)
    {
        final OutboundStream stream;
        if (fanOut)
        {
            stream = replication.addPublication(ring, membership, PUBLICATION,
                replication.listenForSubscribers(new InetSocketAddress(PORT)), false);
        }
        else
        {
            stream = replication.addPublication(
                ring, membership, PUBLICATION, new InetSocketAddress(other.address(), PORT), false);
        }
        await(() -> !told.ended.isEmpty());
        assertThat(told.ended).containsExactly(FailureKind.NOT_REGISTERED);
        assertThat(membership.list().subscribers()).isZero();
        assertThat(producer.offer(new UnsafeBuffer(new byte[100]), 0, 100)).isEqualTo(Ring.NOT_CONNECTED);
        assertThat(told.lines).singleElement().asString().contains("cannot register so much");
        replication.endPublication(stream, producer.position());
        await(() -> replication.isDone(stream));
    }
}

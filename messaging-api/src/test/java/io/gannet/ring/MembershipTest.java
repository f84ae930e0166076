package io.gannet.ring;

import static io.gannet.ring.TestRing.lengths;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MembershipTest
{
    private static final int CAPACITY = RingLayout.MIN_CAPACITY;

    @Test
    void joinsAnExclusiveRingBehindTheLastCommittedMessage()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            final RingReader first = test.reader();
            for (int i = 0; i < 1000; i++)
            {
                producer.offer(test.source, 0, i % 700);
                lengths(first);
                if (i % 10 == 0)
                {
                    final int entry = test.join();
                    assertThat(new RingReader(test.ring, entry, false).joinPosition()).isEqualTo(producer.position());
                    assertThat(test.membership.list().joinPosition(entry)).isEqualTo(producer.position());
                    test.membership.leave(entry);
                }
            }
        }
    }

    @Test
    void gatesByTheSlowestOfSeveral()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            final RingReader fast = test.reader();
            final RingReader slow = test.reader();
            while (producer.offer(test.source, 0, 1000) > 0)
            {
                lengths(fast);
            }
            assertThat(producer.gating().holder()).isEqualTo(1);
            assertThat(producer.gating().minimum()).isEqualTo(slow.position());
            test.membership.leave(1);
            assertThat(producer.offer(test.source, 0, 1000)).isPositive();
        }
    }

    @Test
    void neverJoinsAboveAnUncommittedClaim()
    {
        try (TestRing test = new TestRing(RingKind.CONCURRENT, CAPACITY))
        {
            final ConcurrentProducer producer = test.concurrentProducer(TestRing.CLIENT);
            final RingReader first = test.reader();
            producer.offer(test.source, 0, 16);
            final FrameClaim claim = new FrameClaim();
            assertThat(producer.tryClaim(16, claim)).isEqualTo(64);
            producer.offer(test.source, 0, 17);
            final RingReader second = test.reader();
            assertThat(second.joinPosition()).isEqualTo(32);
            claim.commit();
            assertThat(lengths(second)).containsExactly(16, 17);
            assertThat(lengths(first)).containsExactly(16, 16, 17);
        }
    }

    @Test
    void keepsTheLastLeaversPositionAsFloorAndStartsToWalkThere()
    {
        try (TestRing test = new TestRing(RingKind.CONCURRENT, CAPACITY))
        {
            final RingMemory memory = test.ring.memory();
            final long floor = test.ring.headerAddress() + RingLayout.FLOOR_OFFSET;
            final ConcurrentProducer producer = test.concurrentProducer(TestRing.CLIENT);
            final int entry = test.join();
            assertThat(memory.getLong(floor)).isEqualTo(RingLayout.FREE);
            final RingReader first = new RingReader(test.ring, entry, false);
            producer.offer(test.source, 0, 16);
            lengths(first);
            producer.offer(test.source, 0, 17);
            final FrameClaim claim = new FrameClaim();
            producer.tryClaim(18, claim);
            test.membership.leave(entry);
            assertThat(memory.getLong(floor)).isEqualTo(32);
            assertThat(producer.offer(test.source, 0, 16)).isEqualTo(Ring.NOT_CONNECTED);
            final RingReader second = test.reader();
            assertThat(second.joinPosition()).isEqualTo(96);
            assertThat(memory.getLong(floor)).isEqualTo(RingLayout.FREE);
            claim.commit();
            assertThat(lengths(second)).containsExactly(18);
        }
    }

    @Test
    void joinsARemoteSubscriberWhereTheSenderIs()
    {
        try (TestRing test = new TestRing(RingKind.CONCURRENT, CAPACITY))
        {
            final ConcurrentProducer producer = test.concurrentProducer(TestRing.CLIENT);
            final int sender = test.membership.join(GatingList.Kind.SENDER, 0, 0);
            assertThat(producer.offer(test.source, 0, 16)).as("a sender is no subscriber")
                .isEqualTo(Ring.NOT_CONNECTED);
            final int remote = test.membership.join(GatingList.Kind.REMOTE, 0, 0);
            assertThat(producer.offer(test.source, 0, 16)).isPositive();
            final RingReader senderReader = new RingReader(test.ring, sender, false);
            assertThat(lengths(senderReader)).hasSize(1);
            assertThat(test.membership.join(GatingList.Kind.REMOTE, 0, 0)).isEqualTo(2);
            assertThat(test.membership.list().position(2)).isEqualTo(32);
            test.membership.leave(remote);
            test.membership.leave(2);
            test.membership.leave(sender);
            assertThat(test.reader().joinPosition()).isEqualTo(32);
        }
    }

    @Test
    void hasRoomForSixtyFourAndSaysSo()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
            {
                assertThat(test.join()).isEqualTo(i);
            }
            assertThatThrownBy(test::join).isInstanceOf(IllegalStateException.class).hasMessageContaining("64");
            assertThat(producer.offer(test.source, 0, 5)).isPositive();
            assertThat(producer.gating().connected()).isEqualTo(64);
            test.membership.leave(17);
            assertThat(test.join()).isEqualTo(17);
        }
    }

    @Test
    void refusesToRemoveWhatIsNotThere()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            assertThatThrownBy(() -> test.membership.leave(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> test.membership.leave(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> test.membership.leave(64)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void finishesWhatADeadConductorHasLeftHalfDone()
    {
        try (TestRing test = new TestRing(RingKind.CONCURRENT, CAPACITY))
        {
            final RingMemory memory = test.ring.memory();
            final GatingList list = test.membership.list();
            test.join();
            memory.putInt(list.field(1, RingLayout.ENTRY_KIND), GatingList.Kind.LOCAL.code());
            memory.putLong(test.ring.headerAddress() + RingLayout.FLOOR_OFFSET, 0);
            final long version = list.version();
            test.membership.adopt();
            assertThat(list.kind(1)).isEqualTo(GatingList.Kind.NONE);
            assertThat(list.kind(0)).isEqualTo(GatingList.Kind.LOCAL);
            assertThat(memory.getLong(test.ring.headerAddress() + RingLayout.FLOOR_OFFSET))
                .isEqualTo(RingLayout.FREE);
            assertThat(list.version()).isGreaterThan(version);
        }
    }

    @Test
    void ignoresAndCountsARemotePositionThatCannotBe()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final RingMemory memory = test.ring.memory();
            final ExclusiveProducer producer = test.exclusiveProducer();
            final int remote = test.membership.join(GatingList.Kind.REMOTE, 0, 0);
            final long cell = test.membership.list().positionAddress(remote);
            final int window = RingLayout.window(RingKind.EXCLUSIVE, CAPACITY);
            assertThat(producer.offer(test.source, 0, 1008)).isPositive();
            memory.putLongRelease(cell, 1024);
            fillUp(test, producer);
            assertThat(producer.position()).isLessThanOrEqualTo(1024 + window);
            final long position = producer.position();
            assertThat(producer.gating().ignored()).isZero();
            for (final long nonsense : new long[] {position + 32, Long.MAX_VALUE - 1, -1, 0, Long.MIN_VALUE, 992})
            {
                final long before = producer.gating().ignored();
                memory.putLongRelease(cell, nonsense);
                assertThat(producer.offer(test.source, 0, 1008)).isEqualTo(Ring.BACK_PRESSURED);
                assertThat(producer.gating().ignored()).isGreaterThan(before);
                assertThat(producer.gating().minimum()).isEqualTo(1024);
            }
            memory.putLongRelease(cell, position);
            assertThat(producer.offer(test.source, 0, 1008)).isPositive();
        }
    }

    @Test
    void knowsExactlyHowFarAnExclusiveRingHasComeThatNothingHoldsStill()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            final RingReader reader = test.reader();
            long known = 0;
            for (int i = 0; i < 5_000; i++)
            {
                assertThat(producer.offer(test.source, 0, i * 37 % 3_000)).isPositive();
                lengths(reader);
                if (i % 3 == 0)
                {
                    known = test.membership.livePosition(known);
                    assertThat(known).isEqualTo(producer.position());
                    assertThat(test.membership.livePosition(0)).isEqualTo(producer.position());
                }
            }
        }
    }

    @Test
    void garbageBehindTheCoarsePositionIsNotFollowed()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            test.reader();
            producer.offer(test.source, 0, 100);
            for (final int garbage : new int[] {-1, 5, Integer.MAX_VALUE, Integer.MIN_VALUE})
            {
                test.ring.memory().putInt(test.ring.addressOf(producer.position()), garbage);
                assertThat(test.membership.livePosition(0)).isZero();
            }
        }
    }

    private static void fillUp(final TestRing test, final ExclusiveProducer producer)
    {
        while (producer.offer(test.source, 0, 1008) > 0)
        {
            // until the window is full
        }
    }
}

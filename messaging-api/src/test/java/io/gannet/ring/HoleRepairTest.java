package io.gannet.ring;

import static io.gannet.ring.TestRing.lengths;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HoleRepairTest
{
    private static final int CAPACITY = RingLayout.MIN_CAPACITY;

    private final TestRing test = new TestRing(RingKind.CONCURRENT, CAPACITY);
    private final RingMemory memory = test.ring.memory();
    private final ConcurrentProducer living = test.concurrentProducer(TestRing.CLIENT);
    private final ConcurrentProducer dying = test.concurrentProducer(TestRing.OTHER_CLIENT);
    private final HoleRepair repair = new HoleRepair(test.ring, Bell.FUTEX_WAKER);
    private final RingReader reader = test.reader();

    @AfterEach
    void close()
    {
        test.close();
    }

    private static boolean isDead(final long client)
    {
        return client == TestRing.OTHER_CLIENT;
    }

    /** Dies with a slot CLAIMING, before or after the CAS of the tail. */
    private void dieClaiming(final int length, final boolean afterCas)
    {
        final ClaimSlots slots = new ClaimSlots(test.ring, TestRing.OTHER_CLIENT);
        final int step = FrameHeader.step(length);
        slots.acquire(step);
        if (afterCas)
        {
            memory.getAndAddLong(test.ring.headerAddress() + RingLayout.TAIL_OFFSET, step);
        }
    }

    private boolean anySlotOf(final long client)
    {
        for (int i = 0; i < RingLayout.MAX_SLOTS; i++)
        {
            if (memory.getLong(test.slotAddress(i) + RingLayout.SLOT_CLIENT_ID) == client)
            {
                return true;
            }
        }
        return false;
    }

    @Test
    void padsAClaimWhoseOwnerDiedWithTheRecord()
    {
        dying.tryClaim(1000, new FrameClaim());
        living.offer(test.source, 0, 3);
        assertThat(lengths(reader)).isEmpty();
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(lengths(reader)).containsExactly(3);
        assertThat(repair.paddedBytes()).isEqualTo(1024);
        assertThat(anySlotOf(TestRing.OTHER_CLIENT)).isFalse();
        assertThat(anySlotOf(TestRing.CLIENT)).isTrue();
    }

    @Test
    void padsAClaimWhoseOwnerDiedBetweenTheAtomicAndItsRecord()
    {
        living.offer(test.source, 0, 1);
        dieClaiming(500, true);
        living.offer(test.source, 0, 3);
        assertThat(lengths(reader)).containsExactly(1);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(lengths(reader)).containsExactly(3);
        assertThat(anySlotOf(TestRing.OTHER_CLIENT)).isFalse();
    }

    @Test
    void padsAdjacentHolesOfSeveralThatDiedClaimingUpToTheTail()
    {
        dieClaiming(500, true);
        dieClaiming(4000, true);
        dieClaiming(100, false);
        dieClaiming(4000, true);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        living.offer(test.source, 0, 9);
        assertThat(lengths(reader)).containsExactly(9);
        assertThat(reader.position()).isEqualTo(living.position());
    }

    @Test
    void freesTheSlotOfOneThatDiedBeforeItsAtomic()
    {
        dieClaiming(500, false);
        living.offer(test.source, 0, 3);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(repair.paddedBytes()).isZero();
        assertThat(lengths(reader)).containsExactly(3);
        assertThat(anySlotOf(TestRing.OTHER_CLIENT)).isFalse();
    }

    /** A thread that is late to notice a close takes a slot that was given back, and then its process dies. */
    @Test
    void aSlotThatWasLeftByTheDeadAfterACloseHoldsUpNoRepair()
    {
        for (int i = 2; i < 12; i++)
        {
            memory.putLong(test.slotAddress(i) + RingLayout.SLOT_STATE,
                32 << ClaimSlots.STEP_SHIFT | ClaimSlots.CLAIMING);
        }
        final ConcurrentProducer late = test.concurrentProducer(TestRing.CLIENT + 100);
        living.offer(test.source, 0, 1);
        late.offer(test.source, 0, 2);
        dieClaiming(500, true);
        late.offer(test.source, 0, 3);
        assertThat(lengths(reader)).containsExactly(1, 2);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(lengths(reader)).containsExactly(3);
    }

    /** Somebody has written into the header; of the living or the dead, the walk must end. */
    @ParameterizedTest
    @ValueSource(longs = {0, -32, 16, 33, 96, 8192, CAPACITY, 1L << 40, Long.MIN_VALUE, Long.MAX_VALUE})
    void aClaimOfAStepThatCanBeNoneIsReported(final long step)
    {
        for (final ConcurrentProducer owner : List.of(living, dying))
        {
            final FrameClaim claim = new FrameClaim();
            assertThat(owner.tryClaim(40, claim)).isPositive();
            final long address = test.slotAddress(claim.slot() + (owner == living ? 0 : 1)) + RingLayout.SLOT_STEP;
            assertThat(memory.getLong(address)).isEqualTo(64);
            memory.putLong(address, step);
            assertThatThrownBy(() -> repair.repair(HoleRepairTest::isDead))
                .isInstanceOf(CorruptRingException.class).hasMessageContaining("a claim of " + step + " bytes");
            memory.putLong(address, 64);
            claim.commit();
            assertThat(lengths(reader)).containsExactly(40);
        }
        assertThat(repair.paddedBytes()).isZero();
    }

    @Test
    void neverTouchesAClaimOfTheLiving()
    {
        final FrameClaim claim = new FrameClaim();
        living.tryClaim(200, claim);
        dying.tryClaim(100, new FrameClaim());
        living.offer(test.source, 0, 3);
        assertThat(repair.repair(HoleRepairTest::isDead)).as("the dead one's is padded at once").isTrue();
        assertThat(repair.blockingPosition()).isZero();
        assertThat(repair.blockingClient()).isEqualTo(TestRing.CLIENT);
        assertThat(lengths(reader)).isEmpty();
        claim.commit();
        assertThat(lengths(reader)).containsExactly(200, 3);
    }

    @Test
    void waitsWhileALivingClaimMayOwnTheHole()
    {
        final ClaimSlots slots = new ClaimSlots(test.ring, TestRing.CLIENT);
        final int slot = slots.acquire(64);
        memory.getAndAddLong(test.ring.headerAddress() + RingLayout.TAIL_OFFSET, 64);
        dieClaiming(100, true);
        assertThat(repair.repair(HoleRepairTest::isDead)).isFalse();
        assertThat(repair.paddedBytes()).isZero();
        slots.pending(slot, 0, 64);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(repair.paddedBytes()).isEqualTo(128);
    }

    @Test
    void doesNotTakeAFrameCommittedBeforeItsOwnersDeathForAHole()
    {
        dying.offer(test.source, 0, 5);
        final long state = test.slotAddress(0) + RingLayout.SLOT_STATE;
        memory.putLong(state, ClaimSlots.PENDING);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(lengths(reader)).containsExactly(5);
    }

    @Test
    void zeroesHalfARingAheadForTheDead()
    {
        final byte[] all = new byte[3000];
        for (int lap = 0; lap < 40; lap++)
        {
            for (int i = 0; i < all.length; i++)
            {
                all[i] = -1;
            }
            test.source.putBytes(0, all);
            assertThat(living.offer(test.source, 0, 3000)).isPositive();
            final long dead = living.position();
            test.concurrentProducer(TestRing.OTHER_CLIENT).tryClaim(3000, new FrameClaim());
            assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
            for (int i = 0; i < FrameHeader.step(3000); i++)
            {
                assertThat(memory.getInt(test.ring.addressOf(dead + CAPACITY / 2 + (i & -4)))).isZero();
            }
            assertThat(lengths(reader)).containsExactly(3000);
        }
    }

    @Test
    void repairsARingWithoutSubscribersFromTheFloor()
    {
        dying.tryClaim(300, new FrameClaim());
        living.offer(test.source, 0, 5);
        test.membership.leave(0);
        assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
        assertThat(repair.paddedBytes()).isEqualTo(320);
        assertThat(test.reader().joinPosition()).isEqualTo(living.position());
        assertThat(test.membership.finalPosition()).isEqualTo(living.position());
    }

    static LongStream seeds()
    {
        return new Random().longs(10);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void losesNothingOfTheLivingHoweverOthersDie(final long seed)
    {
        final Random random = new Random(seed);
        int sent = 0;
        int received = 0;
        for (int round = 0; round < 500; round++)
        {
            final ConcurrentProducer victim = test.concurrentProducer(TestRing.OTHER_CLIENT);
            for (int i = random.nextInt(6); i > 0; i--)
            {
                switch (random.nextInt(4))
                {
                    case 0 -> dieClaiming(random.nextInt(500), random.nextBoolean());
                    case 1 -> victim.tryClaim(random.nextInt(500), new FrameClaim());
                    default ->
                    {
                        if (living.offer(test.source, 0, random.nextInt(200)) > 0)
                        {
                            sent++;
                        }
                    }
                }
            }
            assertThat(repair.repair(HoleRepairTest::isDead)).isTrue();
            received += lengths(reader).size();
            assertThat(received).isEqualTo(sent);
            assertThat(reader.position()).isEqualTo(living.position());
        }
    }
}

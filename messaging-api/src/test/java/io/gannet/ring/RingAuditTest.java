package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RingAuditTest
{
    private static final int CAPACITY = RingLayout.MIN_CAPACITY;
    private static final int ENTRY = RingLayout.ENTRIES_OFFSET;
    private static final int UNUSED = RingLayout.ENTRIES_OFFSET + 9 * RingLayout.ENTRY_LENGTH;
    private static final int SLOT = RingLayout.SLOTS_OFFSET;

    /** Words that would stall a ring, or let it be overwritten, if anything else stood there. */
    private static final List<Integer> WORDS = List.of(
        RingLayout.MAGIC_OFFSET, RingLayout.LAYOUT_VERSION_OFFSET, RingLayout.CAPACITY_OFFSET,
        RingLayout.SESSION_ID_OFFSET, RingLayout.REGISTRATION_ID_OFFSET, RingLayout.INITIAL_POSITION_OFFSET,
        RingLayout.END_OF_STREAM_OFFSET, ENTRY + RingLayout.ENTRY_POSITION, ENTRY + RingLayout.ENTRY_DROP,
        UNUSED + RingLayout.ENTRY_POSITION);

    private static final List<Long> NOISE = List.of(
        -1L, 0x8000_0000_0000_0000L, 0x7777_7777_7777_7777L, 0x0123_4567_89AB_CDEFL, 3L, 1L << 40);

    private static String look(final RingAudit audit)
    {
        final String problem = audit.look(false);
        return problem != null ? problem : audit.lookAtSlots();
    }

    private static void flow(final TestRing ring, final ExclusiveProducer exclusive, final ConcurrentProducer shared)
    {
        for (int i = 0; i < 40; i++)
        {
            assertThat(exclusive != null ? exclusive.offer(ring.source, 0, 100) : shared.offer(ring.source, 0, 100))
                .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(value = RingKind.class, names = {"EXCLUSIVE", "CONCURRENT"})
    void noiseInAnyWordThatMattersIsFound(final RingKind kind)
    {
        final List<Integer> words = new ArrayList<>(WORDS);
        words.add(kind == RingKind.EXCLUSIVE ? RingLayout.COARSE_OFFSET : RingLayout.TAIL_OFFSET);
        words.add(RingLayout.FLOOR_OFFSET);
        if (kind == RingKind.CONCURRENT)
        {
            words.add(SLOT + RingLayout.SLOT_STATE);
        }
        try (TestRing ring = new TestRing(kind, CAPACITY))
        {
            final RingAudit audit = new RingAudit(ring.ring, ring.membership);
            final RingReader reader = ring.reader();
            flow(ring, kind == RingKind.EXCLUSIVE ? ring.exclusiveProducer() : null,
                kind == RingKind.CONCURRENT ? ring.concurrentProducer(TestRing.CLIENT) : null);
            reader.poll((buffer, offset, length, position) -> { }, 20);
            assertThat(look(audit)).isNull();
            for (final int word : words)
            {
                final long address = ring.ring.headerAddress() + word;
                final long right = ring.ring.memory().getLong(address);
                for (final long noise : NOISE.stream().filter(value -> value != right).toList())
                {
                    ring.ring.memory().putLong(address, noise);
                    assertThat(look(audit)).as("%s: %x at byte %d", kind, noise, word).isNotNull();
                    ring.ring.memory().putLong(address, right);
                    assertThat(look(new RingAudit(ring.ring, ring.membership))).as("put right").isNull();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "77"})
    void noiseInTheNumberOrKindOfEntriesIsFound(final int noise)
    {
        try (TestRing ring = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final RingAudit audit = new RingAudit(ring.ring, ring.membership);
            ring.join();
            final RingMemory memory = ring.ring.memory();
            final long size = ring.ring.headerAddress() + RingLayout.ENTRIES_IN_USE_OFFSET;
            final long kind = ring.ring.headerAddress() + ENTRY + RingLayout.ENTRY_KIND;
            memory.putInt(size, Math.min(noise, 0));
            assertThat(look(audit)).contains("said to be");
            memory.putInt(size, 1);
            memory.putInt(kind, noise);
            assertThat(look(audit)).contains("gating entry 0");
            memory.putInt(kind, GatingList.Kind.LOCAL.code());
            assertThat(look(audit)).isNull();
        }
    }

    @Test
    void aVersionThatGoesBackIsFound()
    {
        try (TestRing ring = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final RingAudit audit = new RingAudit(ring.ring, ring.membership);
            ring.join();
            assertThat(look(audit)).isNull();
            ring.ring.memory().putLong(ring.ring.headerAddress() + RingLayout.GATING_VERSION_OFFSET, 0);
            assertThat(look(audit)).contains("version");
        }
    }

    @Test
    void anEndThatTheConductorSetIsNone()
    {
        try (TestRing ring = new TestRing(RingKind.EXCLUSIVE, CAPACITY))
        {
            final RingAudit audit = new RingAudit(ring.ring, ring.membership);
            ring.ring.endStreamAt(64);
            assertThat(audit.look(false)).contains("end of stream");
            assertThat(audit.look(true)).isNull();
        }
    }

    @Test
    void aProducerThatIsPausedBetweenItsCommitAndItsSlotIsNoNoise()
    {
        try (TestRing ring = new TestRing(RingKind.CONCURRENT, CAPACITY))
        {
            final ConcurrentProducer producer = ring.concurrentProducer(TestRing.CLIENT);
            final RingReader reader = ring.reader();
            while (producer.offer(ring.source, 0, 1000) < 3L * CAPACITY)
            {
                TestRing.lengths(reader);
            }
            final long slot = ring.ring.headerAddress() + RingLayout.slotOffset(RingLayout.MAX_SLOTS - 1);
            ring.ring.memory().putLong(slot + RingLayout.SLOT_STEP, 1024);
            ring.ring.memory().putLong(slot + RingLayout.SLOT_STATE, 1024 | ClaimSlots.PENDING);
            assertThat(new RingAudit(ring.ring, ring.membership).lookAtSlots()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -32, 33, 8192, Long.MIN_VALUE, Long.MAX_VALUE})
    void aStepOfAnOpenClaimThatCanBeNoneIsFound(final long step)
    {
        try (TestRing ring = new TestRing(RingKind.CONCURRENT, CAPACITY))
        {
            ring.join();
            final ConcurrentProducer producer = ring.concurrentProducer(TestRing.CLIENT);
            final FrameClaim claim = new FrameClaim();
            assertThat(producer.tryClaim(4080, claim)).isPositive();
            final RingAudit audit = new RingAudit(ring.ring, ring.membership);
            assertThat(audit.lookAtSlots()).isNull();
            ring.ring.memory().putLong(ring.slotAddress(claim.slot()) + RingLayout.SLOT_STEP, step);
            assertThat(audit.lookAtSlots()).contains("its step is " + step);
            claim.commit();
            assertThat(audit.lookAtSlots()).isNull();
        }
    }

    /** Readers join, are dropped and leave, producers publish: nothing of it is ever taken for noise. */
    @ParameterizedTest
    @EnumSource(value = RingKind.class, names = {"EXCLUSIVE", "CONCURRENT"})
    void whatHappensInARingIsNeverTakenForNoise(final RingKind kind) throws InterruptedException
    {
        final AtomicBoolean stop = new AtomicBoolean();
        final AtomicLong sent = new AtomicLong();
        final List<Thread> threads = new ArrayList<>();
        try (TestRing ring = new TestRing(kind, CAPACITY))
        {
            final int producers = kind == RingKind.EXCLUSIVE ? 1 : 2;
            final ConcurrentProducer shared =
                kind == RingKind.CONCURRENT ? ring.concurrentProducer(TestRing.CLIENT) : null;
            final ExclusiveProducer exclusive = kind == RingKind.EXCLUSIVE ? ring.exclusiveProducer() : null;
            for (int i = 0; i < producers; i++)
            {
                threads.add(Thread.ofPlatform().start(() ->
                {
                    final UnsafeBuffer source = new UnsafeBuffer(new byte[2048]);
                    for (int n = 0; !stop.get(); n++)
                    {
                        final int length = (n & 0xFFFF) * 37 % 2000;
                        final long result = exclusive != null ?
                            exclusive.offer(source, 0, length) : shared.offer(source, 0, length);
                        if (result > 0)
                        {
                            sent.getAndIncrement();
                        }
                    }
                }));
            }
            final RingAudit audit = new RingAudit(ring.ring, ring.membership);
            for (int round = 0; round < 60; round++)
            {
                final int entry = ring.join();
                final RingReader reader = new RingReader(ring.ring, entry, round % 2 == 0);
                final Thread polling = Thread.ofPlatform().start(() ->
                {
                    while (!reader.isClosed() && !reader.isDropped())
                    {
                        reader.poll((buffer, offset, length, position) -> { }, 50);
                    }
                });
                final long goal = sent.get() + 500;
                while (sent.get() < goal)
                {
                    assertThat(look(audit)).as("%s, round %d", kind, round).isNull();
                }
                if (round % 3 == 0)
                {
                    ring.membership.requestDrop(entry);
                    while (!ring.membership.tryDrop(entry))
                    {
                        assertThat(look(audit)).as("%s, round %d", kind, round).isNull();
                    }
                    assertThat(look(audit)).as("%s, round %d", kind, round).isNull();
                }
                reader.close();
                polling.join();
                ring.membership.leave(entry);
                assertThat(look(audit)).as("%s, round %d", kind, round).isNull();
            }
        }
        finally
        {
            stop.set(true);
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
    }
}

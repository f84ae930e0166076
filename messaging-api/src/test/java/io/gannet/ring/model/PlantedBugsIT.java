package io.gannet.ring.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The model finds what was got wrong on purpose, within so many seeds. */
class PlantedBugsIT
{
    @Test
    void aJoinerThatReadsTheCommittedPositionBeforeItsEntryIsVisible() throws IOException
    {
        isFound("exclusive", 3_000, PatchedRing.of("Membership",
            "walk(knownPosition(index))",
            "walk(start)"));
    }

    @Test
    void aLimitWithoutSlack() throws IOException
    {
        isFound("exclusive", 1_000, PatchedRing.of("RingLayout",
            "return maxFrameLength(kind, capacity) + COARSE_INTERVAL + 64;",
            "return 0;"));
    }

    @Test
    void aClaimWhoseOwnerDiedBetweenTheAtomicAndItsRecordIsForgotten() throws IOException
    {
        isFound("concurrent", 1_000, PatchedRing.of("HoleRepair",
            "deadClaims |= isDead;",
            ""));
    }

    @Test
    void aClaimOfTheLivingBetweenTheAtomicAndItsRecordIsTakenForADeadOnes() throws IOException
    {
        isFound("concurrent", 1_000, PatchedRing.of("HoleRepair",
            "livingClaims |= !isDead;",
            ""));
    }

    @Test
    void aJoinerAboveAPendingClaim() throws IOException
    {
        isFound("concurrent", 1_000, PatchedRing.of("Membership",
            "walk(knownPosition(index))",
            "memory.getLongVolatile(header + RingLayout.TAIL_OFFSET)"));
    }

    @Test
    void aGateRemovedWhileItsReaderIsInAHandler() throws IOException
    {
        isFound("exclusive", 1_000, PatchedRing.of("Membership",
            "== POLLING)",
            "== -1)"));
    }

    @Test
    void theLastLeaverOfAConcurrentRingLeavesNoFloor() throws IOException
    {
        isFound("concurrent", 3_000, PatchedRing.of("Membership",
            "memory.putLongOpaque(header + RingLayout.FLOOR_OFFSET, position);",
            ""));
    }

    @Test
    void aProducerThatZeroesTooLate() throws IOException
    {
        isFound("concurrent", 1_000, PatchedRing.of("ConcurrentProducer",
            "zeroLengths(data + ((position + half) & mask), step);",
            ""));
    }

    @Test
    void aPaddedHoleIsNotZeroedAhead() throws IOException
    {
        isFound("concurrent", 3_000, PatchedRing.of("HoleRepair",
            "memory.setMemory(ring.addressOf(position + half), length, (byte) 0);",
            ""));
    }

    @Test
    void anImageReaderThatTrustsLengthsAboveTheReceivedPosition() throws IOException
    {
        isFound("image", 100, PatchedRing.of("RingReader",
            "return position < gate ? gate : nothing();",
            "return Long.MAX_VALUE;"));
    }

    private static void isFound(final String world, final int seeds, final PatchedRing ring)
    {
        for (int seed = 0; seed < seeds; seed++)
        {
            final String failure = ring.failure(world, seed);
            if (failure != null)
            {
                System.out.println("planted bug found in seed " + seed + " of " + seeds + ": " + failure);
                return;
            }
        }
        assertThat(seeds).as("seeds without the planted bug being found").isZero();
    }
}

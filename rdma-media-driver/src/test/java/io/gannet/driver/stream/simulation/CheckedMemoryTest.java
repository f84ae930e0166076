package io.gannet.driver.stream.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;

class CheckedMemoryTest
{
    private static final int CAPACITY = 64 * 1024;
    private static final long CONSUMED = 10L * CAPACITY - 512;
    private static final long RECEIVED = CONSUMED + 1024;

    private final Ring image = ring(RingKind.IMAGE);
    private final Ring publication = ring(RingKind.EXCLUSIVE);
    private final PlacementMemory placement = new PlacementMemory();
    private ReaderMemory reader;
    private long gate;

    @BeforeEach
    void join()
    {
        final Membership membership = new Membership(image);
        final int entry = membership.join(GatingList.Kind.LOCAL, 1, 1);
        gate = membership.list().positionAddress(entry);
        image.memory().putLong(gate, CONSUMED);
        image.memory().putLong(image.headerAddress() + RingLayout.RECEIVED_OFFSET, RECEIVED);
        reader = new ReaderMemory(image, entry, new Interleaving(new SplittableRandom(1), false));
        placement.watchImage(image, entry);
        placement.watchPublication(publication);
    }

    @AfterEach
    void free()
    {
        image.close();
        image.free();
        publication.close();
        publication.free();
    }

    @Test
    void readerReadsFromItsPositionToTheReceivedOne()
    {
        assertThat(reader.getLong(image.addressOf(CONSUMED))).isZero();
        assertThat(reader.getLong(image.addressOf(RECEIVED - 8))).isZero();
        reader.onLoad(image.addressOf(CONSUMED), RECEIVED - CONSUMED);
        assertFails(() -> reader.onLoad(image.addressOf(CONSUMED - 8), 8));
        assertFails(() -> reader.onLoad(image.addressOf(RECEIVED), 4));
        assertFails(() -> reader.onLoad(image.addressOf(CONSUMED), RECEIVED - CONSUMED + 1));
    }

    @Test
    void readerWritesItsEntryAlone()
    {
        reader.putLongRelease(gate, CONSUMED + 32);
        assertThat(image.memory().getLong(gate)).isEqualTo(CONSUMED + 32);
        assertFails(() -> reader.putLong(gate + RingLayout.ENTRY_LENGTH, 0));
        assertFails(() -> reader.putInt(gate + RingLayout.ENTRY_KIND, 0));
        assertFails(() -> reader.putLong(image.addressOf(CONSUMED), 0));
    }

    @Test
    void nicWritesNothingThatWasReceivedAndNotConsumed()
    {
        placement.putLong(image.addressOf(RECEIVED), 1);
        placement.putLong(image.addressOf(CONSUMED - 8), 1);
        assertFails(() -> placement.putLong(image.addressOf(CONSUMED), 1));
        assertFails(() -> placement.putLong(image.addressOf(RECEIVED - 8), 1));
        assertFails(() -> placement.putLong(gate, 1));
    }

    @Test
    void nicWritesOnlyCellsOfRemoteSubscribers()
    {
        final Membership membership = new Membership(publication);
        final int local = membership.join(GatingList.Kind.LOCAL, 1, 1);
        final int remote = membership.join(GatingList.Kind.REMOTE, 0, 1);
        final long cell = membership.list().positionAddress(remote);
        placement.putLongRelease(cell, 0);
        placement.putLongRelease(cell + 24, 0);
        assertFails(() -> placement.putLong(cell + 32, 0));
        assertFails(() -> placement.putLong(membership.list().positionAddress(local), 0));
        assertFails(() -> placement.putLong(publication.dataAddress(), 0));
        membership.leave(remote);
        assertFails(() -> placement.putLong(cell, 0));
    }

    private static void assertFails(final Runnable access)
    {
        assertThatThrownBy(access::run).isInstanceOf(SimulationFailure.class);
    }

    private static Ring ring(final RingKind kind)
    {
        return RingFile.createAnonymous(new RingDescription(kind, CAPACITY, 1, 1, 1, 0, true));
    }
}

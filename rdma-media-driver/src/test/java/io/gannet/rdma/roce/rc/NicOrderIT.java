package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gannet.ring.model.Weakening;
import io.gannet.ring.model.Weakening.Access;
import io.gannet.ring.model.Weaver;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The orders between the threads that post and poll and the NIC's: the shipped byte code on a seeded weak memory. With
 * all of them nothing fails, without any one something does. What is volatile for its value alone is shown to be so.
 */
class NicOrderIT
{
    private static final int SEEDS = Integer.getInteger("gannet.weakened.seeds", 1_000);
    private static final int SOUND_SEEDS = Integer.getInteger("gannet.seeds", 300);
    private static final String PACKAGE = "io/gannet/rdma/roce/rc/";
    private static final String COUNT = "PaddedLong.value";
    private static final String SENDS = "QueueWorld$Sends";
    private static final String RECEIVES = "QueueWorld$Receives";
    private static final String FULL = "QueueWorld$Full";
    private static final String ENTRY = "EntryWorld";
    private static final String ANNOUNCEMENT = "AnnouncementWorld";
    private static final String PLACEMENT = "PlacementWorld";
    private static final Weaver WEAVER = new Weaver(
        Stream.of("SendQueue", "ReceiveQueue", "CompletionRing", "CompletionRing$Entry", "PaddedLong", "Announcement",
            "Region").map(PACKAGE::concat).toList(),
        List.of(PACKAGE + "SendQueue", PACKAGE + "ReceiveQueue"));

    /** Who stores or loads a count tells which it is, as each world has one that the actor uses so. */
    static Stream<Arguments> pairs()
    {
        return Stream.of(
            arguments("requests posted, release", SENDS, Weakening.of(Access.STORE, COUNT, "poster")),
            arguments("requests posted, acquire", SENDS, Weakening.of(Access.LOAD, COUNT, "nic")),
            arguments("slots of requests given back, release", SENDS, Weakening.of(Access.STORE, COUNT, "poller")),
            arguments("slots of requests given back, acquire", SENDS, Weakening.of(Access.LOAD, COUNT, "poster")),
            arguments("receives posted, release", RECEIVES, Weakening.of(Access.STORE, COUNT, "poster")),
            arguments("receives posted, acquire", RECEIVES, Weakening.of(Access.LOAD, COUNT, "nic")),
            arguments("slots of receives given back, release", RECEIVES, Weakening.of(Access.STORE, COUNT, "poller")),
            arguments("slots of receives given back, acquire", RECEIVES, Weakening.of(Access.LOAD, COUNT, "poster")),
            arguments("completed, release", ENTRY, Weakening.of(Access.STORE, COUNT, "nic")),
            arguments("completed, acquire", ENTRY, Weakening.of(Access.LOAD, COUNT, "poller")),
            arguments("entries given back, release", ENTRY, Weakening.of(Access.STORE, COUNT, "poller")),
            arguments("entries given back, acquire", ENTRY, Weakening.of(Access.LOAD, COUNT, "nic")),
            arguments("completed, release, and bytes placed", PLACEMENT, Weakening.of(Access.STORE, COUNT, "nic")),
            arguments("completed, acquire, and bytes placed", PLACEMENT,
                Weakening.of(Access.LOAD, COUNT, "completion poller")),
            arguments("words placed, release", PLACEMENT, Weakening.of(Access.STORE, "placed", "nic")),
            arguments("words placed, acquire", PLACEMENT, Weakening.of(Access.LOAD, "placed", "word poller")),
            arguments("fence of who arms", ANNOUNCEMENT, Weakening.of(Access.FENCE, null, "poller")),
            arguments("fence of who announces", ANNOUNCEMENT, Weakening.of(Access.FENCE, null, "nic")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void isNeeded(final String pair, final String world, final Weakening weakening)
    {
        final String failure = firstFailure(world, SEEDS, weakening);

        assertThat(failure).as(pair + ": " + weakening.sites() + " missing in " + SEEDS + " seeds of " + world)
            .isNotNull();
        System.out.println(pair + " | " + weakening.sites() + " | " + world + " " + failure);
    }

    static Stream<Arguments> values()
    {
        return Stream.of(
            arguments("Announcement.armed", ANNOUNCEMENT),
            arguments("CompletionRing.overrun", ENTRY));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("values")
    void isNotNeeded(final String place, final String world)
    {
        assertThat(firstFailure(world, SOUND_SEEDS,
            Weakening.of(Access.LOAD, place, "").and(Access.STORE, place, ""))).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {SENDS, RECEIVES, FULL, ENTRY, ANNOUNCEMENT, PLACEMENT})
    void nothingFailsWithAllOrders(final String world)
    {
        assertThat(firstFailure(world, SOUND_SEEDS, Weakening.NONE)).isNull();
    }

    private static String firstFailure(final String world, final int seeds, final Weakening weakening)
    {
        return WEAVER.firstFailure("rdma.roce.rc." + world, seeds, weakening);
    }
}

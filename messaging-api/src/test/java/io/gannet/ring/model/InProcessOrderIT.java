package io.gannet.ring.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gannet.ring.model.Weakening.Access;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The orders between threads of one process, as {@link WeakenedOrderIT} for those of the ring: with all of them nothing
 * fails, and without any one something does. Those that nothing needs are shown to be so.
 */
class InProcessOrderIT
{
    private static final int SEEDS = Integer.getInteger("gannet.weakened.seeds", 1_000);
    private static final int SOUND_SEEDS = Integer.getInteger("gannet.seeds", 300);
    private static final String SHARED = "shared producer";
    private static final String LIMIT = "ring.model.LimitWorld";
    private static final String FIRST = "ring.model.FirstJoinWorld";
    private static final String CLOSE = "ring.model.ProducerCloseWorld";
    private static final Weaver WEAVER = new Weaver();

    static Stream<Arguments> pairs()
    {
        return Stream.of(
            arguments("poll's end, release", "SubscriptionWorld",
                Weakening.of(Access.STORE, "PollGuard$Owner.turn", "poller")),
            arguments("poll's end, acquire by the closer", "SubscriptionWorld",
                Weakening.of(Access.LOAD, "PollGuard$Owner.turn", "conductor")),
            arguments("poll's end, acquire by the next thread", "SubscriptionWorld",
                Weakening.of(Access.LOAD, "PollGuard$Owner.turn", "poller")),
            arguments("fence of a poll (no membarrier)", "SubscriptionWorld",
                Weakening.of(Access.FENCE, null, "poller")),
            arguments("fence of a closer", "SubscriptionWorld", Weakening.of(Access.FENCE, null, "conductor")),
            arguments("membarrier of a closer", "SubscriptionWorld",
                Weakening.of(Access.MEMBARRIER, null, "conductor")),
            arguments("membarrier of a thread that takes over", "SubscriptionWorld",
                Weakening.of(Access.MEMBARRIER, null, "poller")),
            arguments("monitor of take-over and closer", "SubscriptionWorld",
                Weakening.of(Access.MONITOR, "PollGuard", "")),
            arguments("images, release", "SubscriptionWorld",
                Weakening.of(Access.STORE, "RingSubscription.images", "conductor")),
            arguments("images, acquire", "SubscriptionWorld",
                Weakening.of(Access.LOAD, "RingSubscription.images", "poller")),
            arguments("word of a wait, release", "WaitWorld",
                Weakening.of(Access.UPDATE, "MessageWait", "conductor")),
            arguments("word of a wait, acquire", "WaitWorld",
                Weakening.of(Access.LOAD, "MessageWait", "poller")),
            arguments("word of a wait for two, release", "WaiterWorld",
                Weakening.of(Access.UPDATE, "MessageWait", "conductor")),
            arguments("word of a wait for two, acquire", "WaiterWorld",
                Weakening.of(Access.LOAD, "MessageWait", "poller")),
            arguments("offer's end, release", "SoloWorld",
                Weakening.of(Access.STORE, "SoloPublication.busy", "publisher")),
            arguments("offer's end, acquire", "SoloWorld",
                Weakening.of(Access.LOAD, "SoloPublication.busy", "conductor")),
            arguments("claim's end, release", "SoloWorld",
                Weakening.of(Access.STORE, "SoloPublication.claimOpen", "publisher")),
            arguments("claim's end, acquire", "SoloWorld",
                Weakening.of(Access.LOAD, "SoloPublication.claimOpen", "conductor")),
            arguments("fence of an offer (no membarrier)", "SoloWorld", Weakening.of(Access.FENCE, null, "publisher")),
            arguments("fence of an exclusive publication's closer", "SoloWorld",
                Weakening.of(Access.FENCE, null, "conductor")),
            arguments("membarrier of an exclusive publication's closer", "SoloWorld",
                Weakening.of(Access.MEMBARRIER, null, "conductor")),
            arguments("limit, release (and the refresh's fence)", LIMIT,
                Weakening.of(Access.STORE, "ConcurrentProducerState.limit", "large")
                    .and(Access.FENCE, null, "large")),
            arguments("limit, acquire", LIMIT, Weakening.of(Access.LOAD, "ConcurrentProducerState.limit", "small")),
            arguments("turns at the gating list, release", SHARED,
                Weakening.of(Access.STORE, "ConcurrentProducerState.refreshing", "producer")),
            arguments("turns at the gating list, acquire (and the refresh's fence)", SHARED,
                Weakening.of(Access.UPDATE, "ConcurrentProducerState.refreshing", "producer")
                    .and(Access.FENCE, null, "producer")),
            arguments("slots held, release", SHARED, Weakening.of(Access.STORE, "ClaimSlots.held", "producer")),
            arguments("slots held, acquire", SHARED, Weakening.of(Access.LOAD, "ClaimSlots.held", "producer")),
            arguments("monitor of the slots", SHARED, Weakening.of(Access.MONITOR, "ClaimSlots", "")),
            arguments("slot taken, before the closing flag", CLOSE,
                Weakening.of(Access.UPDATE, Word.SLOT_STATE, "producer")),
            arguments("closing flag, behind the slot", CLOSE,
                Weakening.of(Access.LOAD, "ConcurrentProducer.closing", "producer")),
            arguments("fence between closing flag and slots", CLOSE, Weakening.of(Access.FENCE, null, "closer")),
            arguments("slot given back, release", SHARED, Weakening.of(Access.STORE, Word.SLOT_STATE, "producer")),
            arguments("slot given back, acquire by the closer", SHARED,
                Weakening.of(Access.LOAD, Word.SLOT_STATE, "closer")),
            arguments("acknowledged, release", "ring.model.CloseWorld",
                Weakening.of(Access.STORE, "Ring.acknowledged", "user")),
            arguments("acknowledged, acquire", "ring.model.CloseWorld",
                Weakening.of(Access.LOAD, "Ring.acknowledged", "closer")),
            arguments("counter's value, release", "CounterWorld",
                Weakening.of(Access.STORE, "MappedCounter.value", "writer")),
            arguments("counter's value, acquire by a reader", "CounterWorld",
                Weakening.of(Access.LOAD, "MappedCounter.value", "reader")),
            arguments("counter's value, acquire by a move", "CounterWorld",
                Weakening.of(Access.LOAD, "MappedCounter.value", "conductor")),
            arguments("counter's shown value, release", "CounterWorld",
                Weakening.of(Access.STORE, "MappedCounter$Place", "writer")),
            arguments("counter's shown value, release by a move", "CounterWorld",
                Weakening.of(Access.STORE, "MappedCounter$Place", "conductor")),
            arguments("fence of a counter's writer (no membarrier)", "CounterWorld",
                Weakening.of(Access.FENCE, null, "writer")),
            arguments("fence of a move", "CounterWorld", Weakening.of(Access.FENCE, null, "conductor")),
            arguments("membarrier of a move", "CounterWorld", Weakening.of(Access.MEMBARRIER, null, "conductor")),
            arguments("fence of a conductor that sleeps", "control.BellWorld",
                Weakening.of(Access.FENCE, null, "sleeper")),
            arguments("fence of who rings", "control.BellWorld", Weakening.of(Access.FENCE, null, "ringer")),
            arguments("client's file is made, release", "control.ClientFileWorld",
                Weakening.of(Access.STORE, "ClientFile@0", "client")),
            arguments("client's file is made, acquire", "control.ClientFileWorld",
                Weakening.of(Access.LOAD, "ClientFile@0", "driver")),
            arguments("connected epoch, release", "control.ClientFileWorld",
                Weakening.of(Access.STORE, "ClientFile@256", "client")),
            arguments("connected epoch, acquire", "control.ClientFileWorld",
                Weakening.of(Access.LOAD, "ClientFile@256", "driver")),
            arguments("driver's file is made, release", "control.DriverFileWorld",
                Weakening.of(Access.STORE, "DriverFile@0", "driver")),
            arguments("driver's file is made, acquire", "control.DriverFileWorld",
                Weakening.of(Access.LOAD, "DriverFile@0", "client")),
            arguments("driver's epoch, release", "control.DriverFileWorld",
                Weakening.of(Access.STORE, "DriverFile@16", "driver")),
            arguments("driver's epoch, acquire", "control.DriverFileWorld",
                Weakening.of(Access.LOAD, "DriverFile@16", "client")),
            arguments("driver runs, release", "control.DriverFileWorld",
                Weakening.of(Access.STORE, "DriverFile@40", "driver")),
            arguments("driver runs, acquire", "control.DriverFileWorld",
                Weakening.of(Access.LOAD, "DriverFile@40", "client")),
            arguments("arrivals, release", "control.DriverFileWorld",
                Weakening.of(Access.UPDATE, "DriverFile@256", "client")),
            arguments("arrivals, acquire", "control.DriverFileWorld",
                Weakening.of(Access.LOAD, "DriverFile@256", "driver")),
            arguments("operation's result, release", "OperationWorld",
                Weakening.of(Access.STORE, "Operation.done", "conductor")),
            arguments("operation's result, acquire", "OperationWorld",
                Weakening.of(Access.LOAD, "Operation.done", "application")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void isNeeded(final String pair, final String world, final Weakening weakening)
    {
        final String failure = WEAVER.firstFailure(world, SEEDS, weakening);

        assertThat(failure).as(pair + ": " + weakening.sites() + " missing in " + SEEDS + " seeds of " + world)
            .isNotNull();
        System.out.println(pair + " | " + weakening.sites() + " | " + world + " " + failure);
    }

    static Stream<Arguments> values()
    {
        return Stream.of(
            arguments("Ring.closed", "ring.model.CloseWorld"),
            arguments("RingPublication.closed", "SoloWorld"),
            arguments("RingSubscription.closed", "WaitWorld"),
            arguments("RingSubscription.closed", "SubscriptionWorld"),
            arguments("RingImage.closed", "SubscriptionWorld"),
            arguments("MappedCounter.closed", "CounterWorld"),
            arguments("Bell", "control.BellWorld"));
    }

    /** What is volatile, or updated at once, for its value alone. */
    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("values")
    void isNotNeeded(final String place, final String world)
    {
        final Weakening weakening =
            Weakening.of(Access.LOAD, place, "").and(Access.STORE, place, "").and(Access.UPDATE, place, "");

        assertThat(WEAVER.firstFailure(world, SOUND_SEEDS, weakening)).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {
        "WaitWorld", "WaiterWorld", "SubscriptionWorld", "SoloWorld", "OperationWorld", "CounterWorld", SHARED, LIMIT,
        CLOSE, "ring.model.CloseWorld", FIRST, "control.BellWorld", "control.ClientFileWorld",
        "control.DriverFileWorld"})
    void nothingFailsWithAllOrders(final String world)
    {
        // Runs of the one are long, those of the other short, and few of them fill a ring at the worst moment.
        final int seeds = world.equals(LIMIT) ? SOUND_SEEDS / 10 : world.equals(FIRST) ? 10 * SOUND_SEEDS : SOUND_SEEDS;

        assertThat(WEAVER.firstFailure(world, seeds, Weakening.NONE)).isNull();
    }
}

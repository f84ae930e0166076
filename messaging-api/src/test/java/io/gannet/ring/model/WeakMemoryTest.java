package io.gannet.ring.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.ring.model.WeakMemory.Order;
import io.gannet.ring.model.WeakMemory.RaceError;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Litmus tests: the model shows what the memory model allows, and nothing that it forbids. */
class WeakMemoryTest
{
    private static final int SEEDS = 2_000;
    private static final int X = 0;
    private static final int Y = 32;

    private int left;
    private int right;

    @Test
    void aReleaseStoreCarriesWhatCameBeforeIt()
    {
        assertThat(messagePassing(Order.PLAIN, Order.RELEASE, Order.ACQUIRE)).containsExactly("0,-1", "1,1");
    }

    @Test
    void anOpaqueStoreDoesNotOrderAnEarlierOpaqueOne()
    {
        assertThat(messagePassing(Order.OPAQUE, Order.OPAQUE, Order.ACQUIRE)).contains("1,0", "1,1");
    }

    @Test
    void anOpaqueLoadDoesNotOrderALaterOne()
    {
        assertThat(messagePassing(Order.OPAQUE, Order.RELEASE, Order.OPAQUE)).contains("1,0", "1,1");
    }

    @Test
    void aPlainStorePublishedByAnOpaqueOneIsARace()
    {
        assertThatThrownBy(() -> messagePassing(Order.PLAIN, Order.OPAQUE, Order.ACQUIRE))
            .isInstanceOf(RaceError.class).hasMessageContaining("plain load by right races with plain store by left");
    }

    @Test
    void aPlainStoreReadAfterAnOpaqueLoadIsARace()
    {
        assertThatThrownBy(() -> messagePassing(Order.PLAIN, Order.RELEASE, Order.OPAQUE))
            .isInstanceOf(RaceError.class);
    }

    @Test
    void reuseBeforeTheReaderSaysSoIsARace()
    {
        final Consumer<WeakMemory> writer = memory -> memory.storeInt(X, 2, Order.PLAIN);
        final Consumer<WeakMemory> reader = memory -> memory.loadInt(X, Order.PLAIN);

        assertThatThrownBy(() -> outcomes(writer, reader)).isInstanceOf(RaceError.class);
    }

    @Test
    void withoutFencesBothSidesMayMissEachOther()
    {
        assertThat(storeBuffering(Order.RELEASE, Order.ACQUIRE, false, false)).contains("0,0", "0,1", "1,0", "1,1");
        assertThat(storeBuffering(Order.RELEASE, Order.ACQUIRE, true, false)).contains("0,0");
        assertThat(storeBuffering(Order.RELEASE, Order.ACQUIRE, false, true)).contains("0,0");
    }

    @Test
    void withFencesOneSideSeesTheOther()
    {
        assertThat(storeBuffering(Order.OPAQUE, Order.OPAQUE, true, true)).containsExactly("0,1", "1,0", "1,1");
    }

    @Test
    void aVolatileAccessOnOneSideAndAFenceOnTheOtherAreEnough()
    {
        assertThat(mixedBuffering(Order.VOLATILE, Order.VOLATILE, Order.OPAQUE, true, Order.OPAQUE))
            .containsExactly("0,1", "1,0", "1,1");
        assertThat(mixedBuffering(Order.VOLATILE, Order.OPAQUE, Order.OPAQUE, true, Order.OPAQUE)).contains("0,0");
        assertThat(mixedBuffering(Order.OPAQUE, Order.VOLATILE, Order.OPAQUE, true, Order.OPAQUE)).contains("0,0");
        assertThat(mixedBuffering(Order.VOLATILE, Order.VOLATILE, Order.VOLATILE, false, Order.VOLATILE))
            .containsExactly("0,1", "1,0", "1,1");
        assertThat(mixedBuffering(Order.VOLATILE, Order.VOLATILE, Order.VOLATILE, false, Order.ACQUIRE))
            .contains("0,0");
    }

    @Test
    void oneFenceEverywhereIsEnough()
    {
        final Consumer<WeakMemory> hot = memory ->
        {
            memory.storeInt(X, 1, Order.RELEASE);
            left = memory.loadInt(Y, Order.OPAQUE);
        };
        final Consumer<WeakMemory> slow = memory ->
        {
            memory.storeInt(Y, 1, Order.RELEASE);
            memory.fenceEverywhere();
            right = memory.loadInt(X, Order.ACQUIRE);
        };

        assertThat(outcomes(hot, slow)).doesNotContain("0,0").contains("0,1", "1,0");
    }

    @Test
    void aLoadNeverGoesBackBehindWhatItsActorHasSeen()
    {
        final Consumer<WeakMemory> writer = memory ->
        {
            memory.storeInt(X, 1, Order.OPAQUE);
            memory.storeInt(X, 2, Order.OPAQUE);
        };
        final Consumer<WeakMemory> reader = memory ->
        {
            left = memory.loadInt(X, Order.OPAQUE);
            right = memory.loadInt(X, Order.OPAQUE);
        };

        assertThat(outcomes(writer, reader)).containsExactly("0,0", "0,1", "0,2", "1,1", "1,2", "2,2");
    }

    @Test
    void anUpdateNeverLosesAnother()
    {
        final Consumer<WeakMemory> one = memory -> left = (int) memory.getAndAddLong(X, 1, Order.VOLATILE);
        final Consumer<WeakMemory> other = memory -> right = (int) memory.getAndAddLong(X, 1, Order.VOLATILE);

        assertThat(outcomes(one, other)).containsExactly("0,1", "1,0");
    }

    private Set<String> messagePassing(final Order data, final Order publish, final Order observe)
    {
        final Consumer<WeakMemory> writer = memory ->
        {
            memory.storeInt(X, 1, data);
            memory.storeInt(Y, 1, publish);
        };
        final Consumer<WeakMemory> reader = memory ->
        {
            left = memory.loadInt(Y, observe);
            right = left == 1 ? memory.loadInt(X, data == Order.PLAIN ? Order.PLAIN : Order.OPAQUE) : -1;
        };
        return outcomes(writer, reader);
    }

    private Set<String> storeBuffering(
        final Order store, final Order load, final boolean leftFence, final boolean rightFence)
    {
        final Consumer<WeakMemory> leftBody = memory ->
        {
            memory.storeInt(X, 1, store);
            if (leftFence)
            {
                memory.fullFence();
            }
            left = memory.loadInt(Y, load);
        };
        final Consumer<WeakMemory> rightBody = memory ->
        {
            memory.storeInt(Y, 1, store);
            if (rightFence)
            {
                memory.fullFence();
            }
            right = memory.loadInt(X, load);
        };
        return outcomes(leftBody, rightBody);
    }

    private Set<String> mixedBuffering(
        final Order leftStore, final Order leftLoad, final Order rightStore, final boolean fence, final Order rightLoad)
    {
        final Consumer<WeakMemory> leftBody = memory ->
        {
            memory.storeInt(X, 1, leftStore);
            left = memory.loadInt(Y, leftLoad);
        };
        final Consumer<WeakMemory> rightBody = memory ->
        {
            memory.storeInt(Y, 1, rightStore);
            if (fence)
            {
                memory.fullFence();
            }
            right = memory.loadInt(X, rightLoad);
        };
        return outcomes(leftBody, rightBody);
    }

    private Set<String> outcomes(final Consumer<WeakMemory> leftBody, final Consumer<WeakMemory> rightBody)
    {
        final Set<String> outcomes = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final Scheduler scheduler = new Scheduler(seed, 1_000, false);
            final WeakMemory memory = new WeakMemory(scheduler, 2, 64, 64, 64);
            scheduler.add("left", () -> leftBody.accept(memory));
            scheduler.add("right", () -> rightBody.accept(memory));
            scheduler.run();
            outcomes.add(left + "," + right);
        }
        return outcomes;
    }
}

package io.gannet.ring.model;

import io.gannet.os.NamedPipe;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.ModelRing;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.model.WeakMemory.Order;
import io.gannet.ring.model.WeakMemory.RaceError;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Threads of one process, and what they share with others, drawn from a seed and run on a weak memory with woven
 * classes ({@link Weaver}). What a subclass sets up in its constructor comes before all threads.
 */
public abstract class ProcessWorld
{
    private static final long MAX_STEPS = 400_000;
    private static final int FIELD_CELLS = 1 << 10;
    private static final Map<RingKind, Ring> PLACES = new HashMap<>();

    /** Drawn from by everybody. */
    protected final SplittableRandom random;
    private final Scheduler scheduler;
    private final WeakMemory memory;
    private final ModelMemory ringMemory;
    private final Ring place;
    private final FieldModel fields;

    /** @param kind of the ring that is used, null for none. */
    protected ProcessWorld(final RingKind kind, final long seed, final String[] sites)
    {
        scheduler = new Scheduler(seed, MAX_STEPS, false);
        random = scheduler.random();
        final Weakening weakening = ProcessRun.weakening(sites);
        final boolean membarrier = random.nextInt(2) == 0;
        if (kind == null)
        {
            place = null;
            ringMemory = null;
            memory = new WeakMemory(scheduler, World.MAX_ACTORS, FIELD_CELLS, 0, FIELD_CELLS);
            fields = new FieldModel(scheduler, memory, 0, FIELD_CELLS, weakening, membarrier);
            fields.use(null);
            return;
        }
        place = PLACES.computeIfAbsent(
            kind, k -> RingFile.createAnonymous(new RingDescription(k, RingLayout.MIN_CAPACITY)));
        ringMemory = new ModelMemory(scheduler, World.MAX_ACTORS, place.headerAddress(), place.dataAddress(),
            RingLayout.MIN_CAPACITY, weakening);
        for (int offset = 0; offset < ringMemory.headerLength(); offset += 8)
        {
            ringMemory.initialise(offset, NativeMemory.INSTANCE.getLong(place.headerAddress() + offset));
        }
        memory = ringMemory.cells();
        fields = ringMemory.modelFields(membarrier);
    }

    /** Runs to the end; throws when something went wrong. */
    final void run()
    {
        memory.start();
        scheduler.run();
        check();
    }

    /** What must be so in the end. */
    protected void check()
    {
    }

    /** A thread of a process; its name starts with its part in the run. */
    protected final void thread(final String name, final Runnable body)
    {
        scheduler.add(name, body);
    }

    /** Lets the others go on. */
    protected final void idle()
    {
        scheduler.idle();
    }

    /** Lets the others go on for some steps. */
    protected final void pause(final int longest)
    {
        for (int i = random.nextInt(longest); i > 0; i--)
        {
            scheduler.idle();
        }
    }

    /** Who runs. */
    protected final String actor()
    {
        return scheduler.current().name;
    }

    /** The ring as another process has it mapped. */
    protected final Ring othersRing()
    {
        return place.accessedBy(ringMemory);
    }

    /** The ring as the process of the actors whose names start so has it mapped: its end is watched. */
    protected final Ring processRing(final String... actors)
    {
        final ProcessMapping mapping = ringMemory.map(actors);
        return ModelRing.of(place, ringMemory, mapping::replaceByZeroes, mapping::free);
    }

    /** Adds a reader at the beginning of the ring; its entry. */
    protected final int join()
    {
        return new Membership(othersRing()).join(GatingList.Kind.LOCAL, 1, 1);
    }

    /** Copies out of the ring by way of the model. */
    protected final void read(final long source, final long target, final int length)
    {
        ringMemory.copy(source, target, length);
    }

    /** What the running actor knows, for another one that hears of it in a way that isn't modelled. */
    protected final int[] handOver()
    {
        return memory.handOver();
    }

    /** The running actor hears of what another one has done. */
    protected final void takeOver(final int[] token)
    {
        memory.takeOver(token);
    }

    /** Wakes sleepers on a futex, as a producer's waker. */
    protected final void wake(final long address, final long waiters)
    {
        FieldModel.futexWake(address, Integer.MAX_VALUE);
    }

    /** Sleeps in poll(2) until there is something in the pipe, and takes it out. */
    protected final void awaitSignal(final NamedPipe pipe)
    {
        FieldModel.awaitSignal(pipe);
    }

    /** A plain store of something that a later release is to publish. */
    protected static void write(final String name, final int value)
    {
        FieldModel.storeWord(name, value, Order.PLAIN);
    }

    /** A plain load of it. */
    protected static int read(final String name)
    {
        return FieldModel.loadWord(name, Order.PLAIN);
    }

    /** A store of what a library's lock-free ring publishes by release. */
    protected static void publish(final String name, final int value)
    {
        FieldModel.storeWord(name, value, Order.RELEASE);
    }

    /** The load that pairs with {@link #publish}. */
    protected static int observe(final String name)
    {
        return FieldModel.loadWord(name, Order.ACQUIRE);
    }

    /** A plain load of a word of 8 bytes. */
    protected static long read(final long address, final String owner)
    {
        return FieldModel.loadWideWord(address, owner, Order.PLAIN);
    }

    /** As {@link #observe(String)}, of a word of 8 bytes. */
    protected static long observe(final long address, final String owner)
    {
        return FieldModel.loadWideWord(address, owner, Order.ACQUIRE);
    }

    /** The last value stored to a word of 8 bytes. */
    protected static long newest(final long address)
    {
        return FieldModel.newestWord(address);
    }

    /** What is wrong with a run, or null. */
    final String failure()
    {
        try
        {
            run();
            return null;
        }
        catch (final RaceError ex)
        {
            final String where = ringMemory == null ? fields.place(ex.cell) : ringMemory.place(ex.cell);
            return ex.getMessage() + " on " + where;
        }
        catch (final RuntimeException | AssertionError ex)
        {
            return ex + Arrays.stream(ex.getStackTrace())
                .limit(ex instanceof AssertionError ? 0 : 4).map(line -> " < " + line).reduce("", String::concat);
        }
    }
}

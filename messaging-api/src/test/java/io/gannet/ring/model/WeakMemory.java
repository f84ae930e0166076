package io.gannet.ring.model;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Memory as the Java memory model allows it to behave, made of 4-byte cells, for actors that run one at a time.
 * <ul>
 * <li>Vector clocks hold what happened before what: a release store carries its writer's clock, an acquire load that
 * reads it takes it over.</li>
 * <li>A plain access that is not ordered with another actor's conflicting access is a data race: an error, whatever
 * value was seen.</li>
 * <li>Opaque, acquire and volatile loads may see any store that the actor can't know to be overwritten: a stale one
 * for as long as {@code staleSteps}. Full fences and volatile accesses are in one total order: who fences later, or
 * loads volatile, knows what an earlier fencer had stored before; who fences, what was stored volatile before.</li>
 * </ul>
 * That is a view-based operational model (release/acquire views as in RC11, without load buffering: the race detector
 * stands in for a plain load that sinks below a later store).
 */
final class WeakMemory
{
    /** Memory order of one access. */
    enum Order
    {
        PLAIN, OPAQUE, ACQUIRE, RELEASE, VOLATILE
    }

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final int threads;
    private final int staleSteps;
    private final long staleSalt;
    private final int fieldCell;
    private final int dataCell;
    private final int[] value;
    private final int[] writeClock;
    private final byte[] writer;
    private final Node[] node;
    private final int[] plainRead;
    private final int[] atomicRead;
    private final int[][] happened;
    private final int[][] seen;
    private final int[][] pendingAcquire;
    private final int[][] fenceRelease;
    private final int[] fenced;
    private final long[] lastFence;
    private final boolean[] speculative;

    /**
     * @param threads   number of actors, with one more id (the last) for the set-up outside of any actor.
     * @param fieldCell first cell of fields, two for each; those before are words, each on a line of 128 bytes.
     * @param dataCell  first cell of data.
     */
    WeakMemory(
        final Scheduler scheduler, final int threads, final int cells, final int fieldCell, final int dataCell)
    {
        this.scheduler = scheduler;
        this.random = scheduler.random();
        this.threads = threads + 1;
        this.fieldCell = fieldCell;
        this.dataCell = dataCell;
        staleSteps = 1 << (4 + random.nextInt(9));
        staleSalt = random.nextLong();
        value = new int[cells];
        writeClock = new int[cells];
        writer = new byte[cells];
        node = new Node[cells];
        plainRead = new int[cells * this.threads];
        atomicRead = new int[cells * this.threads];
        happened = new int[this.threads][this.threads];
        seen = new int[this.threads][this.threads];
        pendingAcquire = new int[this.threads][this.threads];
        fenceRelease = new int[this.threads][this.threads];
        fenced = new int[this.threads];
        lastFence = new long[this.threads];
        Arrays.fill(lastFence, -1);
        speculative = new boolean[this.threads];
        for (int i = 0; i < this.threads; i++)
        {
            happened[i][i] = 1;
            seen[i][i] = 1;
        }
    }

    int loadInt(final int cell, final Order order)
    {
        scheduler.beforeAccess();
        final int me = me();
        if (order == Order.PLAIN)
        {
            return plainLoad(me, cell);
        }
        return (int) atomicLoad(me, cell, 1, order);
    }

    long loadLong(final int cell, final Order order)
    {
        scheduler.beforeAccess();
        final int me = me();
        if (order == Order.PLAIN)
        {
            return (plainLoad(me, cell) & 0xFFFF_FFFFL) | (long) plainLoad(me, cell + 1) << 32;
        }
        return atomicLoad(me, cell, 2, order);
    }

    void storeInt(final int cell, final int newValue, final Order order)
    {
        scheduler.beforeAccess();
        final int me = me();
        if (order == Order.PLAIN)
        {
            plainStore(me, cell, newValue);
        }
        else
        {
            atomicStore(me, cell, 1, newValue, order, null);
        }
    }

    void storeLong(final int cell, final long newValue, final Order order)
    {
        scheduler.beforeAccess();
        final int me = me();
        if (order == Order.PLAIN)
        {
            plainStore(me, cell, (int) newValue);
            plainStore(me, cell + 1, (int) (newValue >>> 32));
        }
        else
        {
            atomicStore(me, cell, 2, newValue, order, null);
        }
    }

    /** Reads the newest value; on {@code expected} stores {@code newValue}. Relaxed if {@code order} is OPAQUE. */
    boolean compareAndSetLong(
        final int cell, final long expected, final long newValue, final Order order)
    {
        scheduler.beforeAccess();
        if (readForUpdate(cell, 2, order) != expected)
        {
            return false;
        }
        update(cell, 2, newValue, order);
        return true;
    }

    /** As {@link #compareAndSetLong}. */
    boolean compareAndSetInt(final int cell, final int expected, final int newValue, final Order order)
    {
        scheduler.beforeAccess();
        if ((int) readForUpdate(cell, 1, order) != expected)
        {
            return false;
        }
        update(cell, 1, newValue, order);
        return true;
    }

    long getAndAddLong(final int cell, final long delta, final Order order)
    {
        scheduler.beforeAccess();
        final long old = readForUpdate(cell, 2, order);
        update(cell, 2, old + delta, order);
        return old;
    }

    long getAndSetLong(final int cell, final long newValue, final Order order)
    {
        scheduler.beforeAccess();
        final long old = readForUpdate(cell, 2, order);
        update(cell, 2, newValue, order);
        return old;
    }

    int getAndAddInt(final int cell, final int delta, final Order order)
    {
        scheduler.beforeAccess();
        final int old = (int) readForUpdate(cell, 1, order);
        update(cell, 1, old + delta, order);
        return old;
    }

    /** A plain load that is a part of a bulk access: no step of its own. */
    int bulkLoad(final int cell)
    {
        return plainLoad(me(), cell);
    }

    /** A plain store that is a part of a bulk access; only the bits in {@code mask}. */
    void bulkStore(final int cell, final int mask, final int newBits)
    {
        final int me = me();
        plainStore(me, cell, (value[cell] & ~mask) | (newBits & mask));
    }

    void fullFence()
    {
        scheduler.beforeAccess();
        final int me = me();
        takePendingAcquires(me);
        join(seen[me], fenced);
        System.arraycopy(seen[me], 0, fenced, 0, threads);
        lastFence[me] = scheduler.step();
        startFenceRelease(me);
    }

    /** Opaque stores after it carry what happened before it. */
    void releaseFence()
    {
        scheduler.beforeAccess();
        startFenceRelease(me());
    }

    /** What opaque loads before it read from has happened before what follows it. */
    void acquireFence()
    {
        scheduler.beforeAccess();
        takePendingAcquires(me());
    }

    /** A full fence in every running actor, as membarrier(2) gives it. */
    void fenceEverywhere()
    {
        scheduler.beforeAccess();
        for (int i = 0; i < threads; i++)
        {
            join(fenced, seen[i]);
        }
        for (int i = 0; i < threads; i++)
        {
            join(seen[i], fenced);
            lastFence[i] = scheduler.step();
            tick(i);
        }
    }

    /** All actors come after the set-up, as threads come after the call that starts them. */
    void start()
    {
        final int setUp = threads - 1;
        for (int i = 0; i < setUp; i++)
        {
            join(happened[i], happened[setUp]);
            join(seen[i], seen[setUp]);
        }
        tick(setUp);
    }

    /** How far the running actor is, for {@link #hasHappened}. */
    int clock()
    {
        return happened[me()][me()];
    }

    /** Whether what {@code other} did up to {@code clock} happened before what the running actor does now. */
    boolean hasHappened(final int other, final int clock)
    {
        return clock <= happened[me()][other];
    }

    /**
     * While it is set, the running actor's ordered loads may race with plain stores, because it finds out afterwards
     * whether what it loaded was still there. What it may rely on is that it then sees at least what the storing actor
     * had seen: so do x86 and Arm v8, whose stores are multi-copy atomic.
     */
    void speculate(final boolean on)
    {
        speculative[me()] = on;
    }

    /** What the running actor knows, to be taken over by {@link #takeOver}: an ordering made outside of this memory. */
    int[] handOver()
    {
        final int me = me();
        final int[] token = Arrays.copyOf(happened[me], threads);
        tick(me);
        return token;
    }

    void takeOver(final int[] token)
    {
        final int me = me();
        join(happened[me], token);
        join(seen[me], token);
    }

    /** The running actor has proof that {@code other} is dead: all it stored is visible. */
    void takeOverFromDead(final int other)
    {
        takeOver(happened[other]);
    }

    /** Sets a cell before the run: every actor knows it. */
    void initialise(final int cell, final int initialValue)
    {
        value[cell] = initialValue;
    }

    /** The newest value of a cell, for checks outside of the actors. */
    int newest(final int cell)
    {
        return value[cell];
    }

    private void startFenceRelease(final int me)
    {
        System.arraycopy(happened[me], 0, fenceRelease[me], 0, threads);
        tick(me);
    }

    private void takePendingAcquires(final int me)
    {
        join(happened[me], pendingAcquire[me]);
        join(seen[me], pendingAcquire[me]);
    }

    private int plainLoad(final int me, final int cell)
    {
        final int by = writer[cell];
        if (by != me && writeClock[cell] > happened[me][by])
        {
            throw race("plain load", me, cell, node[cell] == null ? "plain store" : "ordered store", by);
        }
        plainRead[cell * threads + me] = happened[me][me];
        return value[cell];
    }

    private void plainStore(final int me, final int cell, final int newValue)
    {
        checkStore(me, cell, "plain store", true);
        value[cell] = newValue;
        writeClock[cell] = happened[me][me];
        writer[cell] = (byte) me;
        node[cell] = null;
    }

    private void checkStore(final int me, final int cell, final String what, final boolean plain)
    {
        final int[] known = happened[me];
        final int by = writer[cell];
        if (by != me && writeClock[cell] > known[by] && (plain || node[cell] == null))
        {
            throw race(what, me, cell, node[cell] == null ? "plain store" : "ordered store", by);
        }
        final int base = cell * threads;
        for (int i = 0; i < threads; i++)
        {
            if (plainRead[base + i] <= known[i] && atomicRead[base + i] <= known[i])
            {
                continue;
            }
            if (i != me && plainRead[base + i] > known[i])
            {
                throw race(what, me, cell, "plain load", i);
            }
            if (plain && i != me && atomicRead[base + i] > known[i])
            {
                throw race(what, me, cell, "ordered load", i);
            }
        }
    }

    private long atomicLoad(final int me, final int cell, final int size, final Order order)
    {
        Node chosen = node[cell];
        final int by = writer[cell];
        if (chosen == null || chosen.size != size)
        {
            if (speculative[me])
            {
                join(seen[me], seen[by]);
                return currentValue(cell, size);
            }
            if (by != me && writeClock[cell] > happened[me][by])
            {
                throw race("ordered load", me, cell, "plain store", by);
            }
            markAtomicRead(me, cell, size);
            return currentValue(cell, size);
        }
        if (chosen.previous != null && mayOverlook(me, chosen, order))
        {
            chosen = staleOf(me, cell, chosen, order);
        }
        if (chosen.plain && chosen.by != me && chosen.clock > happened[me][chosen.by])
        {
            if (speculative[me])
            {
                return chosen.value;
            }
            throw race("ordered load", me, cell, "plain store (overwritten since)", chosen.by);
        }
        markAtomicRead(me, cell, size);
        observe(me, chosen, order);
        return chosen.value;
    }

    /** Some actors see some words late for as long as it is allowed, others now and then, most of them never. */
    private Node staleOf(final int me, final int cell, final Node newest, final Order order)
    {
        final long line = cell < fieldCell ? cell >>> 5 : cell < dataCell ? (long) cell << 20 : -1;
        final long hash = (staleSalt ^ ((line * 64 + me) * 0x9E37_79B9_7F4A_7C15L)) * 0xD6E8_FEB8_6659_FD93L;
        final int lag = (int) (hash >>> 61);
        Node chosen = newest;
        while (chosen.previous != null && mayOverlook(me, chosen, order) &&
            (lag < 2 || (lag < 4 && (random.nextInt() & 3) == 0)))
        {
            chosen = chosen.previous;
        }
        return chosen;
    }

    private boolean mayOverlook(final int me, final Node newer, final Order order)
    {
        return newer.by != me &&
            (newer.seenBy & 1 << me) == 0 &&
            newer.clock > seen[me][newer.by] &&
            !(order == Order.VOLATILE && (newer.sequential || newer.clock <= fenced[newer.by])) &&
            !(newer.sequential && newer.step <= lastFence[me]) &&
            newer.step + staleSteps > scheduler.step();
    }

    private void atomicStore(
        final int me, final int cell, final int size, final long newValue, final Order order, final int[] continued)
    {
        for (int i = 0; i < size; i++)
        {
            checkStore(me, cell + i, "ordered store", false);
        }
        Node previous = node[cell];
        if (previous == null || previous.size != size)
        {
            previous = new Node(currentValue(cell, size), writer[cell], writeClock[cell], size, null, 0);
            previous.plain = true;
        }
        int[] release = null;
        if (order == Order.RELEASE || order == Order.VOLATILE)
        {
            release = Arrays.copyOf(happened[me], threads);
        }
        else if (fenceRelease[me][me] != 0)
        {
            release = Arrays.copyOf(fenceRelease[me], threads);
        }
        if (continued != null)
        {
            release = release == null ? Arrays.copyOf(continued, threads) : release;
            join(release, continued);
        }
        final Node stored = new Node(newValue, me, happened[me][me], size, release, scheduler.step());
        stored.sequential = order == Order.VOLATILE;
        stored.previous = previous;
        if (previous.previous != null && previous.step + staleSteps < scheduler.step())
        {
            previous.previous = null;
        }
        for (int i = 0; i < size; i++)
        {
            value[cell + i] = (int) (newValue >>> (32 * i));
            writeClock[cell + i] = happened[me][me];
            writer[cell + i] = (byte) me;
            node[cell + i] = stored;
        }
        tick(me);
    }

    private long readForUpdate(final int cell, final int size, final Order order)
    {
        final int me = me();
        final Node newest = node[cell];
        final int by = writer[cell];
        if (newest == null && by != me && writeClock[cell] > happened[me][by])
        {
            throw race("atomic update", me, cell, "plain store", by);
        }
        markAtomicRead(me, cell, size);
        if (newest != null)
        {
            observe(me, newest, order);
        }
        return currentValue(cell, size);
    }

    private void update(final int cell, final int size, final long newValue, final Order order)
    {
        final int[] release = node[cell] == null ? null : node[cell].release;
        atomicStore(me(), cell, size, newValue, order, release);
    }

    private void observe(final int me, final Node node, final Order order)
    {
        node.seenBy |= 1 << me;
        if (node.release == null)
        {
            return;
        }
        if (order == Order.OPAQUE)
        {
            join(pendingAcquire[me], node.release);
        }
        else
        {
            join(happened[me], node.release);
            join(seen[me], node.release);
        }
    }

    private void markAtomicRead(final int me, final int cell, final int size)
    {
        if (speculative[me])
        {
            return;
        }
        for (int i = 0; i < size; i++)
        {
            atomicRead[(cell + i) * threads + me] = happened[me][me];
        }
    }

    private long currentValue(final int cell, final int size)
    {
        return size == 1 ? value[cell] : (value[cell] & 0xFFFF_FFFFL) | (long) value[cell + 1] << 32;
    }

    private void tick(final int me)
    {
        happened[me][me]++;
        seen[me][me] = happened[me][me];
    }

    private int me()
    {
        return scheduler.current() == null ? threads - 1 : scheduler.current().id;
    }

    private static void join(final int[] into, final int[] from)
    {
        for (int i = 0; i < into.length; i++)
        {
            into[i] = Math.max(into[i], from[i]);
        }
    }

    private RaceError race(final String what, final int me, final int cell, final String with, final int other)
    {
        return new RaceError(what + " by " + name(me) + " races with " + with + " by " + name(other), cell);
    }

    private String name(final int id)
    {
        return id == threads - 1 ? "set-up" : scheduler.actors().get(id).name;
    }

    /** Two accesses that nothing orders. */
    static final class RaceError extends AssertionError
    {
        private static final long serialVersionUID = 1L;
        final int cell;

        RaceError(final String message, final int cell)
        {
            super(message);
            this.cell = cell;
        }
    }

    /** One store in the modification order of a cell (or of an aligned pair). */
    private static final class Node
    {
        final long value;
        final int by;
        final int clock;
        final int size;
        final int[] release;
        final long step;
        boolean plain;
        boolean sequential;
        int seenBy;
        Node previous;

        Node(final long value, final int by, final int clock, final int size, final int[] release, final long step)
        {
            this.value = value;
            this.by = by;
            this.clock = clock;
            this.size = size;
            this.release = release;
            this.step = step;
        }
    }
}

package io.gannet.ring.model;

import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;
import io.gannet.ring.model.WeakMemory.Order;
import io.gannet.ring.model.Weakening.Access;
import java.util.HashMap;
import java.util.Map;
import org.agrona.UnsafeApi;

/**
 * The memory of one ring as {@link WeakMemory} lets it behave; the scheduler may switch actors before any access.
 * Addresses inside of the ring are only names of cells; those outside (payload buffers) are the machine's.
 * The two mappings of the data are the same cells, as are those of a real ring.
 */
final class ModelMemory extends RingMemory
{
    private static final int COPY_CHUNKS = 3;
    private static final int FIELD_CELLS = 1 << 11;

    private final Scheduler scheduler;
    private final WeakMemory memory;
    private final Weakening weakening;
    private final long header;
    private final long data;
    private final int capacity;
    private final int headerCells;
    private final int dataCells;
    /** By actor: a release store that a compiler may let plain stores overtake, as the fence behind it is gone. */
    private final Map<Scheduler.Actor, HeldStore> held = new HashMap<>();
    private FieldModel fields;
    private ProcessMapping mapping;

    ModelMemory(final Scheduler scheduler, final int threads, final long header, final long data, final int capacity,
        final Weakening weakening)
    {
        this.scheduler = scheduler;
        this.header = header;
        this.data = data;
        this.capacity = capacity;
        this.weakening = weakening;
        headerCells = (RingLayout.SLOTS_OFFSET + RingLayout.MAX_SLOTS * RingLayout.SLOT_LENGTH) >> 2;
        dataCells = headerCells + FIELD_CELLS;
        memory = new WeakMemory(scheduler, threads, dataCells + (capacity >> 2), headerCells, dataCells);
    }

    /** Has the fields of woven classes share this memory's clocks. */
    FieldModel modelFields(final boolean membarrier)
    {
        fields = new FieldModel(scheduler, memory, headerCells, dataCells, weakening, membarrier);
        fields.use(this);
        return fields;
    }

    /** One process's mapping of the ring, whose end is to be watched. */
    ProcessMapping map(final String... actors)
    {
        mapping = new ProcessMapping(scheduler, memory, actors);
        return mapping;
    }

    WeakMemory cells()
    {
        return memory;
    }

    /** Sets a header word before the run. */
    void initialise(final long headerOffset, final long value)
    {
        memory.initialise((int) (headerOffset >> 2), (int) value);
        memory.initialise((int) (headerOffset >> 2) + 1, (int) (value >>> 32));
    }

    /** What is there in the end, as the kernel sees it when it compares a futex word. */
    int newestInt(final long address)
    {
        return memory.newest(cell(address, 4));
    }

    /** Bytes of the ring's header that a run may touch. */
    int headerLength()
    {
        return headerCells << 2;
    }

    @Override
    public int getInt(final long address)
    {
        return loadInt(address, Order.PLAIN);
    }

    @Override
    public long getLong(final long address)
    {
        return loadLong(address, Order.PLAIN);
    }

    @Override
    public void putInt(final long address, final int value)
    {
        storeInt(address, value, Order.PLAIN);
    }

    @Override
    public void putLong(final long address, final long value)
    {
        storeLong(address, value, Order.PLAIN);
    }

    @Override
    public int getIntAcquire(final long address)
    {
        return loadInt(address, Order.ACQUIRE);
    }

    @Override
    public long getLongAcquire(final long address)
    {
        return loadLong(address, Order.ACQUIRE);
    }

    @Override
    public int getIntOpaque(final long address)
    {
        return loadInt(address, Order.OPAQUE);
    }

    @Override
    public long getLongOpaque(final long address)
    {
        return loadLong(address, Order.OPAQUE);
    }

    @Override
    public long getLongVolatile(final long address)
    {
        return loadLong(address, Order.VOLATILE);
    }

    @Override
    public void putIntRelease(final long address, final int value)
    {
        storeInt(address, value, Order.RELEASE);
    }

    @Override
    public void putLongRelease(final long address, final long value)
    {
        storeLong(address, value, Order.RELEASE);
    }

    @Override
    public void putIntOpaque(final long address, final int value)
    {
        storeInt(address, value, Order.OPAQUE);
    }

    @Override
    public void putLongOpaque(final long address, final long value)
    {
        storeLong(address, value, Order.OPAQUE);
    }

    @Override
    public boolean compareAndSetLong(final long address, final long expected, final long value)
    {
        if (isAway())
        {
            return expected == 0;
        }
        storeHeld();
        final boolean done = memory.compareAndSetLong(cell(address, 8), expected, value, updateOrder(address));
        note("cas", address, value, done ? "done" : "refused");
        return done;
    }

    @Override
    public long getAndAddLong(final long address, final long delta)
    {
        storeHeld();
        final long old = memory.getAndAddLong(cell(address, 8), delta, updateOrder(address));
        note("add", address, old + delta, "");
        return old;
    }

    @Override
    public long getAndSetLong(final long address, final long value)
    {
        storeHeld();
        final long old = memory.getAndSetLong(cell(address, 8), value, updateOrder(address));
        note("swap", address, value, "");
        return old;
    }

    @Override
    public int getAndAddInt(final long address, final int delta)
    {
        storeHeld();
        return memory.getAndAddInt(cell(address, 4), delta, updateOrder(address));
    }

    @Override
    public void copy(final long source, final long target, final long length)
    {
        if (isAway())
        {
            return;
        }
        final boolean into = isInRing(target);
        if (into == isInRing(source))
        {
            if (into)
            {
                throw new AssertionError("ring to ring copy");
            }
            NativeMemory.INSTANCE.copy(source, target, length);
            return;
        }
        long from = 0;
        for (int i = 1; i <= COPY_CHUNKS; i++)
        {
            scheduler.beforeAccess();
            final long to = i == COPY_CHUNKS ? length : length * i / COPY_CHUNKS;
            if (into)
            {
                copyInto(source + from, target + from, to - from);
            }
            else
            {
                copyOut(source + from, target + from, to - from);
            }
            from = to;
        }
        note("copy", into ? target : source, length, "");
    }

    @Override
    public void copyFrom(final byte[] source, final long offset, final long target, final long length)
    {
        throw new UnsupportedOperationException("the model copies from direct buffers");
    }

    @Override
    public void setMemory(final long address, final long length, final byte value)
    {
        if (value != 0 || ((address | length) & 3) != 0)
        {
            throw new AssertionError("setMemory of " + length + " bytes to " + value);
        }
        if (isAway())
        {
            return;
        }
        long from = 0;
        for (int i = 1; i <= COPY_CHUNKS; i++)
        {
            scheduler.beforeAccess();
            final long to = i == COPY_CHUNKS ? length : (length * i / COPY_CHUNKS) & ~3L;
            for (long at = from; at < to; at += 4)
            {
                memory.bulkStore(cell(address + at, 4), -1, 0);
            }
            from = to;
        }
        note("zero", address, length, "");
    }

    @Override
    public void fullFence()
    {
        if (!weakening.drops(Access.FENCE, actor()))
        {
            storeHeld();
            memory.fullFence();
        }
        scheduler.note("full fence");
    }

    @Override
    public void fenceEverywhere()
    {
        if (!weakening.drops(Access.MEMBARRIER, actor()))
        {
            storeHeld();
            memory.fenceEverywhere();
        }
        scheduler.note("fence everywhere");
    }

    @Override
    public void storeStoreFence()
    {
        if (!weakening.drops(Access.RELEASE_FENCE, actor()))
        {
            storeHeld();
            memory.releaseFence();
        }
    }

    @Override
    public void acquireFence()
    {
        if (!weakening.drops(Access.ACQUIRE_FENCE, actor()))
        {
            storeHeld();
            memory.acquireFence();
        }
    }

    /** The place that an error is about, in the ring's terms. */
    String place(final int cell)
    {
        final String field = fields == null ? null : fields.place(cell);
        return field != null ? field : cell < headerCells ? Word.at(cell * 4L) + " at header offset " + cell * 4L :
            "DATA at offset " + (cell - dataCells) * 4L;
    }

    private int loadInt(final long address, final Order order)
    {
        if (isAway())
        {
            return 0;
        }
        storeHeld();
        final int value = memory.loadInt(cell(address, 4), weakened(Access.LOAD, address, order));
        note("load", address, value, order);
        return value;
    }

    private long loadLong(final long address, final Order order)
    {
        if (isAway())
        {
            return 0;
        }
        storeHeld();
        final long value = memory.loadLong(cell(address, 8), weakened(Access.LOAD, address, order));
        note("load", address, value, order);
        return value;
    }

    private void storeInt(final long address, final int value, final Order order)
    {
        if (isAway())
        {
            return;
        }
        if (order != Order.PLAIN)
        {
            storeHeld();
        }
        memory.storeInt(cell(address, 4), value, weakened(Access.STORE, address, order));
        note("store", address, value, order);
    }

    private void storeLong(final long address, final long value, final Order order)
    {
        if (isAway())
        {
            return;
        }
        if (order != Order.PLAIN)
        {
            storeHeld();
        }
        if (order == Order.RELEASE && weakening.drops(Access.RELEASE_FENCE, actor()) &&
            scheduler.random().nextBoolean())
        {
            held.put(scheduler.current(), new HeldStore(address, value));
            note("hold", address, value, order);
            return;
        }
        memory.storeLong(cell(address, 8), value, weakened(Access.STORE, address, order));
        note("store", address, value, order);
    }

    /** What overtook it were plain stores; an actor that dies before this has not stored it. */
    private void storeHeld()
    {
        if (held.isEmpty())
        {
            return;
        }
        final HeldStore store = held.remove(scheduler.current());
        if (store != null)
        {
            memory.storeLong(cell(store.address, 8), store.value, weakened(Access.STORE, store.address, Order.RELEASE));
            note("store", store.address, store.value, "held");
        }
    }

    private void copyInto(final long source, final long target, final long length)
    {
        long i = 0;
        while (i < length)
        {
            final int cell = cell((target + i) & ~3L, 4);
            final int shift = ((int) (target + i) & 3) * 8;
            if (shift == 0 && i + 4 <= length)
            {
                memory.bulkStore(cell, -1, UnsafeApi.getInt(source + i));
                i += 4;
            }
            else
            {
                memory.bulkStore(cell, 0xFF << shift, (UnsafeApi.getByte(source + i) & 0xFF) << shift);
                i++;
            }
        }
    }

    private void copyOut(final long source, final long target, final long length)
    {
        long i = 0;
        while (i < length)
        {
            final int value = memory.bulkLoad(cell((source + i) & ~3L, 4));
            final int shift = ((int) (source + i) & 3) * 8;
            if (shift == 0 && i + 4 <= length)
            {
                UnsafeApi.putInt(target + i, value);
                i += 4;
            }
            else
            {
                UnsafeApi.putByte(target + i, (byte) (value >>> shift));
                i++;
            }
        }
    }

    /** Whether there are private zeroes in place of the ring for the running actor. */
    private boolean isAway()
    {
        return mapping != null && mapping.isAway();
    }

    private Order weakened(final Access access, final long address, final Order order)
    {
        return weakening.sites().isEmpty() ? order : weakening.apply(access, word(address), actor(), order);
    }

    private Order updateOrder(final long address)
    {
        return weakened(Access.UPDATE, address, Order.VOLATILE);
    }

    private String actor()
    {
        return scheduler.current() == null ? "set-up" : scheduler.current().name;
    }

    private boolean isInRing(final long address)
    {
        return isData(address) || (address >= header && address < header + 4L * headerCells);
    }

    private boolean isData(final long address)
    {
        return address >= data && address < data + 2L * capacity;
    }

    private Word word(final long address)
    {
        return isData(address) ? Word.DATA : Word.at(address - header);
    }

    private int cell(final long address, final int size)
    {
        if ((address & (size - 1)) != 0)
        {
            throw new AssertionError("misaligned access of " + size + " bytes at " + Long.toHexString(address));
        }
        if (isData(address))
        {
            return dataCells + (int) (((address - data) & (capacity - 1)) >> 2);
        }
        if (address >= header && address + size <= header + 4L * headerCells)
        {
            return (int) ((address - header) >> 2);
        }
        throw new AssertionError("access outside of the ring: " + (address - data) + " from its data");
    }

    private void note(final String what, final long address, final long value, final Object how)
    {
        if (scheduler.traced())
        {
            scheduler.note(what + ' ' + place(cell(address & ~3L, 4)) + " = " + value + ' ' + how);
        }
    }

    private record HeldStore(long address, long value)
    {
    }
}

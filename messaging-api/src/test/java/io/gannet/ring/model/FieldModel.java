package io.gannet.ring.model;

import io.gannet.os.NamedPipe;
import io.gannet.ring.model.WeakMemory.Order;
import io.gannet.ring.model.Weakening.Access;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The fields of objects, and words of small files, as {@link WeakMemory} lets them behave. The static methods are what
 * {@link Weaver} puts in place of accesses, fences, monitors and waits of the shipped classes; {@code order} is the
 * {@link #code} of an {@link Order}. A field's name is its class's and its own; a monitor's is its object's class.
 * <p>
 * One run at a time. Plain accesses are no steps of the scheduler: races show wherever it switches.
 */
public final class FieldModel
{
    private static final Order[] ORDERS = Order.values();
    private static final IdentityHashMap<VarHandle, String> NAMES = new IdentityHashMap<>();
    private static final int CELLS_OUTSIDE = 1 << 12;
    private static final String PLACED = "placed";
    private static FieldModel current = outside();

    private final Scheduler scheduler;
    private final WeakMemory memory;
    private final Weakening weakening;
    private final boolean membarrier;
    private final int first;
    private final int end;
    private int next;
    private final String[] names;
    private final IdentityHashMap<Object, Map<Object, Integer>> cellOfField = new IdentityHashMap<>();
    private final Map<Object, Integer> cellOfWord = new HashMap<>();
    private final List<Object> objects = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> idOfObject = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Monitor> monitors = new IdentityHashMap<>();
    private final Map<Integer, Thread> threads = new HashMap<>();
    private final Set<NamedPipe> signalled = new HashSet<>();
    private final Set<Long> rung = new HashSet<>();
    private ModelMemory ringMemory;

    /** A lock of one object. */
    private static final class Monitor
    {
        private int owner = -1;
        private int depth;
        private int[] left;
    }

    /** @param membarrier whether the rare side of {@code HotFence} fences for the hot one. */
    FieldModel(final Scheduler scheduler, final WeakMemory memory, final int first, final int end,
        final Weakening weakening, final boolean membarrier)
    {
        this.scheduler = scheduler;
        this.memory = memory;
        this.weakening = weakening;
        this.membarrier = membarrier;
        this.first = first;
        this.end = end;
        next = first;
        names = new String[(end - first) >> 1];
        objects.add(null);
    }

    private static FieldModel outside()
    {
        final Scheduler scheduler = new Scheduler(0, Long.MAX_VALUE, false);
        return new FieldModel(scheduler, new WeakMemory(scheduler, 1, CELLS_OUTSIDE, 0, CELLS_OUTSIDE), 0,
            CELLS_OUTSIDE, Weakening.NONE, true);
    }

    /** What stands for an order in calls from woven code. */
    static int code(final Order order)
    {
        return List.of(ORDERS).indexOf(order);
    }

    /** Makes this the model of what runs from now on. */
    void use(final ModelMemory ring)
    {
        ringMemory = ring;
        current = this;
    }

    /** The name of a field. */
    String place(final int cell)
    {
        return cell >= first && cell < end ? names[(cell - first) >> 1] : null;
    }

    private static String actor()
    {
        return current.scheduler.current() == null ? "set-up" : current.scheduler.current().name;
    }

    private int cell(final Object object, final Object key, final String name, final long initial)
    {
        final Map<Object, Integer> cells =
            object == null ? cellOfWord : cellOfField.computeIfAbsent(object, o -> new HashMap<>());
        final Integer known = cells.get(key);
        if (known != null)
        {
            return known;
        }
        if (next + 2 > end)
        {
            throw new AssertionError("the model has no cell for " + name);
        }
        final int cell = next;
        next += 2;
        cells.put(key, cell);
        names[(cell - first) >> 1] = name;
        memory.initialise(cell, (int) initial);
        memory.initialise(cell + 1, (int) (initial >>> 32));
        return cell;
    }

    private int load(final int cell, final String name, final int order)
    {
        final Order asked = ORDERS[order];
        if (asked == Order.PLAIN)
        {
            return memory.bulkLoad(cell);
        }
        final int value = memory.loadInt(cell, weakening.apply(Access.LOAD, name, actor(), asked));
        note("load", name, value, asked);
        return value;
    }

    private long loadWide(final int cell, final String name, final int order)
    {
        final Order asked = ORDERS[order];
        if (asked == Order.PLAIN)
        {
            return (memory.bulkLoad(cell) & 0xFFFF_FFFFL) | (long) memory.bulkLoad(cell + 1) << 32;
        }
        final long value = memory.loadLong(cell, weakening.apply(Access.LOAD, name, actor(), asked));
        note("load", name, value, asked);
        return value;
    }

    private void store(final int cell, final String name, final int value, final int order)
    {
        final Order asked = ORDERS[order];
        if (asked == Order.PLAIN)
        {
            memory.bulkStore(cell, -1, value);
            return;
        }
        memory.storeInt(cell, value, weakening.apply(Access.STORE, name, actor(), asked));
        note("store", name, value, asked);
    }

    private void storeWide(final int cell, final String name, final long value, final int order)
    {
        final Order asked = ORDERS[order];
        if (asked == Order.PLAIN)
        {
            memory.bulkStore(cell, -1, (int) value);
            memory.bulkStore(cell + 1, -1, (int) (value >>> 32));
            return;
        }
        memory.storeLong(cell, value, weakening.apply(Access.STORE, name, actor(), asked));
        note("store", name, value, asked);
    }

    private Order updateOrder(final String name)
    {
        return weakening.apply(Access.UPDATE, name, actor(), Order.VOLATILE);
    }

    private void note(final String what, final String name, final long value, final Order order)
    {
        if (scheduler.traced())
        {
            scheduler.note(what + ' ' + name + " = " + value + ' ' + order);
        }
    }

    private int id(final Object object)
    {
        if (object == null)
        {
            return 0;
        }
        return idOfObject.computeIfAbsent(object, o ->
        {
            objects.add(o);
            return objects.size() - 1;
        });
    }

    public static int getInt(final Object object, final String name, final int order)
    {
        return current.load(current.cell(object, name, name, 0), name, order);
    }

    public static long getLong(final Object object, final String name, final int order)
    {
        return current.loadWide(current.cell(object, name, name, 0), name, order);
    }

    public static boolean getBoolean(final Object object, final String name, final int order)
    {
        return getInt(object, name, order) != 0;
    }

    public static Object getReference(final Object object, final String name, final int order)
    {
        return current.objects.get(getInt(object, name, order));
    }

    public static void putInt(final Object object, final int value, final String name, final int order)
    {
        current.store(current.cell(object, name, name, 0), name, value, order);
    }

    public static void putLong(final Object object, final long value, final String name, final int order)
    {
        current.storeWide(current.cell(object, name, name, 0), name, value, order);
    }

    public static void putBoolean(final Object object, final boolean value, final String name, final int order)
    {
        putInt(object, value ? 1 : 0, name, order);
    }

    public static void putReference(final Object object, final Object value, final String name, final int order)
    {
        putInt(object, current.id(value), name, order);
    }

    public static long getElement(final long[] array, final int index)
    {
        return current.loadWide(current.cell(array, index, "element", 0), "element", 0);
    }

    public static void putElement(final long[] array, final int index, final long value)
    {
        current.storeWide(current.cell(array, index, "element", 0), "element", value, 0);
    }

    public static int getElement(final int[] array, final int index)
    {
        return current.load(current.cell(array, index, "element", 0), "element", 0);
    }

    public static void putElement(final int[] array, final int index, final int value)
    {
        current.store(current.cell(array, index, "element", 0), "element", value, 0);
    }

    public static int getElement(final byte[] array, final int index)
    {
        return current.load(current.cell(array, index, "element", 0), "element", 0);
    }

    public static void putElement(final byte[] array, final int index, final int value)
    {
        current.store(current.cell(array, index, "element", 0), "element", (byte) value, 0);
    }

    /** In place of a release store of a NIC to registered memory. */
    public static void putLongReleaseTo(final Object base, final long address, final long value)
    {
        current.storeWide(current.wordCell(address, PLACED, 0), PLACED, value, code(Order.RELEASE));
    }

    /** In place of a copy of a NIC to registered memory, of whole words. */
    public static void copyMemoryTo(
        final Object from, final long offset, final Object to, final long target, final long count)
    {
        for (long at = 0; at < count; at += Long.BYTES)
        {
            current.storeWide(current.wordCell(target + at, PLACED, 0), PLACED,
                UnsafeApi.getLong(from, offset + at), code(Order.PLAIN));
        }
    }

    /** In place of a look-up of a handle to a field. */
    public static VarHandle findVarHandle(
        final MethodHandles.Lookup lookup, final Class<?> owner, final String field, final Class<?> type)
        throws ReflectiveOperationException
    {
        final VarHandle handle = lookup.findVarHandle(owner, field, type);
        NAMES.put(handle, owner.getName().substring(owner.getName().lastIndexOf('.') + 1) + '.' + field);
        return handle;
    }

    public static long handleGetLong(final VarHandle handle, final Object object, final int order)
    {
        return getLong(object, NAMES.get(handle), order);
    }

    public static boolean handleGetBoolean(final VarHandle handle, final Object object, final int order)
    {
        return getBoolean(object, NAMES.get(handle), order);
    }

    public static Object handleGetReference(final VarHandle handle, final Object object, final int order)
    {
        return getReference(object, NAMES.get(handle), order);
    }

    public static void handlePutLong(final VarHandle handle, final Object object, final long value, final int order)
    {
        putLong(object, value, NAMES.get(handle), order);
    }

    public static void handlePutBoolean(
        final VarHandle handle, final Object object, final boolean value, final int order)
    {
        putBoolean(object, value, NAMES.get(handle), order);
    }

    public static long getOpaque(final AtomicLongArray array, final int index)
    {
        return current.loadWide(current.cell(array, index, "element", 0), "element", code(Order.OPAQUE));
    }

    public static void setOpaque(final AtomicLongArray array, final int index, final long value)
    {
        current.storeWide(current.cell(array, index, "element", 0), "element", value, code(Order.OPAQUE));
    }

    public static boolean handleCompareAndSet(
        final VarHandle handle, final Object object, final long expected, final long value)
    {
        final String name = NAMES.get(handle);
        return current.memory.compareAndSetLong(
            current.cell(object, name, name, 0), expected, value, current.updateOrder(name));
    }

    public static void handlePutReference(
        final VarHandle handle, final Object object, final Object value, final int order)
    {
        putReference(object, value, NAMES.get(handle), order);
    }

    /** Of a word in a segment that is its owner's alone; {@code owner} names it. */
    public static int segmentGet(
        final VarHandle handle, final MemorySegment segment, final long offset, final String owner, final int order)
    {
        return current.load(current.wordCell(segment.address() + offset, owner, 0), owner, order);
    }

    /** As {@link #segmentGet}, an addition. */
    public static void segmentAdd(
        final VarHandle handle, final MemorySegment segment, final long offset, final int delta, final String owner)
    {
        current.memory.getAndAddInt(
            current.wordCell(segment.address() + offset, owner, 0), delta, current.updateOrder(owner));
    }

    private int wordCell(final Object key, final String name, final long initial)
    {
        return cell(null, key, name, initial);
    }

    public static boolean flagGet(final AtomicBoolean flag, final String owner)
    {
        return getBoolean(flag, owner + ".AtomicBoolean", code(Order.VOLATILE));
    }

    public static void flagSet(final AtomicBoolean flag, final boolean value, final String owner)
    {
        putBoolean(flag, value, owner + ".AtomicBoolean", code(Order.VOLATILE));
    }

    public static boolean flagCompareAndSet(
        final AtomicBoolean flag, final boolean expected, final boolean value, final String owner)
    {
        final String name = owner + ".AtomicBoolean";
        return current.memory.compareAndSetInt(current.cell(flag, name, name, flag.getPlain() ? 1 : 0),
            expected ? 1 : 0, value ? 1 : 0, current.updateOrder(name));
    }

    public static void fullFence()
    {
        if (!current.weakening.drops(Access.FENCE, actor()))
        {
            current.memory.fullFence();
        }
        current.scheduler.note("full fence");
    }

    public static void membarrier()
    {
        if (!current.weakening.drops(Access.MEMBARRIER, actor()))
        {
            current.memory.fenceEverywhere();
        }
        current.scheduler.note("membarrier");
    }

    /** In place of the constant that says so of this machine. */
    public static boolean isByMembarrier()
    {
        return current.membarrier;
    }

    /** In place of a monitor's enter. */
    public static void enter(final Object object)
    {
        final FieldModel model = current;
        if (model.scheduler.current() == null || model.weakening.dropsMonitor(nameOf(object), actor()))
        {
            return;
        }
        model.scheduler.beforeAccess();
        final int me = model.scheduler.current().id;
        final Monitor monitor = model.monitors.computeIfAbsent(object, o -> new Monitor());
        while (monitor.owner >= 0 && monitor.owner != me)
        {
            model.scheduler.idle();
        }
        monitor.owner = me;
        monitor.depth++;
        if (monitor.left != null)
        {
            model.memory.takeOver(monitor.left);
        }
    }

    /** In place of a monitor's exit. */
    public static void exit(final Object object)
    {
        final FieldModel model = current;
        final Monitor monitor = model.monitors.get(object);
        if (model.scheduler.current() == null || monitor == null ||
            model.weakening.dropsMonitor(nameOf(object), actor()))
        {
            return;
        }
        if (--monitor.depth == 0)
        {
            monitor.left = model.memory.handOver();
            monitor.owner = -1;
        }
    }

    private static String nameOf(final Object object)
    {
        return object.getClass().getSimpleName();
    }

    /** In place of the thread that runs: each actor has one of its own. */
    public static Thread currentThread()
    {
        final Scheduler.Actor actor = current.scheduler.current();
        return actor == null ? Thread.currentThread() :
            current.threads.computeIfAbsent(actor.id, id -> Thread.ofPlatform().name(actor.name).unstarted(() -> { }));
    }

    /** The same in each run of a seed, as the real one isn't. */
    public static long threadId(final Thread thread)
    {
        final Scheduler.Actor actor = current.scheduler.current();
        return actor == null ? 0 : actor.id;
    }

    public static void spin()
    {
        if (current.scheduler.current() != null)
        {
            current.scheduler.idle();
        }
    }

    /** In place of a sleep on a futex: for ever, so that a wake-up that is lost stops the run. */
    public static boolean futexAwait(final long address, final int value, final long timeout)
    {
        return futexAwaitAny(new long[]{address}, new int[]{value}, 1, timeout);
    }

    /** As {@link #futexAwait}, on several words. */
    public static boolean futexAwaitAny(
        final long[] addresses, final int[] values, final int count, final long timeout)
    {
        final FieldModel model = current;
        model.scheduler.beforeAccess();
        for (int i = 0; i < count; i++)
        {
            model.rung.remove(addresses[i]);
            if (model.newest(addresses[i]) != values[i])
            {
                return true;
            }
        }
        model.scheduler.note("sleeps");
        while (true)
        {
            model.scheduler.idle();
            for (int i = 0; i < count; i++)
            {
                if (model.rung.contains(addresses[i]))
                {
                    return true;
                }
            }
        }
    }

    public static int futexWake(final long address, final int count)
    {
        current.rung.add(address);
        current.scheduler.note("wakes");
        return 1;
    }

    /** In place of a write to a pipe. */
    public static void signal(final NamedPipe pipe)
    {
        current.signalled.add(pipe);
    }

    static void awaitSignal(final NamedPipe pipe)
    {
        while (!current.signalled.remove(pipe))
        {
            current.scheduler.idle();
        }
    }

    private int newest(final long address)
    {
        final Integer cell = cellOfWord.get(address);
        return cell != null ? memory.newest(cell) : ringMemory.newestInt(address);
    }

    private int bufferCell(final UnsafeBuffer buffer, final int offset, final String owner, final boolean wide)
    {
        // A file is mapped at several addresses, and each world has one of a kind; other words have one address.
        final Object key = owner.endsWith("File") ? owner + '@' + offset : (Object) (buffer.addressOffset() + offset);
        return wordCell(key, bufferName(offset, owner), wide ? buffer.getLong(offset) : buffer.getInt(offset));
    }

    private static String bufferName(final int offset, final String owner)
    {
        return owner.endsWith("File") ? owner + '@' + offset : owner;
    }

    public static int bufferGetInt(
        final UnsafeBuffer buffer, final int offset, final String owner, final int order)
    {
        return current.load(current.bufferCell(buffer, offset, owner, false), bufferName(offset, owner), order);
    }

    public static long bufferGetLong(
        final UnsafeBuffer buffer, final int offset, final String owner, final int order)
    {
        return current.loadWide(current.bufferCell(buffer, offset, owner, true), bufferName(offset, owner), order);
    }

    public static void bufferPutInt(
        final UnsafeBuffer buffer, final int offset, final int value, final String owner, final int order)
    {
        current.store(current.bufferCell(buffer, offset, owner, false), bufferName(offset, owner), value, order);
    }

    public static void bufferPutLong(
        final UnsafeBuffer buffer, final int offset, final long value, final String owner, final int order)
    {
        current.storeWide(current.bufferCell(buffer, offset, owner, true), bufferName(offset, owner), value, order);
    }

    public static boolean bufferCompareAndSetInt(
        final UnsafeBuffer buffer, final int offset, final int expected, final int value, final String owner)
    {
        return current.memory.compareAndSetInt(current.bufferCell(buffer, offset, owner, false), expected, value,
            current.updateOrder(bufferName(offset, owner)));
    }

    public static long bufferGetAndAddLong(
        final UnsafeBuffer buffer, final int offset, final long delta, final String owner)
    {
        return current.memory.getAndAddLong(current.bufferCell(buffer, offset, owner, true), delta,
            current.updateOrder(bufferName(offset, owner)));
    }

    /** A run of bytes: written as it is, and its first word stands for all in the model. */
    public static void bufferPutBytes(
        final UnsafeBuffer buffer, final int offset, final byte[] bytes, final String owner)
    {
        bufferPutInt(buffer, offset, bytes.length, owner, 0);
        buffer.putBytes(offset, bytes);
    }

    public static void bufferGetBytes(
        final UnsafeBuffer buffer, final int offset, final byte[] bytes, final String owner)
    {
        bufferGetInt(buffer, offset, owner, 0);
        buffer.getBytes(offset, bytes);
    }

    public static void bufferSetMemory(
        final UnsafeBuffer buffer, final int offset, final int length, final byte value, final String owner)
    {
        bufferPutInt(buffer, offset, value, owner, 0);
        buffer.setMemory(offset, length, value);
    }

    /** A store that stands for what a class outside of the model publishes. */
    static void storeWord(final String name, final int value, final Order order)
    {
        current.store(current.wordCell(name, name, 0), name, value, code(order));
    }

    static int loadWord(final String name, final Order order)
    {
        return current.load(current.wordCell(name, name, 0), name, code(order));
    }

    static long loadWideWord(final long address, final String name, final Order order)
    {
        return current.loadWide(current.wordCell(address, name, 0), name, code(order));
    }

    /** The newest value of a word, for checks at the end. */
    static long newestWord(final long address)
    {
        final int cell = current.cellOfWord.get(address);
        return (current.memory.newest(cell) & 0xFFFF_FFFFL) | (long) current.memory.newest(cell + 1) << 32;
    }
}

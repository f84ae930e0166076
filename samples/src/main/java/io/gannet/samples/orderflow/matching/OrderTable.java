package io.gannet.samples.orderflow.matching;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.agrona.collections.Int2IntHashMap;

/**
 * Every live order of the engine, in preallocated columns, found by OrderID, by session and ClOrdID, or along the list
 * of its session, oldest first. An OrderID carries its slot in the low 20 bits, so that it needs no look-up. Not
 * thread-safe; allocates only for a session's first order, and when the orders outgrow the index.
 */
final class OrderTable
{
    static final int NONE = -1;
    static final int SLOT_BITS = 20;
    static final int MAX_CAPACITY = 1 << SLOT_BITS;

    private static final int SLOT_MASK = MAX_CAPACITY - 1;
    private static final int LEAST_INDEX = 1 << 14;

    final long[] orderId;
    final long[] clOrdId;
    final long[] smpId;
    final int[] session;
    final int[] instrument;
    final int[] quantity;
    final int[] cumulated;
    final boolean[] buy;
    /** Never takes, as its owner wants. */
    final boolean[] makesOnly;
    final byte[] timeInForce;
    final byte[] smpInstruction;
    private final int[] next;
    private final int[] previous;
    /** Slots by session and ClOrdID; as small as its orders allow, as each look-up goes elsewhere in it. */
    private int[] index;
    private int indexMask;
    private int indexShift;
    private final Int2IntHashMap sessionIndex = new Int2IntHashMap(1024, 0.5f, NONE);
    private int[] head = new int[1024];
    private int[] tail = new int[1024];
    private int[] open = new int[1024];
    private int freeHead = NONE;
    private int used;
    private int size;
    private long lastNumber;

    OrderTable(final int capacity)
    {
        if (capacity < 1 || capacity > MAX_CAPACITY)
        {
            throw new IllegalArgumentException("room for " + capacity + " orders; 1 to " + MAX_CAPACITY +
                " are possible");
        }
        orderId = new long[capacity];
        clOrdId = new long[capacity];
        smpId = new long[capacity];
        session = new int[capacity];
        instrument = new int[capacity];
        quantity = new int[capacity];
        cumulated = new int[capacity];
        buy = new boolean[capacity];
        makesOnly = new boolean[capacity];
        timeInForce = new byte[capacity];
        smpInstruction = new byte[capacity];
        next = new int[capacity];
        previous = new int[capacity];
        emptyIndex(LEAST_INDEX);
    }

    int size()
    {
        return size;
    }

    boolean isFull()
    {
        return size == orderId.length;
    }

    /** A slot for a new order of a session, with a new OrderID; there must be room, and the ClOrdID must be free. */
    int add(final int sessionId, final long clientId)
    {
        final int slot;
        if (freeHead != NONE)
        {
            slot = freeHead;
            freeHead = next[slot];
        }
        else
        {
            slot = used++;
        }
        orderId[slot] = ++lastNumber << SLOT_BITS | slot;
        session[slot] = sessionId;
        clOrdId[slot] = clientId;
        cumulated[slot] = 0;
        reserveIndex();
        insertIndex(slot);
        link(slot);
        size++;
        return slot;
    }

    void remove(final int slot)
    {
        removeIndex(slot);
        unlink(slot);
        orderId[slot] = 0;
        next[slot] = freeHead;
        freeHead = slot;
        size--;
    }

    /** Slot of a live order, or NONE. */
    int byOrderId(final long id)
    {
        final int slot = (int) id & SLOT_MASK;
        return slot < used && orderId[slot] == id && id != 0 ? slot : NONE;
    }

    /** Slot of the order that carries this id in the book. */
    static int slotOf(final long id)
    {
        return (int) id & SLOT_MASK;
    }

    int byClOrdId(final int sessionId, final long clientId)
    {
        int at = home(sessionId, clientId);
        while (index[at] != NONE)
        {
            final int slot = index[at];
            if (session[slot] == sessionId && clOrdId[slot] == clientId)
            {
                return slot;
            }
            at = (at + 1) & indexMask;
        }
        return NONE;
    }

    void rename(final int slot, final long clientId)
    {
        removeIndex(slot);
        clOrdId[slot] = clientId;
        insertIndex(slot);
    }

    /** Oldest order of a session, or NONE. */
    int firstOf(final int sessionId)
    {
        final int at = sessionIndex.get(sessionId);
        return at == NONE ? NONE : head[at];
    }

    /** The order of the same session that came after this one, or NONE. */
    int nextOf(final int slot)
    {
        return next[slot];
    }

    /** Live orders of a session. */
    int openOf(final int sessionId)
    {
        final int at = sessionIndex.get(sessionId);
        return at == NONE ? 0 : open[at];
    }

    private int home(final int sessionId, final long clientId)
    {
        return home(sessionId, clientId, indexShift);
    }

    /**
     * Where an order belongs in an index of 2^(64 - shift) places. Sessions number alike, and numbers may differ in any
     * of their bits: each bit of both changes about half of the upper ones.
     */
    static int home(final int sessionId, final long clientId, final int shift)
    {
        long hash = clientId + sessionId * 0xC2B2_AE3D_27D4_EB4FL;
        hash = (hash ^ (hash >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
        hash = (hash ^ (hash >>> 29)) * 0xD6E8_FEB8_6659_FD93L;
        return (int) (hash >>> shift);
    }

    private void emptyIndex(final int length)
    {
        index = new int[length];
        indexMask = length - 1;
        indexShift = Long.numberOfLeadingZeros(indexMask);
        Arrays.fill(index, NONE);
    }

    /** With room for one more at a load of at most a half. */
    private void reserveIndex()
    {
        if (size >= index.length / 2)
        {
            final int[] old = index;
            emptyIndex(old.length * 2);
            for (final int slot : old)
            {
                if (slot != NONE)
                {
                    insertIndex(slot);
                }
            }
        }
    }

    private void insertIndex(final int slot)
    {
        int at = home(session[slot], clOrdId[slot]);
        while (index[at] != NONE)
        {
            at = (at + 1) & indexMask;
        }
        index[at] = slot;
    }

    /** Closes the gap by moving back what the gap would hide (Knuth 6.4, algorithm R). */
    private void removeIndex(final int slot)
    {
        int gap = home(session[slot], clOrdId[slot]);
        while (index[gap] != slot)
        {
            gap = (gap + 1) & indexMask;
        }
        int at = gap;
        while (true)
        {
            at = (at + 1) & indexMask;
            final int moved = index[at];
            if (moved == NONE)
            {
                break;
            }
            final int home = home(session[moved], clOrdId[moved]);
            if (((at - home) & indexMask) >= ((at - gap) & indexMask))
            {
                index[gap] = moved;
                gap = at;
            }
        }
        index[gap] = NONE;
    }

    private void link(final int slot)
    {
        int at = sessionIndex.get(session[slot]);
        if (at == NONE)
        {
            at = newSession(session[slot]);
        }
        next[slot] = NONE;
        previous[slot] = tail[at];
        if (tail[at] == NONE)
        {
            head[at] = slot;
        }
        else
        {
            next[tail[at]] = slot;
        }
        tail[at] = slot;
        open[at]++;
    }

    private int newSession(final int sessionId)
    {
        final int at = sessionIndex.size();
        if (at == head.length)
        {
            head = Arrays.copyOf(head, at * 2);
            tail = Arrays.copyOf(tail, at * 2);
            open = Arrays.copyOf(open, at * 2);
        }
        sessionIndex.put(sessionId, at);
        head[at] = NONE;
        tail[at] = NONE;
        open[at] = 0;
        return at;
    }

    private void unlink(final int slot)
    {
        final int at = sessionIndex.get(session[slot]);
        if (previous[slot] == NONE)
        {
            head[at] = next[slot];
        }
        else
        {
            next[previous[slot]] = next[slot];
        }
        if (next[slot] == NONE)
        {
            tail[at] = previous[slot];
        }
        else
        {
            previous[next[slot]] = previous[slot];
        }
        open[at]--;
    }

    /** Every live order, session by session, oldest first. */
    void forEach(final IntConsumer action)
    {
        for (int at = 0; at < sessionIndex.size(); at++)
        {
            for (int slot = head[at]; slot != NONE; slot = next[slot])
            {
                action.accept(slot);
            }
        }
    }

    /** What a snapshot keeps beside the orders: the numbering and which slots come next. */
    void save(final StateWriter out)
    {
        out.putLong(lastNumber);
        out.putInt(used);
        int free = 0;
        for (int slot = freeHead; slot != NONE; slot = next[slot])
        {
            free++;
        }
        out.putInt(free);
        for (int slot = freeHead; slot != NONE; slot = next[slot])
        {
            out.putInt(slot);
        }
    }

    /** The counterpart of {@link #save}, on an empty table; orders follow by {@link #restore}. */
    void load(final StateReader in)
    {
        lastNumber = in.getLong();
        used = in.getInt();
        final int free = in.getInt();
        int last = NONE;
        for (int i = 0; i < free; i++)
        {
            final int slot = in.getInt();
            if (last == NONE)
            {
                freeHead = slot;
            }
            else
            {
                next[last] = slot;
            }
            next[slot] = NONE;
            last = slot;
        }
    }

    /** Puts an order back into its slot; within a session, oldest first. */
    int restore(final long id, final int sessionId, final long clientId)
    {
        final int slot = slotOf(id);
        orderId[slot] = id;
        session[slot] = sessionId;
        clOrdId[slot] = clientId;
        reserveIndex();
        insertIndex(slot);
        link(slot);
        size++;
        return slot;
    }
}

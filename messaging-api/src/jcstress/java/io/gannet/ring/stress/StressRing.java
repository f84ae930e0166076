package io.gannet.ring.stress;

import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;
import io.gannet.ring.stress.DelayingMemory.Weakened;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rings for stress tests, made once per JVM and reset for each state. The system property {@code gannet.weakened}
 * (store, load or fence) takes away the order that a test is about; without it actors use what ships.
 */
public final class StressRing
{
    static final int CAPACITY = RingLayout.MIN_CAPACITY;
    private static final int RINGS = 256;
    private static final int HEADER_BYTES = RingLayout.SLOTS_OFFSET + RingLayout.MAX_SLOTS * RingLayout.SLOT_LENGTH;
    private static final String WEAKENED = System.getProperty("gannet.weakened", "");
    private static final RingMemory NATIVE = NativeMemory.INSTANCE;

    private final Ring pristine;
    private final Ring[] rings = new Ring[RINGS];
    private final AtomicInteger next = new AtomicInteger();

    /** Rings of a kind. */
    public StressRing(final RingKind kind, final boolean hotFence)
    {
        final RingDescription description = new RingDescription(kind, CAPACITY, 0, 0, 0, 0, hotFence);
        pristine = RingFile.createAnonymous(description);
        for (int i = 0; i < RINGS; i++)
        {
            rings[i] = RingFile.createAnonymous(description);
        }
    }

    /** A ring as new, but for the data above {@code bytes}. States in use are far fewer than rings. */
    public Ring fresh(final int bytes)
    {
        final Ring ring = rings[next.getAndIncrement() & (RINGS - 1)];
        NATIVE.copy(pristine.headerAddress(), ring.headerAddress(), HEADER_BYTES);
        NATIVE.setMemory(ring.dataAddress(), bytes, (byte) 0);
        // Another object than the pooled one, so that closing closes for one state only.
        return ring.accessedBy(NATIVE);
    }

    /** The ring as seen by the actor that makes the release store or update at {@code address}. */
    static Ring storing(final Ring ring, final long address)
    {
        return WEAKENED.equals("store") ? ring.accessedBy(new DelayingMemory(Weakened.store(address))) : ring;
    }

    /** The ring as seen by the actor that makes the acquire load at {@code address}, and then loads what follows. */
    static Ring loading(final Ring ring, final long address, final long following, final int bytes)
    {
        return WEAKENED.equals("load") ?
            ring.accessedBy(new DelayingMemory(Weakened.load(address, following, bytes))) : ring;
    }

    /** The ring as seen by an actor that fences. */
    static Ring fencing(final Ring ring)
    {
        return WEAKENED.equals("fence") ? ring.accessedBy(new DelayingMemory(Weakened.fence())) : ring;
    }

    /** The end of an actor's turn. */
    static void finish(final Ring ring)
    {
        if (ring.memory() instanceof final DelayingMemory delaying)
        {
            delaying.finish();
        }
    }
}

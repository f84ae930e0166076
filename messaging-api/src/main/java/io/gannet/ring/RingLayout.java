package io.gannet.ring;

import org.agrona.BitUtil;

/**
 * Layout of a ring file, little-endian. The header is mapped once, the data twice, back to back behind it.
 * <pre>
 *       0 +---------------------------------------------------------------+ description, written before the magic
 *         | magic | layout version | kind | capacity | data offset | session | stream | registration id |
 *         | flags | initial position                                      |
 *     256 +---------------------------------------------------------------+ conductor
 *         | gating version | entries in use                               |
 *     384 +---------------------------------------------------------------+ conductor
 *         | floor                                                         |
 *     512 +---------------------------------------------------------------+ exclusive producer, or receiver of an image
 *         | coarse position (image: received position)                    |
 *     768 +---------------------------------------------------------------+ concurrent producers
 *         | tail                                                          |
 *    1024 +---------------------------------------------------------------+ sleepers set it, wakers clear it
 *         | waiters                                                       |
 *    1152 +---------------------------------------------------------------+ wakers
 *         | bell                                                          |
 *    1280 +---------------------------------------------------------------+ conductor
 *         | end-of-stream position                                        |
 *    4096 +---------------------------------------------------------------+
 *         | gating entry 0 .. 63, 256 bytes each                          |
 *   20480 +---------------------------------------------------------------+
 *         | claim slot 0 .. 255, 128 bytes each (concurrent)              |
 *   53248 +---------------------------------------------------------------+
 *   65536 +---------------------------------------------------------------+ or the page size, if that is larger
 *         | data: capacity bytes                                          |
 *         +---------------------------------------------------------------+
 * </pre>
 * A gating entry; the position alone is what the NIC may write for a remote subscriber:
 * <pre>
 *     0 | position (FREE: unused)        | reader, or the NIC
 *     8 | poll state                     | reader
 *   128 | kind | generation              | conductor
 *   136 | client id                      | conductor
 *   144 | registration id                | conductor
 *   152 | join position                  | conductor
 *   160 | drop request                   | conductor
 *   168 | host: 16 bytes of address      | conductor, of a remote subscriber
 *   184 | host: port | generation        | conductor; of another use of the entry: not known
 * </pre>
 * A claim slot:
 * <pre>
 *     0 | client id (0: nobody's)        | taken by CAS by the client, cleared by it or by the conductor
 *     8 | state                          | client: IDLE, step << 5 | CLAIMING, position | PENDING
 *    16 | step of a PENDING claim        | client
 * </pre>
 */
public final class RingLayout
{
    /** "GANNRING", little-endian; stored last, so that a half-made ring is known as such. */
    public static final long MAGIC = 0x474E_4952_4E4E_4147L;
    /** Raised when any offset or meaning below changes. */
    public static final int VERSION = 1;

    /** Smallest ring. */
    public static final int MIN_CAPACITY = 64 * 1024;
    /** Largest ring: both mappings must fit a buffer with an int capacity. */
    public static final int MAX_CAPACITY = 512 * 1024 * 1024;
    /** No stream gets further than this, so that no sum of a position and a capacity overflows. */
    public static final long MAX_POSITION = Long.MAX_VALUE - 2L * MAX_CAPACITY;

    /** Distance between words that different parties write: two lines, as processors fetch pairs. */
    public static final int LINE = 128;

    /** See the picture. */
    public static final int MAGIC_OFFSET = 0;
    /** See the picture. */
    public static final int LAYOUT_VERSION_OFFSET = 8;
    /** A code of {@link RingKind}. */
    public static final int KIND_OFFSET = 12;
    /** See the picture. */
    public static final int CAPACITY_OFFSET = 16;
    /** See the picture. */
    public static final int DATA_OFFSET_OFFSET = 24;
    /** See the picture. */
    public static final int SESSION_ID_OFFSET = 32;
    /** See the picture. */
    public static final int STREAM_ID_OFFSET = 36;
    /** Names the ring in its directory for ever. */
    public static final int REGISTRATION_ID_OFFSET = 40;
    /** A set of {@code FLAG_} bits. */
    public static final int FLAGS_OFFSET = 48;
    /** Where the stream starts. */
    public static final int INITIAL_POSITION_OFFSET = 56;
    /** Raised after each change of the gating list; never 0. */
    public static final int GATING_VERSION_OFFSET = 256;
    /** Entries from here on are unused; an int. */
    public static final int ENTRIES_IN_USE_OFFSET = GATING_VERSION_OFFSET + 8;
    /** Last leaver's position in a concurrent ring without subscribers, else {@link #FREE}. */
    public static final int FLOOR_OFFSET = 384;
    /** A position at most {@link #COARSE_INTERVAL} behind the exclusive producer's; all below it is committed. */
    public static final int COARSE_OFFSET = 512;
    /** In an image: all below it has arrived whole. */
    public static final int RECEIVED_OFFSET = COARSE_OFFSET;
    /** Next position to be claimed by a concurrent producer. */
    public static final int TAIL_OFFSET = 768;
    /** A set of {@code WAITER_} bits of {@link Bell}. */
    public static final int WAITERS_OFFSET = 1024;
    /** Futex word. */
    public static final int BELL_OFFSET = 1152;
    /** Where the stream ended, with {@link #BROKEN_OFF} if more was published; else {@link Long#MAX_VALUE}. */
    public static final int END_OF_STREAM_OFFSET = 1280;
    /** Added to where a stream ended, as positions are even: it did not end there for its publisher. */
    public static final int BROKEN_OFF = 1;

    /** First gating entry. */
    public static final int ENTRIES_OFFSET = 4096;
    /** Bytes of a gating entry. */
    public static final int ENTRY_LENGTH = 2 * LINE;
    /** Subscribers that a ring can have, local and remote. */
    public static final int MAX_ENTRIES = 64;
    /** Within an entry: its position, or {@link #FREE}. */
    public static final int ENTRY_POSITION = 0;
    /** Within an entry: 1 while its reader is in a poll. */
    public static final int ENTRY_POLL_STATE = 8;
    /** Within an entry: a code of {@link GatingList.Kind}. */
    public static final int ENTRY_KIND = LINE;
    /** Within an entry: raised at each use of it. */
    public static final int ENTRY_GENERATION = LINE + 4;
    /** Within an entry: whose it is. */
    public static final int ENTRY_CLIENT_ID = LINE + 8;
    /** Within an entry: which subscription's it is. */
    public static final int ENTRY_REGISTRATION_ID = LINE + 16;
    /** Within an entry: where its reader starts. */
    public static final int ENTRY_JOIN_POSITION = LINE + 24;
    /** Within an entry: 1 when its reader must stop, 2 when it has been dropped. */
    public static final int ENTRY_DROP = LINE + 32;
    /** Within an entry: where a remote subscriber is, 16 bytes in network order. */
    public static final int ENTRY_HOST = LINE + 40;
    /** Within an entry: the port there, an int. */
    public static final int ENTRY_HOST_PORT = LINE + 56;
    /** Within an entry: the use of it that the host belongs to. */
    public static final int ENTRY_HOST_GENERATION = LINE + 60;

    /** First claim slot. */
    public static final int SLOTS_OFFSET = ENTRIES_OFFSET + MAX_ENTRIES * ENTRY_LENGTH;
    /** Bytes of a claim slot. */
    public static final int SLOT_LENGTH = LINE;
    /** Claims that can be open in a ring at once. */
    public static final int MAX_SLOTS = 256;
    /** Within a slot: whose it is, 0 for nobody's. */
    public static final int SLOT_CLIENT_ID = 0;
    /** Within a slot: see {@link ClaimSlots}. */
    public static final int SLOT_STATE = 8;
    /** Within a slot: bytes of its pending claim. */
    public static final int SLOT_STEP = 16;

    /** Bytes of the header where pages aren't larger. */
    public static final int HEADER_LENGTH = 64 * 1024;

    /** Position of an unused entry; larger than any position, so that a minimum needs no test. */
    public static final long FREE = Long.MAX_VALUE;

    /** Flag: this machine can't fence other processes, so the hot side fences for itself. */
    public static final int FLAG_HOT_FENCE = 1;

    /** The exclusive producer publishes its position each time that it crosses a multiple of this. */
    public static final int COARSE_INTERVAL = 16 * 1024;

    private RingLayout()
    {
    }

    /** Offset of gating entry {@code index}. */
    public static int entryOffset(final int index)
    {
        return ENTRIES_OFFSET + index * ENTRY_LENGTH;
    }

    /** Offset of claim slot {@code index}. */
    public static int slotOffset(final int index)
    {
        return SLOTS_OFFSET + index * SLOT_LENGTH;
    }

    /** Longest frame, header included: an eighth of an exclusive ring or image, a sixteenth of a concurrent one. */
    public static int maxFrameLength(final RingKind kind, final int capacity)
    {
        return kind == RingKind.CONCURRENT ? capacity / 16 : capacity / 8;
    }

    /** Longest payload. */
    public static int maxMessageLength(final RingKind kind, final int capacity)
    {
        return maxFrameLength(kind, capacity) - FrameHeader.HEADER_LENGTH;
    }

    /**
     * Bytes that every limit stays short of what has been consumed: one frame and its successor's header, and the bytes
     * that a joiner walks from the coarse position.
     */
    public static int slack(final RingKind kind, final int capacity)
    {
        return maxFrameLength(kind, capacity) + COARSE_INTERVAL + 64;
    }

    /** Bytes that may lie between the slowest subscriber and a producer. */
    public static int window(final RingKind kind, final int capacity)
    {
        return (kind == RingKind.CONCURRENT ? capacity / 2 : capacity) - slack(kind, capacity);
    }

    /**
     * Checks the capacity of a ring.
     *
     * @throws IllegalArgumentException naming value, limits and remedy.
     */
    public static void checkCapacity(final long capacity)
    {
        if (capacity < MIN_CAPACITY || capacity > MAX_CAPACITY || !BitUtil.isPowerOfTwo(capacity))
        {
            throw new IllegalArgumentException("ring capacity " + capacity + ": must be a power of two from " +
                MIN_CAPACITY + " to " + MAX_CAPACITY + " bytes (64 KiB to 512 MiB)");
        }
    }
}

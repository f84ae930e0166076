package io.gannet.ring.model;

import io.gannet.ring.RingLayout;

/** What a word of a ring is, for messages and for weakening the accesses of one kind of word alone. */
enum Word
{
    DESCRIPTION,
    GATING_VERSION,
    FLOOR,
    COARSE,
    TAIL,
    WAITERS,
    BELL,
    END_OF_STREAM,
    ENTRY_POSITION,
    ENTRY_POLL_STATE,
    ENTRY_CONDUCTOR,
    ENTRY_DROP,
    SLOT_CLIENT,
    SLOT_STATE,
    SLOT_STEP,
    DATA;

    static Word at(final long headerOffset)
    {
        if (headerOffset >= RingLayout.SLOTS_OFFSET)
        {
            return switch ((int) ((headerOffset - RingLayout.SLOTS_OFFSET) % RingLayout.SLOT_LENGTH))
            {
                case RingLayout.SLOT_CLIENT_ID -> SLOT_CLIENT;
                case RingLayout.SLOT_STATE -> SLOT_STATE;
                default -> SLOT_STEP;
            };
        }
        if (headerOffset >= RingLayout.ENTRIES_OFFSET)
        {
            return switch ((int) ((headerOffset - RingLayout.ENTRIES_OFFSET) % RingLayout.ENTRY_LENGTH))
            {
                case RingLayout.ENTRY_POSITION -> ENTRY_POSITION;
                case RingLayout.ENTRY_POLL_STATE -> ENTRY_POLL_STATE;
                case RingLayout.ENTRY_DROP -> ENTRY_DROP;
                default -> ENTRY_CONDUCTOR;
            };
        }
        return switch ((int) headerOffset)
        {
            case RingLayout.GATING_VERSION_OFFSET -> GATING_VERSION;
            case RingLayout.FLOOR_OFFSET -> FLOOR;
            case RingLayout.COARSE_OFFSET -> COARSE;
            case RingLayout.TAIL_OFFSET -> TAIL;
            case RingLayout.WAITERS_OFFSET -> WAITERS;
            case RingLayout.BELL_OFFSET -> BELL;
            case RingLayout.END_OF_STREAM_OFFSET -> END_OF_STREAM;
            default -> DESCRIPTION;
        };
    }
}

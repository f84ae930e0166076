package io.gannet.driver;

import io.gannet.counters.CounterTypes;

/**
 * The counters that every driver has, in the order of their ids, all of type {@link CounterTypes#SYSTEM}.
 */
enum SystemCounter
{
    CLIENTS("clients connected"),
    CLIENTS_PAUSED("clients that are alive but silent"),
    CLIENT_DEATHS("clients that died without close"),
    RINGS("rings"),
    RING_BYTES("bytes of ring files"),
    PUBLICATIONS("publications"),
    SUBSCRIPTIONS("subscriptions"),
    IMAGES("images"),
    RINGS_ADOPTED("rings taken over from the driver before"),
    BYTES_REPAIRED("bytes claimed by publishers that died, filled with padding"),
    IMAGES_DROPPED("images cut off because their subscriber was too slow"),
    COMMANDS("commands of clients"),
    COMMANDS_REFUSED("commands of clients that were refused"),
    CLIENTS_GIVEN_UP("clients given up for malformed commands"),
    ERRORS("errors, see the distinct-error log");

    private final String label;

    SystemCounter(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }
}

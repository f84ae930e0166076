package io.gannet.doctor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one end of a connection tells the other one about itself: what doctor prints, and nothing else.
 *
 * @param values by fact, printable ASCII, at most {@link #MAX_VALUE} characters; what an end does not know is missing.
 */
public record HostFacts(Map<Fact, String> values)
{
    /** Longest value. */
    public static final int MAX_VALUE = 64;
    /** Longest {@link #encode() encoded} form that is read. */
    public static final int MAX_BYTES = 2048;

    /** One fact. Numbers are those of the encoded form and are never used again. */
    public enum Fact
    {
        /** Version of the driver. */
        GANNET(1, "version of Gannet"),
        /** Version of the protocol between drivers. */
        PROTOCOL(2, "version of the protocol"),
        /** Provider and name. */
        DEVICE(3, "device"),
        LINK_LAYER(4, "link layer"),
        RATE(5, "rate"),
        /** Payload bytes of a packet. */
        ACTIVE_MTU(6, "active MTU"),
        /** Of the network interface, bytes. */
        NETDEV_MTU(7, "interface MTU"),
        GID_TYPE(8, "type of the GID"),
        GID_INDEX(9, "index of the GID"),
        /** Priorities with flow control. */
        PFC(10, "PFC"),
        /** What the NIC takes the priority from. */
        TRUST(11, "trust"),
        ECN(12, "ECN"),
        /** The kernel's driver of the NIC. */
        NIC_DRIVER(13, "driver of the NIC"),
        CLOCK_SOURCE(14, "clock source");

        private final int number;
        private final String text;

        Fact(final int number, final String text)
        {
            this.number = number;
            this.text = text;
        }

        /** {@return a name for a sentence} */
        String text()
        {
            return text;
        }

        private static Fact of(final int number)
        {
            for (final Fact fact : values())
            {
                if (fact.number == number)
                {
                    return fact;
                }
            }
            return null;
        }
    }

    /** Keeps what is printable of the values. */
    public HostFacts
    {
        final Map<Fact, String> kept = new EnumMap<>(Fact.class);
        values.forEach((fact, value) ->
        {
            final String text = printable(value);
            if (!text.isEmpty())
            {
                kept.put(fact, text);
            }
        });
        values = Collections.unmodifiableMap(kept);
    }

    /** {@return a value, or the empty string where it is not known} */
    String get(final Fact fact)
    {
        return values.getOrDefault(fact, "");
    }

    /** {@return the same with one value changed} */
    public HostFacts with(final Fact fact, final String value)
    {
        final Map<Fact, String> changed = new EnumMap<>(Fact.class);
        changed.putAll(values);
        changed.put(fact, value);
        return new HostFacts(changed);
    }

    private static String printable(final String text)
    {
        final StringBuilder kept = new StringBuilder();
        text.chars().filter(HostFacts::isPrintable).limit(MAX_VALUE).forEach(c -> kept.append((char) c));
        return kept.toString().strip();
    }

    private static boolean isPrintable(final int character)
    {
        return character >= ' ' && character < 0x7F;
    }

    /** {@return for each fact its number and the length of its value, a byte each, and the value in ASCII} */
    public byte[] encode()
    {
        final ByteBuffer bytes = ByteBuffer.allocate(values.size() * (2 + MAX_VALUE));
        values.forEach((fact, value) -> bytes.put((byte) fact.number).put((byte) value.length())
            .put(value.getBytes(StandardCharsets.US_ASCII)));
        final byte[] exact = new byte[bytes.position()];
        bytes.get(0, exact);
        return exact;
    }

    /**
     * Reads what {@link #encode} made. Facts of a later version are passed over.
     *
     * @throws IllegalArgumentException saying what is wrong: nothing of it is to be believed then.
     */
    public static HostFacts decode(final byte[] bytes)
    {
        if (bytes.length > MAX_BYTES)
        {
            throw new IllegalArgumentException(bytes.length + " bytes of facts, " + MAX_BYTES + " are possible");
        }
        final Map<Fact, String> values = new EnumMap<>(Fact.class);
        final List<Integer> seen = new ArrayList<>();
        int at = 0;
        while (at < bytes.length)
        {
            final int number = bytes[at] & 0xFF;
            final int length = at + 1 < bytes.length ? bytes[at + 1] : -1;
            if (length <= 0 || length > MAX_VALUE || at + 2 + length > bytes.length)
            {
                throw new IllegalArgumentException("a fact of " + length + " bytes, " + (bytes.length - at) +
                    " bytes before the end");
            }
            final String value = new String(bytes, at + 2, length, StandardCharsets.ISO_8859_1);
            if (!value.chars().allMatch(HostFacts::isPrintable))
            {
                throw new IllegalArgumentException("fact " + number + " is not printable");
            }
            if (seen.contains(number))
            {
                throw new IllegalArgumentException("fact " + number + " comes twice");
            }
            seen.add(number);
            final Fact fact = Fact.of(number);
            if (fact != null)
            {
                values.put(fact, value);
            }
            at += 2 + length;
        }
        return new HostFacts(values);
    }
}

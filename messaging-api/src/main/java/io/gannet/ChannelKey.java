package io.gannet;

import io.gannet.ring.RingLayout;
import java.util.Locale;

/** The keys of a channel, in the order of its normal form: name, media, how a value is parsed and formatted. */
enum ChannelKey
{
    ENDPOINT("endpoint", true),
    CONTROL("control", true),
    DEVICE("device", true),
    PORT("port", true),
    GID_INDEX("gid-index", true),
    PKEY("pkey", true),
    TRAFFIC_CLASS("traffic-class", true),
    CONNECT_TIMEOUT("connect-timeout", true),
    IMAGE_TIMEOUT("image-timeout", true),
    RING("ring", false),
    SLOW("slow", false),
    SESSION_ID("session-id", false),
    ALIAS("alias", false);

    private static final int MAX_DEVICE_LENGTH = 63;
    private static final int MAX_ALIAS_LENGTH = 64;
    private static final int MAX_BYTE = 255;
    private static final int MAX_PKEY = 0xFFFF;

    private final String text;
    private final boolean rdmaOnly;

    ChannelKey(final String text, final boolean rdmaOnly)
    {
        this.text = text;
        this.rdmaOnly = rdmaOnly;
    }

    String text()
    {
        return text;
    }

    boolean allows(final Channel.Media media)
    {
        return !rdmaOnly || media == Channel.Media.RDMA;
    }

    /** The value as an object of the key's type, or an exception that names key, value and what is possible. */
    Object parse(final String value)
    {
        try
        {
            return switch (this)
            {
                case ENDPOINT, CONTROL -> ChannelValues.address(value);
                case DEVICE -> ChannelValues.name(value, MAX_DEVICE_LENGTH);
                case PORT -> ChannelValues.number(value, 1, MAX_BYTE);
                case GID_INDEX, TRAFFIC_CLASS -> ChannelValues.number(value, 0, MAX_BYTE);
                case PKEY -> ChannelValues.number(value, 1, MAX_PKEY);
                case CONNECT_TIMEOUT, IMAGE_TIMEOUT -> ChannelValues.timeout(value);
                case RING -> ringLength(value);
                case SLOW -> slowPolicy(value);
                case SESSION_ID -> ChannelValues.integer(value);
                case ALIAS -> ChannelValues.name(value, MAX_ALIAS_LENGTH);
            };
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException("channel key " + text + "=" + value + ": " + ex.getMessage(), ex);
        }
    }

    String format(final Object value)
    {
        return switch (this)
        {
            case RING -> ChannelValues.formatSize((Integer) value);
            case PKEY -> String.format("0x%04x", (Integer) value);
            case CONNECT_TIMEOUT, IMAGE_TIMEOUT -> ChannelValues.formatDuration((Long) value);
            case SLOW -> value.toString().toLowerCase(Locale.ROOT);
            default -> value.toString();
        };
    }

    private static Object ringLength(final String value)
    {
        final long length = ChannelValues.size(value);
        RingLayout.checkCapacity(length);
        return (int) length;
    }

    private static Object slowPolicy(final String value)
    {
        return switch (value)
        {
            case "block" -> Channel.SlowPolicy.BLOCK;
            case "drop" -> Channel.SlowPolicy.DROP;
            default -> throw new IllegalArgumentException("block or drop is possible");
        };
    }
}

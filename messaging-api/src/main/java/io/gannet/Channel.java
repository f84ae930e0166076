package io.gannet;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Where a stream goes, as a typed value of strings such as {@code gannet:ipc} or
 * {@code gannet:rdma?endpoint=10.0.0.7:4100|slow=drop}. Immutable.
 * <p>
 * {@code gannet:<media>[?<key>=<value>[|<key>=<value>]...]}; media is {@code ipc} (processes of one host) or
 * {@code rdma}. Every key is checked, an unknown one is an error:
 * Keys are separated by {@code |}, as in {@code gannet:rdma?endpoint=10.0.0.7:4100|ring=1m}.
 * <table>
 * <caption>Keys</caption>
 * <tr><th>key</th><th>media</th><th>value</th></tr>
 * <tr><td>endpoint</td><td>rdma</td><td>host:port of the subscribers' driver, which the publisher's driver connects
 *     to</td></tr>
 * <tr><td>control</td><td>rdma</td><td>host:port of the publisher's driver, which subscribers' drivers connect to
 *     (fan-out); either this or endpoint</td></tr>
 * <tr><td>device</td><td>rdma</td><td>name of the RDMA device; by default the one that has the address</td></tr>
 * <tr><td>port</td><td>rdma</td><td>port of the device, from 1</td></tr>
 * <tr><td>gid-index</td><td>rdma</td><td>index of the port's GID, 0 to 255; by default the one of the address</td></tr>
 * <tr><td>pkey</td><td>rdma</td><td>partition, such as {@code 0x8001}; by default {@code 0xffff}</td></tr>
 * <tr><td>traffic-class</td><td>rdma</td><td>publication: of its packets, 0 to 255; the upper six bits are the
 *     DSCP</td></tr>
 * <tr><td>connect-timeout</td><td>rdma</td><td>of one attempt to connect, {@code 5s} by default; 10 ms to 1 h</td></tr>
 * <tr><td>image-timeout</td><td>rdma</td><td>how long a broken connection may be resumed before the image ends,
 *     {@code 10s} by default; 10 ms to 1 h</td></tr>
 * <tr><td>ring</td><td>both</td><td>data bytes of the ring, a power of two, {@code 64k} to {@code 512m};
 *     the window is 7/8 of them, of a shared publication 7/16, less 16 KiB: see {@link Publication}</td></tr>
 * <tr><td>slow</td><td>both</td><td>{@code block}: publishers wait for the slowest subscriber (default); {@code drop}:
 *     a subscriber that is too slow is cut off and told its gap</td></tr>
 * <tr><td>session-id</td><td>both</td><td>publication: its session; subscription: the only session that it
 *     sees</td></tr>
 * <tr><td>alias</td><td>both</td><td>a name for people, up to 64 characters</td></tr>
 * </table>
 */
public final class Channel
{
    /** How messages travel. */
    public enum Media
    {
        /** Shared memory of one host. */
        IPC,
        /** A NIC, or the software NIC of the driver. */
        RDMA
    }

    /** What happens when a subscriber is too slow. */
    public enum SlowPolicy
    {
        /** Publishers wait. */
        BLOCK,
        /** The subscriber is cut off. */
        DROP
    }

    private final Media media;
    private final Map<ChannelKey, Object> values;
    private final String text;

    private Channel(final Media media, final Map<ChannelKey, Object> values)
    {
        this.media = media;
        this.values = values;
        text = ChannelText.format(media, values);
    }

    /**
     * Parses a channel.
     *
     * @throws IllegalArgumentException naming the part that is wrong, what is possible, and what was perhaps meant.
     */
    public static Channel parse(final String text)
    {
        return ChannelText.parse(text);
    }

    /** Starts a channel between processes of one host. */
    public static Builder ipc()
    {
        return new Builder(Media.IPC);
    }

    /** Starts a channel over RDMA; an endpoint or a control address must follow. */
    public static Builder rdma()
    {
        return new Builder(Media.RDMA);
    }

    /** How messages travel. */
    public Media media()
    {
        return media;
    }

    /** host:port of the subscribers' driver, or null. */
    public String endpoint()
    {
        return (String) values.get(ChannelKey.ENDPOINT);
    }

    /** host:port of the publisher's driver, or null. */
    public String control()
    {
        return (String) values.get(ChannelKey.CONTROL);
    }

    /** Name of the RDMA device, or null. */
    public String device()
    {
        return (String) values.get(ChannelKey.DEVICE);
    }

    /** Port of the RDMA device, or 0 for its first active one. */
    public int port()
    {
        return values.get(ChannelKey.PORT) instanceof Integer port ? port : 0;
    }

    /** Index of the port's GID, or -1 for that of the address. */
    public int gidIndex()
    {
        return values.get(ChannelKey.GID_INDEX) instanceof Integer index ? index : -1;
    }

    /** Partition key, or 0 for the default partition. */
    public int partitionKey()
    {
        return values.get(ChannelKey.PKEY) instanceof Integer key ? key : 0;
    }

    /** Traffic class of packets, or -1 for the driver's default. */
    public int trafficClass()
    {
        return values.get(ChannelKey.TRAFFIC_CLASS) instanceof Integer trafficClass ? trafficClass : -1;
    }

    /** Limit of one attempt to connect, in nanoseconds, or 0 for the driver's default. */
    public long connectTimeoutNanos()
    {
        return values.get(ChannelKey.CONNECT_TIMEOUT) instanceof Long nanos ? nanos : 0;
    }

    /** Data bytes of the ring, or 0 for the driver's default. */
    public int ringLength()
    {
        return values.get(ChannelKey.RING) instanceof Integer length ? length : 0;
    }

    /** What happens when a subscriber is too slow; BLOCK by default. */
    public SlowPolicy slow()
    {
        return values.get(ChannelKey.SLOW) instanceof SlowPolicy policy ? policy : SlowPolicy.BLOCK;
    }

    /** The session, or null for any. */
    public Integer sessionId()
    {
        return (Integer) values.get(ChannelKey.SESSION_ID);
    }

    /** A name for people, or null. */
    public String alias()
    {
        return (String) values.get(ChannelKey.ALIAS);
    }

    /** How long a broken connection may be resumed, in nanoseconds, or 0 for the driver's default. */
    public long imageTimeoutNanos()
    {
        return values.get(ChannelKey.IMAGE_TIMEOUT) instanceof Long nanos ? nanos : 0;
    }

    /**
     * Whether publications of one channel are seen by subscriptions of the other: media and addresses are equal.
     * Other keys are the publication's or the subscription's own affair.
     */
    public boolean isSamePlace(final Channel other)
    {
        return media == other.media && Objects.equals(endpoint(), other.endpoint()) &&
            Objects.equals(control(), other.control());
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Channel channel && text.equals(channel.text);
    }

    @Override
    public int hashCode()
    {
        return text.hashCode();
    }

    /** The normal form: keys in a fixed order, sizes and times in their shortest unit, defaults left out. */
    @Override
    public String toString()
    {
        return text;
    }

    /** Makes a channel step by step; each value is checked when it is given. Not thread-safe. */
    public static final class Builder
    {
        private final Media media;
        private final Map<ChannelKey, Object> values = new EnumMap<>(ChannelKey.class);

        Builder(final Media media)
        {
            this.media = media;
        }

        Builder put(final ChannelKey key, final Object value)
        {
            if (!key.allows(media))
            {
                throw new IllegalArgumentException("channel key " + key.text() + " is not for gannet:" +
                    ChannelText.lower(media));
            }
            if (values.putIfAbsent(key, value) != null)
            {
                throw new IllegalArgumentException("channel key " + key.text() + " is given twice");
            }
            return this;
        }

        /** host:port of the subscribers' driver. */
        public Builder endpoint(final String address)
        {
            return put(ChannelKey.ENDPOINT, ChannelKey.ENDPOINT.parse(address));
        }

        /** host:port of the publisher's driver. */
        public Builder control(final String address)
        {
            return put(ChannelKey.CONTROL, ChannelKey.CONTROL.parse(address));
        }

        /** Name of the RDMA device. */
        public Builder device(final String name)
        {
            return put(ChannelKey.DEVICE, ChannelKey.DEVICE.parse(name));
        }

        /** Port of the RDMA device, from 1. */
        public Builder port(final int number)
        {
            return put(ChannelKey.PORT, ChannelKey.PORT.parse(Integer.toString(number)));
        }

        /** Index of the port's GID, 0 to 255. */
        public Builder gidIndex(final int index)
        {
            return put(ChannelKey.GID_INDEX, ChannelKey.GID_INDEX.parse(Integer.toString(index)));
        }

        /** Partition key, 1 to 0xFFFF. */
        public Builder partitionKey(final int key)
        {
            return put(ChannelKey.PKEY, ChannelKey.PKEY.parse(Integer.toString(key)));
        }

        /** Traffic class of packets, 0 to 255; the upper six bits are the DSCP. */
        public Builder trafficClass(final int value)
        {
            return put(ChannelKey.TRAFFIC_CLASS, ChannelKey.TRAFFIC_CLASS.parse(Integer.toString(value)));
        }

        /** Limit of one attempt to connect: 10 ms to 1 h. */
        public Builder connectTimeout(final long timeout, final TimeUnit unit)
        {
            return put(ChannelKey.CONNECT_TIMEOUT, ChannelKey.CONNECT_TIMEOUT.parse(unit.toNanos(timeout) + "ns"));
        }

        /** Data bytes of the ring: a power of two, 64 KiB to 512 MiB. */
        public Builder ringLength(final int bytes)
        {
            return put(ChannelKey.RING, ChannelKey.RING.parse(Integer.toString(bytes)));
        }

        /** What happens when a subscriber is too slow. */
        public Builder slow(final SlowPolicy policy)
        {
            return put(ChannelKey.SLOW, Objects.requireNonNull(policy));
        }

        /** The session. */
        public Builder sessionId(final int sessionId)
        {
            return put(ChannelKey.SESSION_ID, sessionId);
        }

        /** A name for people. */
        public Builder alias(final String name)
        {
            return put(ChannelKey.ALIAS, ChannelKey.ALIAS.parse(name));
        }

        /** How long a broken connection may be resumed: 10 ms to 1 h. */
        public Builder imageTimeout(final long timeout, final TimeUnit unit)
        {
            return put(ChannelKey.IMAGE_TIMEOUT, ChannelKey.IMAGE_TIMEOUT.parse(unit.toNanos(timeout) + "ns"));
        }

        /**
         * The channel.
         *
         * @throws IllegalArgumentException if an rdma channel has neither endpoint nor control, or both.
         */
        public Channel build()
        {
            final boolean hasEndpoint = values.containsKey(ChannelKey.ENDPOINT);
            if (media == Media.RDMA && hasEndpoint == values.containsKey(ChannelKey.CONTROL))
            {
                throw new IllegalArgumentException(
                    "a gannet:rdma channel needs exactly one of endpoint=host:port (the publisher's driver connects) " +
                        "and control=host:port (the subscribers' drivers connect)");
            }
            if (values.get(ChannelKey.SLOW) == SlowPolicy.BLOCK)
            {
                values.remove(ChannelKey.SLOW);
            }
            return new Channel(media, new EnumMap<>(values));
        }
    }
}

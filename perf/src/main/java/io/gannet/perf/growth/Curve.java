package io.gannet.perf.growth;

/**
 * What is measured over what.
 */
public enum Curve
{
    /** Nothing is sent. */
    DRIVER_IDLE(Plot.DRIVER, "nothing moves"),
    /** As many active streams at every number of streams: what the idle ones cost. */
    DRIVER_TEN(Plot.DRIVER, "10 streams active"),
    /** A hundredth of the streams, at least one. */
    DRIVER_SHARE(Plot.DRIVER, "1 % of the streams active"),
    /** One offer and its share of a poll, in one thread. */
    MESSAGE(Plot.CLIENT, "message over one of 10 active streams"),
    /** All subscriptions in turn. */
    EMPTY_POLL(Plot.CLIENT, "empty poll of one subscription"),
    /** Events of the driver, heartbeat, time-outs. */
    CLIENT_DUTY(Plot.CLIENT, "duty cycle of the client's conductor"),
    /** Until publisher and subscriber are connected, the driver's mapping and zeroing of the ring included. */
    ADD(Plot.ADD, "adding one stream"),
    /** Heartbeats, feedback, and looks at the connections. */
    REPLICATED_IDLE(Plot.REPLICATED, "nothing moves"),
    /** As for streams of one host. */
    REPLICATED_TEN(Plot.REPLICATED, "10 streams active"),
    /** A hundredth of the streams, at least one. */
    REPLICATED_SHARE(Plot.REPLICATED, "1 % of the streams active"),
    /** With looks at the gating list. */
    OFFER_SUBSCRIBERS(Plot.SUBSCRIBERS, "offer"),
    /** Each of them. */
    POLL_SUBSCRIBERS(Plot.SUBSCRIBERS, "poll, each subscriber"),
    /** Producer's side. */
    OFFER_RING(Plot.RINGS, "offer"),
    /** Consumer's side, all words read. */
    POLL_RING(Plot.RINGS, "poll and read"),
    /** Space reserved, mapped twice, zeroed and prefaulted. */
    MAKE_RING(Plot.MAKE, "making a ring"),
    /** Producer's side. */
    OFFER_BYTES(Plot.MESSAGES, "offer"),
    /** Consumer's side, all words read. */
    POLL_BYTES(Plot.MESSAGES, "poll and read");

    private final Plot plot;
    private final String label;

    Curve(final Plot plot, final String label)
    {
        this.plot = plot;
        this.label = label;
    }

    /** The plot that it is in. */
    public Plot plot()
    {
        return plot;
    }

    /** Name in the plot. */
    public String label()
    {
        return label;
    }

    /**
     * Curves over the same thing.
     */
    public enum Plot
    {
        /** Of its processor time. */
        DRIVER("streams-driver", "One driver, share of a core", "streams", "%"),
        /** In its own thread. */
        CLIENT("streams-client", "The client", "streams", "ns"),
        /** Publisher and subscriber in one client. */
        ADD("streams-add", "Adding a stream", "streams", "ms"),
        /** Over the software NIC. */
        REPLICATED("replicated-drivers", "Two drivers, replicated streams, share of a core in all", "streams", "%"),
        /** In one thread. */
        SUBSCRIBERS("subscribers", "A message of 96 B", "subscribers of one ring", "ns"),
        /** In one thread. */
        RINGS("rings", "A message of 96 B", "MiB of the ring", "ns"),
        /** Once. */
        MAKE("rings-make", "Making a ring", "MiB of the ring", "ms"),
        /** In one thread. */
        MESSAGES("messages", "A message by its size", "payload bytes", "ns");

        private final String file;
        private final String title;
        private final String axis;
        private final String unit;

        Plot(final String file, final String title, final String axis, final String unit)
        {
            this.file = file;
            this.title = title;
            this.axis = axis;
            this.unit = unit;
        }

        /** Name of its file without extension, and of its table. */
        public String file()
        {
            return file;
        }

        /** What all curves are of, and their unit. */
        public String title()
        {
            return title + ", " + unit;
        }

        /** What they are over. */
        public String axis()
        {
            return axis;
        }

        /** Of the values. */
        public String unit()
        {
            return unit;
        }
    }
}

package io.gannet.perf.worker;

/**
 * What one load does over one peer; both worker processes get the same list of them.
 *
 * @param id            index in the list; streams are numbered from it.
 * @param peer          the messaging system: gannet, aeron, disruptor or agrona.
 * @param load          what is sent.
 * @param size          payload bytes, a multiple of 8, at least 24.
 * @param exclusive     single-writer publication (true) or one that many threads share.
 * @param producers     sending threads.
 * @param subscribers   subscriptions that each see every message.
 * @param layout        where the threads live.
 * @param ringBytes     size of the log: ring, or term of Aeron; slots of the Disruptor are counted from it. 0 for
 *                      the default between hosts.
 * @param intervalNanos time between intended sends of the paced load, else 0.
 */
public record Scenario(
    int id,
    String peer,
    LoadKind load,
    int size,
    boolean exclusive,
    int producers,
    int subscribers,
    Layout layout,
    int ringBytes,
    long intervalNanos)
{
    /** Of a ring between hosts whose channel does not say. */
    public static final int DEFAULT_RING_BYTES = 4 << 20;

    private static final int DRIVERS = 2;

    /** The sending pattern. */
    public enum LoadKind
    {
        /** As fast as accepted. */
        THROUGHPUT,
        /** One message outstanding, echoed by the other side. */
        PING_PONG,
        /** Open loop at a fixed rate; latency counts from the intended time of sending. */
        PACED
    }

    /** Where the two sides live. */
    public enum Layout
    {
        /** Both sides in one process. */
        ONE_PROCESS("1proc"),
        /** Publishers in one process, subscribers in another, the driver in a third. */
        TWO_PROCESSES("2proc"),
        /** Publishers, a driver for them, a driver for the subscribers, and subscribers: a process each. */
        FOUR_PROCESSES("4proc"),
        /** Publishers with an embedded driver in one process, subscribers with another in a second. */
        TWO_EMBEDDED("2emb");

        private final String label;

        Layout(final String label)
        {
            this.label = label;
        }

        /** Short name in tables and rows. */
        public String label()
        {
            return label;
        }
    }

    /** Name of the benchmark, equal for the peers that are compared with each other. */
    public String bench()
    {
        final String kind = switch (load)
        {
            case THROUGHPUT -> "throughput";
            case PING_PONG -> "pingpong";
            case PACED -> "paced-" + rateLabel();
        };
        return kind + (exclusive ? "-exclusive-" : "-concurrent-") + producers + "p" + subscribers + "s-" +
            layout.label();
    }

    /** Threads that poll: no more than there are processors left beside the producers, at least one. */
    public int pollingThreads(final int processors)
    {
        return Math.min(subscribers, Math.max(1, processors - producers));
    }

    /** Whether more threads are busy than there are processors: waiting ones yield then. */
    public boolean isCrowded(final int processors)
    {
        final boolean network = layout == Layout.FOUR_PROCESSES || layout == Layout.TWO_EMBEDDED;
        return producers + pollingThreads(processors) + (network ? DRIVERS : 0) > processors;
    }

    private String rateLabel()
    {
        final long perSecond = Math.round(1e9 / intervalNanos);
        return perSecond >= 1_000_000 && perSecond % 1_000_000 == 0 ? perSecond / 1_000_000 + "M" :
            perSecond >= 1_000 && perSecond % 1_000 == 0 ? perSecond / 1_000 + "k" : Long.toString(perSecond);
    }
}

package io.gannet.driver.stream;

import java.util.concurrent.TimeUnit;

import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.InlinePolicy;

/**
 * How streams are replicated. Times in nanoseconds.
 *
 * @param sendDepth         work requests in the sender's send queue; at least 16.
 * @param receiveDepth      receives that an image keeps posted; at least 16.
 * @param writeCap          bytes of one write; a frame that is longer goes in several.
 * @param inlineThreshold   bytes up to which a request goes inline.
 * @param tailDelay         without a post after which unsignaled requests are confirmed.
 * @param heartbeatInterval between signs of life, both ways.
 * @param feedbackInterval  largest age of a consumed position, unless nothing moved.
 * @param peerTimeout       of silence after which a connection is ended.
 * @param stallTimeout      of requests without any completion after which a connection is ended.
 * @param drainTimeout      of a receiver's wait for the completions of a queue pair that it ends.
 * @param connectTimeout    of an attempt to connect.
 * @param retryInterval     between two attempts.
 * @param imageTimeout      without a connection after which a stream ends.
 * @param parameters        of connections.
 * @param immediate         whether writes carry their position as an immediate where the device can; if not, a SEND of
 *                          that word follows each write, as on iWARP.
 * @param signalInterval    requests by completion; 0 adapts it to the load of the send queue.
 */
public record ReplicationSettings(
    int sendDepth,
    int receiveDepth,
    int writeCap,
    int inlineThreshold,
    long tailDelay,
    long heartbeatInterval,
    long feedbackInterval,
    long peerTimeout,
    long stallTimeout,
    long drainTimeout,
    long connectTimeout,
    long retryInterval,
    long imageTimeout,
    ConnectParameters parameters,
    boolean immediate,
    int signalInterval)
{
    /** Credits that data never uses: a heartbeat and the end of the stream always get through. */
    static final int RESERVED_CREDITS = 2;
    /** Nanoseconds for which an agent leaves a stream alone in which it has found nothing to do. */
    static final long QUIET = 20_000;
    /** Nanoseconds before its time at which a connection at rest is visited together with others. */
    static final long EARLY = 5_000_000;
    /** Nanoseconds between looks at a peer, or at subscribers, that do not move. */
    static final long LONGEST_LOOK = 10_000_000;
    /** Requests of one doorbell at most. */
    static final int MAX_CHAIN = 16;

    private static final int LEAST_DEPTH = 16;

    public ReplicationSettings
    {
        if (sendDepth < LEAST_DEPTH || receiveDepth < LEAST_DEPTH)
        {
            throw new IllegalArgumentException("send and receive depth must be at least " + LEAST_DEPTH +
                ", are " + sendDepth + " and " + receiveDepth);
        }
        if (writeCap < 4096)
        {
            throw new IllegalArgumentException("writeCap must be at least 4096 bytes, is " + writeCap);
        }
        if (peerTimeout <= 2 * heartbeatInterval)
        {
            throw new IllegalArgumentException("peerTimeout must be more than two heartbeat intervals of " +
                heartbeatInterval + " ns, is " + peerTimeout + " ns");
        }
    }

    /** As the canonical constructor, with the interval of signaled requests adapted to the load. */
    public ReplicationSettings(
        final int sendDepth,
        final int receiveDepth,
        final int writeCap,
        final int inlineThreshold,
        final long tailDelay,
        final long heartbeatInterval,
        final long feedbackInterval,
        final long peerTimeout,
        final long stallTimeout,
        final long drainTimeout,
        final long connectTimeout,
        final long retryInterval,
        final long imageTimeout,
        final ConnectParameters parameters,
        final boolean immediate)
    {
        this(sendDepth, receiveDepth, writeCap, inlineThreshold, tailDelay, heartbeatInterval, feedbackInterval,
            peerTimeout, stallTimeout, drainTimeout, connectTimeout, retryInterval, imageTimeout, parameters, immediate,
            0);
    }

    /**
     * {@return the same with other policies of requests}
     *
     * @param inline bytes up to which a request goes inline; 0 for none.
     * @param signal requests by completion; 0 adapts it to the load.
     */
    public ReplicationSettings withPolicies(final int inline, final int signal)
    {
        return new ReplicationSettings(sendDepth, receiveDepth, writeCap, inline, tailDelay, heartbeatInterval,
            feedbackInterval, peerTimeout, stallTimeout, drainTimeout, connectTimeout, retryInterval, imageTimeout,
            parameters, immediate, signal);
    }

    /** {@return the same with other limits of an attempt to connect, and of the time without a connection} */
    public ReplicationSettings withTimeouts(final long connect, final long image)
    {
        return new ReplicationSettings(sendDepth, receiveDepth, writeCap, inlineThreshold, tailDelay,
            heartbeatInterval, feedbackInterval, peerTimeout, stallTimeout, drainTimeout, connect, retryInterval,
            image, parameters, immediate, signalInterval);
    }

    /** {@return the same with other parameters of connections} */
    public ReplicationSettings withParameters(final ConnectParameters others)
    {
        return new ReplicationSettings(sendDepth, receiveDepth, writeCap, inlineThreshold, tailDelay,
            heartbeatInterval, feedbackInterval, peerTimeout, stallTimeout, drainTimeout, connectTimeout,
            retryInterval, imageTimeout, others, immediate, signalInterval);
    }

    /** {@return nanoseconds after which a sign of life may be given, which is a little before it has to be} */
    long signInterval()
    {
        return heartbeatInterval - Math.min(EARLY, heartbeatInterval / 8);
    }

    /** {@return the defaults} */
    public static ReplicationSettings defaults()
    {
        return new ReplicationSettings(
            256,
            512,
            64 * 1024,
            InlinePolicy.DEFAULT_THRESHOLD,
            TimeUnit.MICROSECONDS.toNanos(40),
            TimeUnit.MILLISECONDS.toNanos(100),
            TimeUnit.MICROSECONDS.toNanos(200),
            TimeUnit.SECONDS.toNanos(1),
            TimeUnit.SECONDS.toNanos(1),
            TimeUnit.MILLISECONDS.toNanos(200),
            TimeUnit.SECONDS.toNanos(5),
            TimeUnit.MILLISECONDS.toNanos(200),
            TimeUnit.SECONDS.toNanos(10),
            ConnectParameters.DEFAULT,
            true);
    }

    /** {@return the same, but with or without immediates} */
    public ReplicationSettings withImmediate(final boolean use)
    {
        return new ReplicationSettings(
            sendDepth,
            receiveDepth,
            writeCap,
            inlineThreshold,
            tailDelay,
            heartbeatInterval,
            feedbackInterval,
            peerTimeout,
            stallTimeout,
            drainTimeout,
            connectTimeout,
            retryInterval,
            imageTimeout,
            parameters,
            use,
            signalInterval);
    }
}

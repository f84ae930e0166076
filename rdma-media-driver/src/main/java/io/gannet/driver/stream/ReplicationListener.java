package io.gannet.driver.stream;

import java.net.InetSocketAddress;

/**
 * What the driver is told by, and asked by, replication; on the control thread. No call may take long.
 */
public interface ReplicationListener
{
    /**
     * Asks whether anybody subscribes to a stream that a publication's driver wants to bring.
     *
     * @param address at which it came in.
     */
    boolean isWanted(InetSocketAddress address, SetupRequest request);

    /**
     * An image exists and has its first position, but nothing of it is visible yet: now its subscribers enter its
     * gating list, at that position. Frames become visible after the return.
     */
    void onImageStarted(ImageSession image);

    /**
     * Nothing comes to an image any more; {@link ImageSession#receivedPosition()} is its end. The ring is the driver's
     * again.
     */
    void onImageEnded(ImageSession image, StreamFailure reason);

    /**
     * {@return nanoseconds without a connection after which an image ends; 0 for the driver's setting}
     *
     * @param address at which it comes in, or that of the fan-out publisher.
     */
    default long imageTimeout(final InetSocketAddress address, final SetupRequest request)
    {
        return 0;
    }

    /**
     * Asks where the last image of a publication ended, if the driver before had one: what lies between that and the
     * start of the next image is a gap that its subscribers are to be told.
     *
     * @return a position, or {@link ImageSession#NO_GAP} if subscribers have had no image of it.
     */
    default long lastPosition(final SetupRequest request)
    {
        return ImageSession.NO_GAP;
    }

    /** An image has lost its connection, which is to be made again. */
    default void onImageInterrupted(final ImageSession image, final StreamFailure reason)
    {
        onError(
            "connection from " + AddressText.of(image.publisher()) + " ended: " + reason + "; it is to be made again");
    }

    /** {@return where the host was that entered a gate, which the driver before has left} */
    default InetSocketAddress hostAt(final OutboundStream stream, final int gate)
    {
        return AddressText.NOT_BACK_YET;
    }

    /** An image comes again, over a new connection, from where it was. */
    default void onImageResumed(final ImageSession image)
    {
        // For those who were told of the interruption.
    }

    /** A publication goes to a host again, over a new connection, from the position up to which it was received. */
    default void onReplicaResumed(
        final OutboundStream stream, final InetSocketAddress destination, final long position)
    {
        // For those who were told of the interruption.
    }

    /** A publisher does not take the image's subscribers, for now; told once until it does. */
    default void onImageRefused(final ImageSession image, final String reason)
    {
        onError("no image of " + image.request() + ": " + reason);
    }

    /** A publication has lost its connection to a host, which is to be made again. */
    default void onReplicaInterrupted(
        final OutboundStream stream, final InetSocketAddress destination, final StreamFailure reason)
    {
        onError("connection to " + AddressText.of(destination) + " ended: " + reason + "; it is to be made again");
    }

    /**
     * A host can't be connected to, which is tried again and again; each reason is told once until it can.
     *
     * @param reason a clause for people.
     */
    default void onUnreachable(
        final OutboundStream stream, final InetSocketAddress destination, final String reason)
    {
        // For those who wonder why nothing goes there.
    }

    /** A publication's frames go to that host from the position on, which gates the publication. */
    void onReplicaStarted(OutboundStream stream, InetSocketAddress destination, long position);

    /** A host no longer gates a publication. */
    void onReplicaEnded(OutboundStream stream, InetSocketAddress destination, long position, StreamFailure reason);

    /**
     * The ring of a publication has bytes that can be no frame where a host would start, so that none can: it is of no
     * more use.
     */
    default void onRingDamaged(final OutboundStream stream, final String problem)
    {
        onError(problem);
    }

    /** Something went wrong that replication handles by itself, or that an operator should know. */
    void onError(String message);
}

package io.gannet.control;

import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.protocol.PublicationKind;

/**
 * What a driver tells a client. Every value was decoded from checked bytes; its meaning is still the handler's to
 * check. The sequence of commands and events is in the package documentation.
 */
public interface EventHandler
{
    /** First event of a driver. */
    void onConnected(long correlationId, long driverEpoch, int protocolVersion);

    /**
     * The ring of a publication is there to be mapped.
     *
     * @param ringFile path of the ring, relative to the directory or absolute.
     */
    void onPublicationReady(
        long correlationId,
        long registrationId,
        PublicationKind kind,
        int streamId,
        int sessionId,
        long ringId,
        String ringFile);

    /** Images of the subscription follow. */
    void onSubscriptionReady(long correlationId, long registrationId);

    /**
     * A ring that this subscription reads. The driver has entered gate {@code gate} in the ring's gating list at
     * {@code joinPosition}; it stays there until the client releases the image.
     *
     * @param ringFile path of the ring, relative to the directory or absolute.
     * @param source   where the stream comes from, for people.
     */
    void onImageAvailable(
        long subscriptionId,
        ImageKind kind,
        int streamId,
        int sessionId,
        long ringId,
        int gate,
        long joinPosition,
        String ringFile,
        String source);

    /**
     * The stream ends for this subscriber; the image can be read up to {@code position} until it is released.
     *
     * @param position where the stream ends for this subscriber.
     */
    void onImageUnavailable(long subscriptionId, long ringId, long position, ImageEnd reason);

    /** The subscriber will not see the bytes [from, to) of this stream. */
    void onGap(long subscriptionId, long ringId, int sessionId, long from, long to);

    /** The counter was allocated and set to the value asked for. */
    void onCounterReady(long correlationId, long registrationId, int counterId);

    /** A remove was done. */
    void onOperationSucceeded(long correlationId);

    /**
     * A command failed, or something else did that the client should know.
     *
     * @param correlationId the command's, or 0 when this is no answer.
     * @param code          an {@link ErrorCode#code()}, perhaps of a later version.
     */
    void onOperationFailed(long correlationId, int code, String text);

    /**
     * The driver ended a publication that had been ready.
     *
     * @param position bytes up to here are in the stream.
     */
    void onPublicationEnded(long registrationId, long position, int code, String text);

    /** Bytes that are no event. The ring may still be in step. */
    void onMalformedEvent(String reason);
}

package io.gannet.control;

import io.gannet.protocol.ConnectedEncoder;
import io.gannet.protocol.CounterReadyEncoder;
import io.gannet.protocol.GapEncoder;
import io.gannet.protocol.ImageAvailableEncoder;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.protocol.ImageUnavailableEncoder;
import io.gannet.protocol.OperationFailedEncoder;
import io.gannet.protocol.OperationSucceededEncoder;
import io.gannet.protocol.PublicationEndedEncoder;
import io.gannet.protocol.PublicationKind;
import io.gannet.protocol.PublicationReadyEncoder;
import io.gannet.protocol.SubscriptionReadyEncoder;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * The driver's side of an event ring. Each method returns false when the ring is full and nothing was written: the
 * driver keeps the event and never waits for a client. Not thread-safe: one producer. See {@link EventHandler} for
 * what the events mean.
 */
public final class EventWriter
{
    private static final int MAX_TEXT_LENGTH = 2048;

    private final MessageWriter out;
    private final ConnectedEncoder connected = new ConnectedEncoder();
    private final PublicationReadyEncoder publicationReady = new PublicationReadyEncoder();
    private final SubscriptionReadyEncoder subscriptionReady = new SubscriptionReadyEncoder();
    private final ImageAvailableEncoder imageAvailable = new ImageAvailableEncoder();
    private final ImageUnavailableEncoder imageUnavailable = new ImageUnavailableEncoder();
    private final GapEncoder gap = new GapEncoder();
    private final CounterReadyEncoder counterReady = new CounterReadyEncoder();
    private final OperationSucceededEncoder operationSucceeded = new OperationSucceededEncoder();
    private final OperationFailedEncoder operationFailed = new OperationFailedEncoder();
    private final PublicationEndedEncoder publicationEnded = new PublicationEndedEncoder();

    /**
     * @param ring the event ring of a client file.
     */
    public EventWriter(final RingBuffer ring)
    {
        out = new MessageWriter(ring);
    }

    /** Whether nobody else has written over the ring's positions; if somebody has, nothing is written any more. */
    public boolean isIntact()
    {
        return out.isIntact();
    }

    /** See {@link EventHandler#onConnected}. */
    public boolean connected(final long correlationId, final long driverEpoch)
    {
        connected.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .driverEpoch(driverEpoch)
            .protocolVersion(ConnectedEncoder.SCHEMA_VERSION);
        return out.write(ConnectedEncoder.TEMPLATE_ID, connected.limit());
    }

    /** See {@link EventHandler#onPublicationReady}. */
    public boolean publicationReady(
        final long correlationId,
        final long registrationId,
        final PublicationKind kind,
        final int streamId,
        final int sessionId,
        final long ringId,
        final String ringFile)
    {
        final byte[] ringFileBytes = MessageWriter.encode("ring file", ringFile);
        publicationReady.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId)
            .ringId(ringId)
            .streamId(streamId)
            .sessionId(sessionId)
            .kind(kind)
            .putRingFile(ringFileBytes, 0, ringFileBytes.length);
        return out.write(PublicationReadyEncoder.TEMPLATE_ID, publicationReady.limit());
    }

    /** See {@link EventHandler#onSubscriptionReady}. */
    public boolean subscriptionReady(final long correlationId, final long registrationId)
    {
        subscriptionReady.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId);
        return out.write(SubscriptionReadyEncoder.TEMPLATE_ID, subscriptionReady.limit());
    }

    /** See {@link EventHandler#onImageAvailable}. */
    public boolean imageAvailable(
        final long subscriptionId,
        final ImageKind kind,
        final int streamId,
        final int sessionId,
        final long ringId,
        final int gate,
        final long joinPosition,
        final String ringFile,
        final String source)
    {
        final byte[] ringFileBytes = MessageWriter.encode("ring file", ringFile);
        final byte[] sourceBytes = MessageWriter.encodeText(source, MAX_TEXT_LENGTH);
        imageAvailable.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .subscriptionId(subscriptionId)
            .ringId(ringId)
            .joinPosition(joinPosition)
            .streamId(streamId)
            .sessionId(sessionId)
            .gate(gate)
            .kind(kind)
            .putRingFile(ringFileBytes, 0, ringFileBytes.length)
            .putSource(sourceBytes, 0, sourceBytes.length);
        return out.write(ImageAvailableEncoder.TEMPLATE_ID, imageAvailable.limit());
    }

    /** See {@link EventHandler#onImageUnavailable}. */
    public boolean imageUnavailable(
        final long subscriptionId, final long ringId, final long position, final ImageEnd reason)
    {
        imageUnavailable.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .subscriptionId(subscriptionId)
            .ringId(ringId)
            .position(position)
            .reason(reason);
        return out.write(ImageUnavailableEncoder.TEMPLATE_ID, imageUnavailable.limit());
    }

    /** See {@link EventHandler#onGap}. */
    public boolean gap(
        final long subscriptionId, final long ringId, final int sessionId, final long from, final long to)
    {
        gap.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .subscriptionId(subscriptionId)
            .ringId(ringId)
            .from(from)
            .to(to)
            .sessionId(sessionId);
        return out.write(GapEncoder.TEMPLATE_ID, gap.limit());
    }

    /** See {@link EventHandler#onCounterReady}. */
    public boolean counterReady(final long correlationId, final long registrationId, final int counterId)
    {
        counterReady.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId)
            .counterId(counterId);
        return out.write(CounterReadyEncoder.TEMPLATE_ID, counterReady.limit());
    }

    /** See {@link EventHandler#onOperationSucceeded}. */
    public boolean operationSucceeded(final long correlationId)
    {
        operationSucceeded.wrapAndApplyHeader(out.buffer(), 0, out.header()).correlationId(correlationId);
        return out.write(OperationSucceededEncoder.TEMPLATE_ID, operationSucceeded.limit());
    }

    /** See {@link EventHandler#onOperationFailed}. A text over 2 KiB is shortened. */
    public boolean operationFailed(final long correlationId, final ErrorCode code, final String text)
    {
        final byte[] textBytes = MessageWriter.encodeText(text, MAX_TEXT_LENGTH);
        operationFailed.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .code(code.code())
            .putText(textBytes, 0, textBytes.length);
        return out.write(OperationFailedEncoder.TEMPLATE_ID, operationFailed.limit());
    }

    /** See {@link EventHandler#onPublicationEnded}. A text over 2 KiB is shortened. */
    public boolean publicationEnded(
        final long registrationId, final long position, final ErrorCode code, final String text)
    {
        final byte[] textBytes = MessageWriter.encodeText(text, MAX_TEXT_LENGTH);
        publicationEnded.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .registrationId(registrationId)
            .position(position)
            .code(code.code())
            .putText(textBytes, 0, textBytes.length);
        return out.write(PublicationEndedEncoder.TEMPLATE_ID, publicationEnded.limit());
    }
}

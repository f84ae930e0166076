package io.gannet.control;

import static io.gannet.control.MessageFrame.HEADER_LENGTH;

import io.gannet.protocol.ConnectedDecoder;
import io.gannet.protocol.CounterReadyDecoder;
import io.gannet.protocol.GapDecoder;
import io.gannet.protocol.ImageAvailableDecoder;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.protocol.ImageUnavailableDecoder;
import io.gannet.protocol.OperationFailedDecoder;
import io.gannet.protocol.OperationSucceededDecoder;
import io.gannet.protocol.PublicationEndedDecoder;
import io.gannet.protocol.PublicationKind;
import io.gannet.protocol.PublicationReadyDecoder;
import io.gannet.protocol.SubscriptionReadyDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;

/**
 * Decodes the messages of an event ring for an {@link EventHandler}, after checking them: whatever the bytes are, the
 * handler gets either an event or {@link EventHandler#onMalformedEvent}. Not thread-safe.
 */
public final class EventReader implements MessageHandler
{
    private static final int MAX_TEXT = 4_000;

    private final EventHandler handler;
    private final ConnectedDecoder connected = new ConnectedDecoder();
    private final PublicationReadyDecoder publicationReady = new PublicationReadyDecoder();
    private final SubscriptionReadyDecoder subscriptionReady = new SubscriptionReadyDecoder();
    private final ImageAvailableDecoder imageAvailable = new ImageAvailableDecoder();
    private final ImageUnavailableDecoder imageUnavailable = new ImageUnavailableDecoder();
    private final GapDecoder gap = new GapDecoder();
    private final CounterReadyDecoder counterReady = new CounterReadyDecoder();
    private final OperationSucceededDecoder operationSucceeded = new OperationSucceededDecoder();
    private final OperationFailedDecoder operationFailed = new OperationFailedDecoder();
    private final PublicationEndedDecoder publicationEnded = new PublicationEndedDecoder();

    /**
     * @param handler called on the thread that reads the ring.
     */
    public EventReader(final EventHandler handler)
    {
        this.handler = handler;
    }

    @Override
    public void onMessage(
        final int msgTypeId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final String problem = check(buffer, index, length);
        if (problem != null)
        {
            handler.onMalformedEvent(problem);
            return;
        }
        final int at = index + HEADER_LENGTH;
        final int block = MessageFrame.blockLength(buffer, index);
        final int version = MessageFrame.version(buffer, index);
        switch (MessageFrame.templateId(buffer, index))
        {
            case ConnectedDecoder.TEMPLATE_ID ->
            {
                connected.wrap(buffer, at, block, version);
                handler.onConnected(
                    connected.correlationId(), connected.driverEpoch(), connected.protocolVersion());
            }
            case PublicationReadyDecoder.TEMPLATE_ID -> onPublicationReady(buffer, at, block, version);
            case SubscriptionReadyDecoder.TEMPLATE_ID ->
            {
                subscriptionReady.wrap(buffer, at, block, version);
                handler.onSubscriptionReady(subscriptionReady.correlationId(), subscriptionReady.registrationId());
            }
            case ImageAvailableDecoder.TEMPLATE_ID -> onImageAvailable(buffer, at, block, version);
            case ImageUnavailableDecoder.TEMPLATE_ID -> onImageUnavailable(buffer, at, block, version);
            case GapDecoder.TEMPLATE_ID ->
            {
                gap.wrap(buffer, at, block, version);
                handler.onGap(gap.subscriptionId(), gap.ringId(), gap.sessionId(), gap.from(), gap.to());
            }
            case CounterReadyDecoder.TEMPLATE_ID ->
            {
                counterReady.wrap(buffer, at, block, version);
                handler.onCounterReady(
                    counterReady.correlationId(), counterReady.registrationId(), counterReady.counterId());
            }
            case OperationSucceededDecoder.TEMPLATE_ID ->
            {
                operationSucceeded.wrap(buffer, at, block, version);
                handler.onOperationSucceeded(operationSucceeded.correlationId());
            }
            case OperationFailedDecoder.TEMPLATE_ID ->
            {
                operationFailed.wrap(buffer, at, block, version);
                handler.onOperationFailed(
                    operationFailed.correlationId(), operationFailed.code(),
                    PrintableText.of(operationFailed.text(), MAX_TEXT));
            }
            default ->
            {
                publicationEnded.wrap(buffer, at, block, version);
                handler.onPublicationEnded(publicationEnded.registrationId(), publicationEnded.position(),
                    publicationEnded.code(), PrintableText.of(publicationEnded.text(), MAX_TEXT));
            }
        }
    }

    private void onPublicationReady(final DirectBuffer buffer, final int at, final int block, final int version)
    {
        publicationReady.wrap(buffer, at, block, version);
        final PublicationKind kind = publicationReady.kind();
        if (kind != PublicationKind.CONCURRENT && kind != PublicationKind.EXCLUSIVE)
        {
            handler.onMalformedEvent("PublicationReady: unknown kind " + publicationReady.kindRaw());
            return;
        }
        handler.onPublicationReady(publicationReady.correlationId(), publicationReady.registrationId(), kind,
            publicationReady.streamId(), publicationReady.sessionId(), publicationReady.ringId(),
            publicationReady.ringFile());
    }

    private void onImageAvailable(final DirectBuffer buffer, final int at, final int block, final int version)
    {
        imageAvailable.wrap(buffer, at, block, version);
        final ImageKind kind = imageAvailable.kind();
        if (kind != ImageKind.LOCAL && kind != ImageKind.REMOTE)
        {
            handler.onMalformedEvent("ImageAvailable: unknown kind " + imageAvailable.kindRaw());
            return;
        }
        handler.onImageAvailable(imageAvailable.subscriptionId(), kind, imageAvailable.streamId(),
            imageAvailable.sessionId(), imageAvailable.ringId(), imageAvailable.gate(),
            imageAvailable.joinPosition(), imageAvailable.ringFile(),
            PrintableText.of(imageAvailable.source(), MAX_TEXT));
    }

    private void onImageUnavailable(final DirectBuffer buffer, final int at, final int block, final int version)
    {
        imageUnavailable.wrap(buffer, at, block, version);
        final ImageEnd reason = imageUnavailable.reason();
        if (reason == ImageEnd.NULL_VAL || reason == ImageEnd.SBE_UNKNOWN)
        {
            handler.onMalformedEvent("ImageUnavailable: unknown reason " + imageUnavailable.reasonRaw());
            return;
        }
        handler.onImageUnavailable(
            imageUnavailable.subscriptionId(), imageUnavailable.ringId(), imageUnavailable.position(), reason);
    }

    private static String check(final DirectBuffer buffer, final int index, final int length)
    {
        final String problem = MessageFrame.checkHeader(buffer, index, length, ConnectedDecoder.SCHEMA_ID);
        if (problem != null)
        {
            return problem;
        }
        final int templateId = MessageFrame.templateId(buffer, index);
        return switch (templateId)
        {
            case ConnectedDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ConnectedDecoder.BLOCK_LENGTH, 0);
            case PublicationReadyDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, PublicationReadyDecoder.BLOCK_LENGTH, 1);
            case SubscriptionReadyDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, SubscriptionReadyDecoder.BLOCK_LENGTH, 0);
            case ImageAvailableDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ImageAvailableDecoder.BLOCK_LENGTH, 2);
            case ImageUnavailableDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ImageUnavailableDecoder.BLOCK_LENGTH, 0);
            case GapDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, GapDecoder.BLOCK_LENGTH, 0);
            case CounterReadyDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, CounterReadyDecoder.BLOCK_LENGTH, 0);
            case OperationSucceededDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, OperationSucceededDecoder.BLOCK_LENGTH, 0);
            case OperationFailedDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, OperationFailedDecoder.BLOCK_LENGTH, 1);
            case PublicationEndedDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, PublicationEndedDecoder.BLOCK_LENGTH, 1);
            default -> "template " + templateId + " is no event";
        };
    }
}

package io.gannet.control;

import static io.gannet.control.MessageFrame.HEADER_LENGTH;

import io.gannet.protocol.AddCounterDecoder;
import io.gannet.protocol.AddPublicationDecoder;
import io.gannet.protocol.AddSubscriptionDecoder;
import io.gannet.protocol.CloseClientDecoder;
import io.gannet.protocol.ConnectDecoder;
import io.gannet.protocol.PublicationKind;
import io.gannet.protocol.ReleaseImageDecoder;
import io.gannet.protocol.RemoveCounterDecoder;
import io.gannet.protocol.RemovePublicationDecoder;
import io.gannet.protocol.RemoveSubscriptionDecoder;
import io.gannet.protocol.ResumeDoneDecoder;
import io.gannet.protocol.ResumeImageDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.status.CountersReader;

/**
 * Decodes the messages of one client's command ring for a {@link CommandHandler}, after checking them: whatever the
 * bytes are, the handler gets either a command or {@link CommandHandler#onMalformedCommand}. Not thread-safe.
 */
public final class CommandReader implements MessageHandler
{
    private final CommandHandler handler;
    private final ConnectDecoder connect = new ConnectDecoder();
    private final AddPublicationDecoder addPublication = new AddPublicationDecoder();
    private final RemovePublicationDecoder removePublication = new RemovePublicationDecoder();
    private final AddSubscriptionDecoder addSubscription = new AddSubscriptionDecoder();
    private final RemoveSubscriptionDecoder removeSubscription = new RemoveSubscriptionDecoder();
    private final ResumeImageDecoder resumeImage = new ResumeImageDecoder();
    private final ReleaseImageDecoder releaseImage = new ReleaseImageDecoder();
    private final AddCounterDecoder addCounter = new AddCounterDecoder();
    private final RemoveCounterDecoder removeCounter = new RemoveCounterDecoder();
    private final ResumeDoneDecoder resumeDone = new ResumeDoneDecoder();
    private final CloseClientDecoder closeClient = new CloseClientDecoder();

    /**
     * @param handler called on the thread that reads the ring.
     */
    public CommandReader(final CommandHandler handler)
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
            handler.onMalformedCommand(problem);
            return;
        }
        final int at = index + HEADER_LENGTH;
        final int block = MessageFrame.blockLength(buffer, index);
        final int version = MessageFrame.version(buffer, index);
        switch (MessageFrame.templateId(buffer, index))
        {
            case ConnectDecoder.TEMPLATE_ID ->
            {
                connect.wrap(buffer, at, block, version);
                handler.onConnect(connect.correlationId(), connect.driverEpoch(), connect.protocolVersion());
            }
            case AddPublicationDecoder.TEMPLATE_ID -> onAddPublication(buffer, at, block, version);
            case RemovePublicationDecoder.TEMPLATE_ID ->
            {
                removePublication.wrap(buffer, at, block, version);
                handler.onRemovePublication(removePublication.correlationId(), removePublication.registrationId());
            }
            case AddSubscriptionDecoder.TEMPLATE_ID ->
            {
                addSubscription.wrap(buffer, at, block, version);
                handler.onAddSubscription(addSubscription.correlationId(), addSubscription.registrationId(),
                    addSubscription.streamId(), addSubscription.channel());
            }
            case RemoveSubscriptionDecoder.TEMPLATE_ID ->
            {
                removeSubscription.wrap(buffer, at, block, version);
                handler.onRemoveSubscription(removeSubscription.correlationId(), removeSubscription.registrationId());
            }
            case ResumeImageDecoder.TEMPLATE_ID ->
            {
                resumeImage.wrap(buffer, at, block, version);
                handler.onResumeImage(resumeImage.subscriptionId(), resumeImage.ringId(), resumeImage.gate());
            }
            case ReleaseImageDecoder.TEMPLATE_ID ->
            {
                releaseImage.wrap(buffer, at, block, version);
                handler.onReleaseImage(releaseImage.subscriptionId(), releaseImage.ringId());
            }
            case AddCounterDecoder.TEMPLATE_ID -> onAddCounter(buffer, at, block, version);
            case RemoveCounterDecoder.TEMPLATE_ID ->
            {
                removeCounter.wrap(buffer, at, block, version);
                handler.onRemoveCounter(removeCounter.correlationId(), removeCounter.registrationId());
            }
            case ResumeDoneDecoder.TEMPLATE_ID ->
            {
                resumeDone.wrap(buffer, at, block, version);
                handler.onResumeDone(resumeDone.correlationId());
            }
            default ->
            {
                closeClient.wrap(buffer, at, block, version);
                handler.onCloseClient(closeClient.correlationId());
            }
        }
    }

    private void onAddPublication(final DirectBuffer buffer, final int at, final int block, final int version)
    {
        addPublication.wrap(buffer, at, block, version);
        final PublicationKind kind = addPublication.kind();
        if (kind != PublicationKind.CONCURRENT && kind != PublicationKind.EXCLUSIVE)
        {
            handler.onMalformedCommand("AddPublication: unknown kind " + addPublication.kindRaw());
            return;
        }
        handler.onAddPublication(addPublication.correlationId(), addPublication.registrationId(), kind,
            addPublication.streamId(), addPublication.channel(), addPublication.resumeRingId());
    }

    private void onAddCounter(final DirectBuffer buffer, final int at, final int block, final int version)
    {
        addCounter.wrap(buffer, at, block, version);
        final long correlationId = addCounter.correlationId();
        final long registrationId = addCounter.registrationId();
        final long value = addCounter.value();
        final int typeId = addCounter.typeId();
        final byte[] key = new byte[addCounter.keyLength()];
        addCounter.getKey(key, 0, key.length);
        if (key.length > CountersReader.MAX_KEY_LENGTH)
        {
            handler.onMalformedCommand("AddCounter: key of " + key.length + " bytes, at most " +
                CountersReader.MAX_KEY_LENGTH);
            return;
        }
        handler.onAddCounter(correlationId, registrationId, typeId, key, addCounter.label(), value);
    }

    private static String check(final DirectBuffer buffer, final int index, final int length)
    {
        final String problem = MessageFrame.checkHeader(buffer, index, length, ConnectDecoder.SCHEMA_ID);
        if (problem != null)
        {
            return problem;
        }
        final int templateId = MessageFrame.templateId(buffer, index);
        return switch (templateId)
        {
            case ConnectDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ConnectDecoder.BLOCK_LENGTH, 0);
            case AddPublicationDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, AddPublicationDecoder.BLOCK_LENGTH, 1);
            case RemovePublicationDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, RemovePublicationDecoder.BLOCK_LENGTH, 0);
            case AddSubscriptionDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, AddSubscriptionDecoder.BLOCK_LENGTH, 1);
            case RemoveSubscriptionDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, RemoveSubscriptionDecoder.BLOCK_LENGTH, 0);
            case ResumeImageDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ResumeImageDecoder.BLOCK_LENGTH, 0);
            case ReleaseImageDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ReleaseImageDecoder.BLOCK_LENGTH, 0);
            case AddCounterDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, AddCounterDecoder.BLOCK_LENGTH, 2);
            case RemoveCounterDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, RemoveCounterDecoder.BLOCK_LENGTH, 0);
            case ResumeDoneDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, ResumeDoneDecoder.BLOCK_LENGTH, 0);
            case CloseClientDecoder.TEMPLATE_ID ->
                MessageFrame.checkBody(buffer, index, length, CloseClientDecoder.BLOCK_LENGTH, 0);
            default -> "template " + templateId + " is no command";
        };
    }
}

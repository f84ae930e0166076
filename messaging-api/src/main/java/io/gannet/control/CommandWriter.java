package io.gannet.control;

import io.gannet.protocol.AddCounterEncoder;
import io.gannet.protocol.AddPublicationEncoder;
import io.gannet.protocol.AddSubscriptionEncoder;
import io.gannet.protocol.CloseClientEncoder;
import io.gannet.protocol.ConnectEncoder;
import io.gannet.protocol.PublicationKind;
import io.gannet.protocol.ReleaseImageEncoder;
import io.gannet.protocol.RemoveCounterEncoder;
import io.gannet.protocol.RemovePublicationEncoder;
import io.gannet.protocol.RemoveSubscriptionEncoder;
import io.gannet.protocol.ResumeDoneEncoder;
import io.gannet.protocol.ResumeImageEncoder;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * The client's side of the command ring. Each method returns false when the ring is full and nothing was written.
 * Not thread-safe: one producer. See {@link CommandHandler} for what the commands mean.
 */
public final class CommandWriter
{
    private final MessageWriter out;
    private final ConnectEncoder connect = new ConnectEncoder();
    private final AddPublicationEncoder addPublication = new AddPublicationEncoder();
    private final RemovePublicationEncoder removePublication = new RemovePublicationEncoder();
    private final AddSubscriptionEncoder addSubscription = new AddSubscriptionEncoder();
    private final RemoveSubscriptionEncoder removeSubscription = new RemoveSubscriptionEncoder();
    private final ResumeImageEncoder resumeImage = new ResumeImageEncoder();
    private final ReleaseImageEncoder releaseImage = new ReleaseImageEncoder();
    private final AddCounterEncoder addCounter = new AddCounterEncoder();
    private final RemoveCounterEncoder removeCounter = new RemoveCounterEncoder();
    private final ResumeDoneEncoder resumeDone = new ResumeDoneEncoder();
    private final CloseClientEncoder closeClient = new CloseClientEncoder();

    /**
     * @param ring the command ring of a client file.
     */
    public CommandWriter(final RingBuffer ring)
    {
        out = new MessageWriter(ring);
    }

    /**
     * Whether nobody else has written over this side's positions; if somebody has, nothing is written any more. Noise
     * in the driver's position is the driver's to find, which then has the client connect anew.
     */
    public boolean isIntact()
    {
        return out.areOwnWordsIntact();
    }

    /** See {@link CommandHandler#onConnect}. */
    public boolean connect(final long correlationId, final long driverEpoch)
    {
        connect.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .driverEpoch(driverEpoch)
            .protocolVersion(ConnectEncoder.SCHEMA_VERSION);
        return out.write(ConnectEncoder.TEMPLATE_ID, connect.limit());
    }

    /** See {@link CommandHandler#onAddPublication}. */
    public boolean addPublication(
        final long correlationId,
        final long registrationId,
        final PublicationKind kind,
        final int streamId,
        final String channel,
        final long resumeRingId)
    {
        final byte[] channelBytes = MessageWriter.encode("channel", channel);
        addPublication.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId)
            .resumeRingId(resumeRingId)
            .streamId(streamId)
            .kind(kind)
            .putChannel(channelBytes, 0, channelBytes.length);
        return out.write(AddPublicationEncoder.TEMPLATE_ID, addPublication.limit());
    }

    /** See {@link CommandHandler#onRemovePublication}. */
    public boolean removePublication(final long correlationId, final long registrationId)
    {
        removePublication.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId);
        return out.write(RemovePublicationEncoder.TEMPLATE_ID, removePublication.limit());
    }

    /** See {@link CommandHandler#onAddSubscription}. */
    public boolean addSubscription(
        final long correlationId, final long registrationId, final int streamId, final String channel)
    {
        final byte[] channelBytes = MessageWriter.encode("channel", channel);
        addSubscription.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId)
            .streamId(streamId)
            .putChannel(channelBytes, 0, channelBytes.length);
        return out.write(AddSubscriptionEncoder.TEMPLATE_ID, addSubscription.limit());
    }

    /** See {@link CommandHandler#onRemoveSubscription}. */
    public boolean removeSubscription(final long correlationId, final long registrationId)
    {
        removeSubscription.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId);
        return out.write(RemoveSubscriptionEncoder.TEMPLATE_ID, removeSubscription.limit());
    }

    /** See {@link CommandHandler#onResumeImage}. */
    public boolean resumeImage(final long subscriptionId, final long ringId, final int gate)
    {
        resumeImage.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .subscriptionId(subscriptionId)
            .ringId(ringId)
            .gate(gate);
        return out.write(ResumeImageEncoder.TEMPLATE_ID, resumeImage.limit());
    }

    /** See {@link CommandHandler#onReleaseImage}. */
    public boolean releaseImage(final long subscriptionId, final long ringId)
    {
        releaseImage.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .subscriptionId(subscriptionId)
            .ringId(ringId);
        return out.write(ReleaseImageEncoder.TEMPLATE_ID, releaseImage.limit());
    }

    /** See {@link CommandHandler#onAddCounter}. */
    public boolean addCounter(
        final long correlationId,
        final long registrationId,
        final int typeId,
        final byte[] key,
        final String label,
        final long value)
    {
        final byte[] labelBytes = MessageWriter.encode("label", label);
        addCounter.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId)
            .value(value)
            .typeId(typeId)
            .putKey(key, 0, key.length)
            .putLabel(labelBytes, 0, labelBytes.length);
        return out.write(AddCounterEncoder.TEMPLATE_ID, addCounter.limit());
    }

    /** See {@link CommandHandler#onRemoveCounter}. */
    public boolean removeCounter(final long correlationId, final long registrationId)
    {
        removeCounter.wrapAndApplyHeader(out.buffer(), 0, out.header())
            .correlationId(correlationId)
            .registrationId(registrationId);
        return out.write(RemoveCounterEncoder.TEMPLATE_ID, removeCounter.limit());
    }

    /** See {@link CommandHandler#onResumeDone}. */
    public boolean resumeDone(final long correlationId)
    {
        resumeDone.wrapAndApplyHeader(out.buffer(), 0, out.header()).correlationId(correlationId);
        return out.write(ResumeDoneEncoder.TEMPLATE_ID, resumeDone.limit());
    }

    /** See {@link CommandHandler#onCloseClient}. */
    public boolean closeClient(final long correlationId)
    {
        closeClient.wrapAndApplyHeader(out.buffer(), 0, out.header()).correlationId(correlationId);
        return out.write(CloseClientEncoder.TEMPLATE_ID, closeClient.limit());
    }
}

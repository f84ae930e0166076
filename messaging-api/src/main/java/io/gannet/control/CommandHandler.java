package io.gannet.control;

import io.gannet.protocol.PublicationKind;

/**
 * What a client may ask of its driver. Every value was decoded from checked bytes; its meaning is still the handler's
 * to check. The sequence of commands and events is in the package documentation.
 */
public interface CommandHandler
{
    /**
     * The client has (re)set its rings for this driver.
     *
     * @param protocolVersion the client's schema version.
     */
    void onConnect(long correlationId, long driverEpoch, int protocolVersion);

    /**
     * Asks for a ring to write to.
     *
     * @param resumeRingId the ring that the client holds since before a driver restart, or 0.
     */
    void onAddPublication(
        long correlationId, long registrationId, PublicationKind kind, int streamId, String channel, long resumeRingId);

    /** Also for a registration that isn't ready yet, or is unknown: success in each case. */
    void onRemovePublication(long correlationId, long registrationId);

    /** Images follow {@link EventHandler#onSubscriptionReady}. */
    void onAddSubscription(long correlationId, long registrationId, int streamId, String channel);

    /** Also for a registration that isn't ready yet, or is unknown: success in each case. */
    void onRemoveSubscription(long correlationId, long registrationId);

    /**
     * After a driver restart, sent after the subscription was added again: the client reads {@code ringId} through
     * entry {@code gate} of its gating list and goes on doing so.
     */
    void onResumeImage(long subscriptionId, long ringId, int gate);

    /** The client reads this ring no more: its gate may be removed. */
    void onReleaseImage(long subscriptionId, long ringId);

    /**
     * Asks for a counter that the client writes.
     *
     * @param key at most {@link org.agrona.concurrent.status.CountersReader#MAX_KEY_LENGTH} bytes.
     */
    void onAddCounter(
        long correlationId, long registrationId, int typeId, byte[] key, String label, long value);

    /** Also for an unknown registration: success. */
    void onRemoveCounter(long correlationId, long registrationId);

    /**
     * After {@code Connect}, and after the adds with which the client resumed what it holds: what a journal says beyond
     * that may go. Answered by success.
     */
    void onResumeDone(long correlationId);

    /** The client is going; its file will be unlocked and removed next. No answer. */
    void onCloseClient(long correlationId);

    /** Bytes that are no command. The ring may still be in step: later commands are decoded as if nothing happened. */
    void onMalformedCommand(String reason);
}

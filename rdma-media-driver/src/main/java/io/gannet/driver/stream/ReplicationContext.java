package io.gannet.driver.stream;

import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.ring.Bell;

/**
 * What all control classes of one device share. For the control thread alone.
 */
final class ReplicationContext
{
    /** 10 us, the shortest of the InfiniBand table: credits make it rare, and 0 would mean 655 ms. */
    private static final int MIN_RNR_TIMER = 1;

    final RdmaDevice device;
    final ReplicationSettings settings;
    final Sender sender;
    final Receiver receiver;
    final ReplicationListener listener;
    final ReplicationResources resources;
    final Bell.Waker waker;
    final CompletionQueuePool senderQueues;
    final CompletionQueuePool receiverQueues;
    final IndexPool senderIndexes = new IndexPool();
    final IndexPool receiverIndexes = new IndexPool();
    /** What the agents and the resource thread have for control. */
    final AgentQueue inbox;
    private long now;

    ReplicationContext(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final Sender sender,
        final Receiver receiver,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker)
    {
        this.device = device;
        this.settings = settings;
        this.sender = sender;
        this.receiver = receiver;
        this.listener = listener;
        this.resources = resources;
        this.waker = waker;
        senderQueues = new CompletionQueuePool(device, sender::add);
        receiverQueues = new CompletionQueuePool(device, receiver::add);
        sender.channel(senderQueues.channel());
        receiver.channel(receiverQueues.channel());
        inbox = new AgentQueue(resources::wakeControl);
    }

    QpAttributes attributes(
        final CompletionQueuePool pool, final int sendDepth, final int receiveDepth)
    {
        final var queue = pool.reserve(sendDepth + receiveDepth);
        return new QpAttributes(queue, queue, sendDepth, receiveDepth, settings.inlineThreshold(), MIN_RNR_TIMER);
    }

    void release(final CompletionQueuePool pool, final QpAttributes attributes)
    {
        pool.release(attributes.sendQueue(), attributes.sendDepth() + attributes.receiveDepth());
    }

    /** {@return nanoseconds, as of the start of this duty cycle} */
    long now()
    {
        return now;
    }

    void now(final long nanos)
    {
        now = nanos;
    }
}

package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ProtectionDomain;
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
    final ReplicationListener listener;
    final ReplicationResources resources;
    final Bell.Waker waker;
    final AgentShares<Sender> senders;
    final AgentShares<Receiver> receivers;
    final IndexPool senderIndexes;
    final IndexPool receiverIndexes;
    /** What the agents and the resource thread have for control. */
    final AgentQueue inbox;
    final LiveImages images = new LiveImages();
    /** Names that are being looked up, and for whom. */
    private final Map<InetSocketAddress, List<BiConsumer<InetSocketAddress, Throwable>>> lookUps = new HashMap<>();
    /** What names this driver to publishers, over restarts. */
    final long driverId;
    /** Tells this driver from those before it in the same directory. */
    final int life;
    private ProtectionDomain questionDomain;
    private CompletionQueue questionQueue;
    private int imageNumber;
    private int connectors;
    private long now;

    ReplicationContext(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final List<Sender> senders,
        final List<Receiver> receivers,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker,
        final long driverId,
        final int life)
    {
        this.device = device;
        this.driverId = driverId;
        this.life = life;
        senderIndexes = new IndexPool(life);
        receiverIndexes = new IndexPool(life);
        this.settings = settings;
        this.listener = listener;
        this.resources = resources;
        this.waker = waker;
        this.senders = new AgentShares<>(device, senders, Sender::channel, Sender::add);
        try
        {
            this.receivers = new AgentShares<>(device, receivers, Receiver::channel, Receiver::add);
        }
        catch (final RuntimeException shortage)
        {
            this.senders.close();
            throw shortage;
        }
        inbox = new AgentQueue(resources::wakeControl);
    }

    /**
     * Looks a name up, away from the control thread; a resolved address is its own answer, at once. Who asks for what
     * is being looked up gets the same answer: a name server that is slow makes no queue.
     *
     * @param answer on the control thread: the address and null, or null and the failure.
     */
    void lookUp(final InetSocketAddress address, final BiConsumer<InetSocketAddress, Throwable> answer)
    {
        if (!address.isUnresolved())
        {
            answer.accept(address, null);
            return;
        }
        final List<BiConsumer<InetSocketAddress, Throwable>> others = lookUps.get(address);
        if (others != null)
        {
            others.add(answer);
            return;
        }
        lookUps.put(address, new ArrayList<>(List.of(answer)));
        resources.submitLookUp(() -> resources.lookUp(address), (found, failure) ->
            lookUps.remove(address).forEach(waiting -> waiting.accept(found, failure)));
    }

    QpAttributes attributes(
        final CompletionQueuePool pool, final int sendDepth, final int receiveDepth)
    {
        final var queue = pool.reserve(sendDepth + receiveDepth);
        return new QpAttributes(queue, queue, sendDepth, receiveDepth, settings.inlineThreshold(), MIN_RNR_TIMER);
    }

    /** Answers a request if it is a doctor's question, whichever listener it came to. {@return whether it was one} */
    boolean answersDoctor(final CmEvent request)
    {
        if (!HostRequest.isOne(request.privateData()))
        {
            return false;
        }
        final int offset = HostRequest.decode(request.privateData()).offset();
        final byte[] facts = resources.hostFacts(offset != 0);
        request.id().reject(facts == null ? SetupRefusal.encode(SetupRefusal.NOT_READY, SetupRefusal.ANY) :
            HostReply.of(facts, offset).encode());
        request.id().close();
        return true;
    }

    /** Refuses a request. {@return false if whoever asked had given up} */
    static boolean refuse(final CmId id, final int refusal, final int generation)
    {
        final boolean waits = id.reject(SetupRefusal.encode(refusal, generation));
        id.close();
        return waits;
    }

    void tellOfRequest(final CmId id, final RuntimeException problem)
    {
        listener.onError(
            "request from " + AddressText.withoutPort(id.remoteAddress()) + ": " + problem.getMessage());
    }

    /** {@return a number of 15 bits that no recent image of this driver's life has} */
    int nextImageNumber()
    {
        imageNumber = (imageNumber + 1) & 0x7FFF;
        return imageNumber;
    }

    /** {@return the number of one more who makes connections} */
    int nextConnector()
    {
        return connectors++;
    }

    /** {@return domain of queue pairs that only ask questions; it holds no memory} */
    ProtectionDomain questionDomain()
    {
        if (questionDomain == null)
        {
            questionDomain = device.allocateProtectionDomain();
        }
        return questionDomain;
    }

    /** {@return attributes of a queue pair that is never connected} */
    QpAttributes questionAttributes()
    {
        if (questionQueue == null)
        {
            questionQueue = device.createCompletionQueue(2, null);
        }
        return new QpAttributes(questionQueue, questionQueue, 1, 1, 0, MIN_RNR_TIMER);
    }

    /** Gives all queues back; the agents have ended. */
    void close()
    {
        senders.close();
        receivers.close();
        if (questionDomain != null)
        {
            questionDomain.close();
        }
        if (questionQueue != null)
        {
            questionQueue.close();
        }
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

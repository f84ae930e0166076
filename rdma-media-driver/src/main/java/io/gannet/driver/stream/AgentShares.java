package io.gannet.driver.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.RdmaDevice;

/**
 * The senders, or the receivers, of a driver, each with completion queues of its own and its share of the rings: a new
 * one goes to the agent that has fewest. For the control thread alone.
 *
 * @param <A> {@link Sender} or {@link Receiver}.
 */
final class AgentShares<A> implements AutoCloseable
{
    private final List<Share<A>> shares;

    /**
     * @param channel tells an agent where its queues announce themselves.
     * @param queue   gives an agent a queue to poll.
     * @throws io.gannet.rdma.RdmaException if the device cannot; nothing is held then.
     */
    AgentShares(
        final RdmaDevice device,
        final List<A> agents,
        final BiConsumer<A, CompletionChannel> channel,
        final BiConsumer<A, CompletionQueue> queue)
    {
        shares = new ArrayList<>(agents.size());
        try
        {
            for (final A agent : agents)
            {
                final CompletionQueuePool queues = new CompletionQueuePool(device, made -> queue.accept(agent, made));
                shares.add(new Share<>(agent, queues));
                channel.accept(agent, queues.channel());
            }
        }
        catch (final RuntimeException shortage)
        {
            close();
            throw shortage;
        }
    }

    /** Takes a place with the agent that has fewest rings; the caller gives it back. */
    Share<A> take()
    {
        Share<A> least = shares.getFirst();
        for (final Share<A> share : shares)
        {
            least = share.rings < least.rings ? share : least;
        }
        least.rings++;
        return least;
    }

    void release(final Share<A> share)
    {
        share.rings--;
    }

    /** {@return rings of each agent} */
    int[] sizes()
    {
        return shares.stream().mapToInt(share -> share.rings).toArray();
    }

    /** {@return descriptor that is readable when something completed for an armed agent; -1 without one} */
    int descriptor(final int index)
    {
        return shares.get(index).queues.channel().fileDescriptor();
    }

    @Override
    public void close()
    {
        shares.forEach(share -> share.queues.close());
    }

    /** One agent and what it has. */
    static final class Share<A>
    {
        final A agent;
        final CompletionQueuePool queues;
        private int rings;

        Share(final A agent, final CompletionQueuePool queues)
        {
            this.agent = agent;
            this.queues = queues;
        }
    }
}

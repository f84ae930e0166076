package io.gannet.perf.beside;

import io.gannet.perf.verbs.VerbsPair;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * Fills and posts one inline write with immediate after the other, every sixteenth signaled, on the fake device: what
 * {@code post_loop.c} does.
 */
final class PostLoop implements Loop
{
    static final String NAME = "post";

    private static final int SIGNAL = 16;
    /** Of as many posts as a run has. */
    private static final int WARM_UPS = 5;

    private final VerbsPair pair;
    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final WorkCompletions completions = new WorkCompletions(SIGNAL);
    private final int bytes;
    private final long local;
    private final long remote;
    private final int key;
    private final long posts;

    private PostLoop(final VerbsPair pair, final int bytes, final long posts)
    {
        this.pair = pair;
        this.bytes = bytes;
        this.posts = posts;
        queuePair = pair.firstQueuePair();
        queue = pair.firstSends();
        local = pair.memoryAddress();
        remote = local + 4096;
        key = pair.localKey();
    }

    static Loop open(final List<String> arguments)
    {
        final int bytes = Integer.parseInt(arguments.get(0));
        final int depth = Integer.parseInt(arguments.get(1));
        final VerbsOptions options = VerbsOptions.ANY.withAddress(InetAddress.ofLiteral("127.0.0.1"))
            .withCriticalCalls(arguments.get(3).equals("critical"));
        final VerbsPair pair = new VerbsPair(
            VerbsDevice.open(options), VerbsDevice.open(options), 1, depth, 220, 8192);
        final PostLoop loop = new PostLoop(pair, bytes, Long.parseLong(arguments.get(2)));
        for (int i = 0; i < WARM_UPS; i++)
        {
            loop.nanos(loop.posts);
        }
        return loop;
    }

    @Override
    public String run(final List<String> none)
    {
        nanos(posts / 4);
        return String.format(Locale.ROOT, "%.3f", nanos(posts) / (double) posts);
    }

    private long nanos(final long count)
    {
        final long start = System.nanoTime();
        for (long i = 0; i < count; i += SIGNAL)
        {
            for (int j = 1; j < SIGNAL; j++)
            {
                post(i + j, SendFlags.INLINE);
            }
            post(i + SIGNAL, SendFlags.INLINE | SendFlags.SIGNALED);
            poll();
        }
        return System.nanoTime() - start;
    }

    private void post(final long id, final int flags)
    {
        queuePair.addWriteWithImm(id, flags, local, bytes, key, remote, key, (int) id);
        if (queuePair.ringDoorbell() != 0)
        {
            throw new IllegalStateException("the doorbell was refused");
        }
    }

    private void poll()
    {
        final int count = queue.poll(completions);
        for (int i = 0; i < count; i++)
        {
            if (completions.status(i) != WcStatus.SUCCESS)
            {
                throw new IllegalStateException("a write ended with status " + completions.status(i));
            }
        }
    }

    @Override
    public void close()
    {
        pair.close();
    }
}

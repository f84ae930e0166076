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
    private static final int WARM_UPS = 5;

    private final VerbsPair pair;
    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final WorkCompletions completions = new WorkCompletions(SIGNAL);
    private final int bytes;
    private final long posts;

    private PostLoop(final VerbsPair pair, final int bytes, final long posts)
    {
        this.pair = pair;
        this.bytes = bytes;
        this.posts = posts;
        queuePair = pair.firstQueuePair();
        queue = pair.firstSends();
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
            loop.nanos(loop.posts / WARM_UPS);
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
        final long local = pair.memoryAddress();
        final int key = pair.localKey();
        final long start = System.nanoTime();
        for (long i = 1; i <= count; i++)
        {
            final boolean signaled = i % SIGNAL == 0;
            queuePair.addWriteWithImm(i, SendFlags.INLINE | (signaled ? SendFlags.SIGNALED : SendFlags.NONE), local,
                bytes, key, local + 4096, key, (int) i);
            if (queuePair.ringDoorbell() != 0)
            {
                throw new IllegalStateException("the doorbell was refused");
            }
            if (signaled)
            {
                poll();
            }
        }
        return System.nanoTime() - start;
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

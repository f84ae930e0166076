package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A name server that does not answer. */
class SlowNamesTest
{
    private static final int PORT = 4720;

    private final CountDownLatch answers = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final NumberedMessages messages = new NumberedMessages();
    /** Of their own: a common pool of one thread would not begin with the second before the first is done. */
    private final Executor threads = task -> Thread.ofPlatform().start(task);

    private InetAddress lookUp(final String host)
    {
        if (host.startsWith("slow"))
        {
            asked.incrementAndGet();
            try
            {
                assertThat(answers.await(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
            catch (final InterruptedException end)
            {
                Thread.currentThread().interrupt();
            }
        }
        return InetAddress.ofLiteral("127.0.0.1");
    }

    @Test
    void keepsOnlyThoseWaitingWhoNameIt()
    {
        try (RdmaHost host = new RdmaHost("slow-names", UnaryOperator.identity(), this::lookUp);
            Gannet waiting = host.connect(); Gannet client = host.connect())
        {
            final CompletableFuture<Subscription> subscription = CompletableFuture.supplyAsync(
                () -> waiting.addSubscription("gannet:rdma?endpoint=slow.example:" + PORT, 10), threads);
            final CompletableFuture<Publication> publication = CompletableFuture.supplyAsync(
                () -> waiting.addPublication("gannet:rdma?endpoint=slower.example:" + PORT, 11), threads);
            Await.until("the look-up", () -> asked.get() > 0);
            try (Subscription ipc = client.addSubscription("gannet:ipc", 1);
                Publication local = client.addPublication("gannet:ipc?ring=64k", 1);
                Subscription literal = client.addSubscription(host.channel(PORT + 1), 2);
                Publication remote = client.addPublication(host.channel(PORT + 1) + "|ring=64k", 2))
            {
                Await.until("connections", () -> local.isConnected() && remote.isConnected());
                messages.pass(local, 0, 100, new NumberedMessages.Checker(ipc, 0));
                messages.pass(remote, 0, 100, new NumberedMessages.Checker(literal, 0));
            }
            assertThat(subscription).isNotDone();
            assertThat(publication).isNotDone();
            answers.countDown();
            subscription.join().close();
            publication.join().close();
        }
        finally
        {
            answers.countDown();
        }
    }
}

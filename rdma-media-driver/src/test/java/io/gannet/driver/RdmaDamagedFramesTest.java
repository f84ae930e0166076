package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Something writes into the frames of a ring that goes to another host and that nobody reads on this one. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RdmaDamagedFramesTest
{
    private static final int STREAM = 10;
    private static final int CAPACITY = 64 * 1024;
    private static final int PORT = 4740;

    private final NumberedMessages messages = new NumberedMessages();

    @Test
    void endThatStreamAloneAndItsPublisherIsTold() throws IOException
    {
        try (RdmaHost from = new RdmaHost("frames-from"); RdmaHost to = new RdmaHost("frames-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(to.channel(PORT), STREAM);
            ExclusivePublication publication =
                publisher.addExclusivePublication(to.channel(PORT) + "|ring=64k", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            messages.pass(publication, 0, 100, new Checker(subscription, 0));
            final Path ring = from.directory().resolve("rings").resolve(
                TestDirectory.list(from.directory().resolve("rings")).stream()
                    .filter(name -> name.endsWith(".ring")).findFirst().orElseThrow());
            try (Subscription neighbour = subscriber.addSubscription(to.channel(PORT), STREAM + 1);
                Publication untouched = publisher.addPublication(to.channel(PORT) + "|ring=64k", STREAM + 1);
                FileChannel file = FileChannel.open(ring, StandardOpenOption.WRITE))
            {
                Await.until("another connection", untouched::isConnected);
                // The length of the frame that comes next.
                file.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(0, 5),
                    RingLayout.HEADER_LENGTH + publication.position() % CAPACITY);
                Await.until("the publication's end", publication::isClosed);
                Await.until("the image's end", () -> !subscription.isConnected());
                assertThat(from.log().stream().filter(line -> line.contains("is damaged"))).singleElement().asString()
                    .contains(ring.getFileName().toString()).contains("stream " + STREAM);
                messages.pass(untouched, 0, 1_000, new Checker(neighbour, 0));
            }
        }
    }
}

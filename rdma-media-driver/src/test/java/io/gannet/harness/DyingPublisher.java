package io.gannet.harness;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A process that publishes one {@link FlowPublisher} message into a shared ring and dies before a chosen access to the
 * ring's memory; or prints {@link #SURVIVED}, if it makes fewer.
 */
public final class DyingPublisher
{
    /** Printed when the message was published whole. */
    public static final String SURVIVED = "survived";
    /** Printed before the message. */
    public static final String BEGINS = "begins";

    private static final int LENGTH = 300;

    private DyingPublisher()
    {
    }

    /** Arguments: directory, channel, the access to die before, whether by a claim instead of an offer. */
    static void main(final String[] arguments) throws IOException
    {
        final Path directory = Path.of(arguments[0]);
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(directory).name("dying publisher")
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Publication publication = client.addPublication(arguments[1], FlowPublisher.STREAM_ID))
        {
            Await.until("a subscriber", publication::isConnected);
            final String file = TestDirectory.list(directory.resolve("rings")).stream()
                .filter(name -> name.endsWith(".ring")).findFirst().orElseThrow();
            final DeadlyMemory memory = new DeadlyMemory();
            final Ring ring = RingFile.attach(directory.resolve("rings").resolve(file), RingFile.Access.WRITE)
                .accessedBy(memory);
            final ConcurrentProducer producer = new ConcurrentProducer(ring, client.clientId(), Bell.FUTEX_WAKER);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            final ThreadLocalRandom random = ThreadLocalRandom.current();
            FlowPublisher.fill(message, LENGTH, random.nextLong(), 0, random);
            System.out.println(BEGINS);
            System.out.flush();
            publish(producer, message, memory, Long.parseLong(arguments[2]), Boolean.parseBoolean(arguments[3]));
            memory.disarm();
        }
        System.out.println(SURVIVED);
    }

    private static void publish(
        final ConcurrentProducer producer,
        final UnsafeBuffer message,
        final DeadlyMemory memory,
        final long access,
        final boolean claim)
    {
        final FrameClaim frame = new FrameClaim();
        boolean published;
        do
        {
            // Counted from the start of the call that goes through, as one that doesn't takes fewer steps.
            memory.dieBefore(access);
            if (claim)
            {
                published = producer.tryClaim(LENGTH, frame) > 0;
                if (published)
                {
                    frame.buffer().putBytes(frame.offset(), message, 0, LENGTH);
                    frame.commit();
                }
            }
            else
            {
                published = producer.offer(message, 0, LENGTH) > 0;
            }
        }
        while (!published);
    }
}

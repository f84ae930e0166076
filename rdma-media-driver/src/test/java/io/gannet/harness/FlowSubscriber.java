package io.gannet.harness;

import io.gannet.Gannet;
import io.gannet.Subscription;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;

/**
 * A process that checks the messages of {@link FlowPublisher}s, each of them a sequence without a gap and whole, until
 * it is killed. Prints what it counts, and the first fault.
 */
public final class FlowSubscriber
{
    /** Starts the line of a fault. */
    static final String FAULT = "FAULT ";

    private static final int EXIT_CODE = 3;
    private static final int REPORT = 2_000;

    private final Map<Long, Long> next = new HashMap<>();
    private final String deed;
    private final long deedAfter;
    private final boolean mayDrop;
    /** Gaps told, by the conductor's thread, and those met in the messages. */
    private final AtomicInteger toldGaps = new AtomicInteger();
    private int metGaps;
    private long count;

    private FlowSubscriber(final String deed)
    {
        this.deed = deed.substring(0, deed.indexOf('='));
        mayDrop = "may-drop".equals(this.deed);
        deedAfter = this.deed.isEmpty() ? Long.MAX_VALUE : Long.parseLong(deed.substring(deed.indexOf('=') + 1));
    }

    /**
     * Arguments: directory, channel, and perhaps {@code exit-after=N} (exits without close),
     * {@code stop-in-handler-after=N} (says so and stays there), or {@code may-drop=0} (messages may be missing, each
     * time after a gap was told).
     */
    static void main(final String[] arguments)
    {
        final FlowSubscriber subscriber = new FlowSubscriber(arguments.length > 2 ? arguments[2] : "=");
        final Gannet.Context context = new Gannet.Context().directory(Path.of(arguments[0]))
            .driverTimeout(60, TimeUnit.SECONDS).name("flow subscriber")
            .driverListener(new FlowPublisher.PrintingListener())
            .gapHandler((subscription, sessionId, from, to) -> subscriber.onGap(from, to))
            .availableImageHandler(image -> System.out.println("image " + image.sessionId()))
            .unavailableImageHandler(image -> System.out.println("image gone " + image.sessionId()));
        try (Gannet client = Gannet.connect(context);
            Subscription subscription = client.addSubscription(arguments[1], FlowPublisher.STREAM_ID))
        {
            System.out.println("subscribed");
            while (!subscription.isClosed())
            {
                if (subscription.poll(
                    (buffer, offset, length, header) -> subscriber.check(buffer, offset, length), 64) == 0)
                {
                    subscription.awaitMessage(100, TimeUnit.MILLISECONDS);
                }
            }
        }
        System.out.println("subscription closed");
    }

    private void onGap(final long from, final long to)
    {
        toldGaps.incrementAndGet();
        System.out.println("gap " + from + " " + to);
    }

    private void doDeed()
    {
        if (mayDrop)
        {
            return;
        }
        if ("exit-after".equals(deed))
        {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        System.out.println("inside the handler of message " + count);
        System.out.flush();
        while (true)
        {
            java.util.concurrent.locks.LockSupport.park();
        }
    }

    private void check(final DirectBuffer buffer, final int offset, final int length)
    {
        final long sequence = buffer.getLong(offset + FlowPublisher.SEQUENCE);
        final Long publisher = buffer.getLong(offset + FlowPublisher.PUBLISHER);
        final Long expected = next.put(publisher, sequence + 1);
        if (expected != null && mayDrop && sequence > expected)
        {
            metGaps++;
        }
        if (expected != null && (mayDrop ? sequence < expected : sequence != expected))
        {
            System.out.println(FAULT + "publisher " + publisher + ": " + sequence + " came, " + expected +
                " was next");
        }
        if (metGaps > toldGaps.get())
        {
            System.out.println(FAULT + "publisher " + publisher + ": " + sequence + " came, " + expected +
                " was next, and no gap was told before");
        }
        if (buffer.getLong(offset + FlowPublisher.CHECKSUM) != FlowPublisher.checksum(buffer, offset, length))
        {
            System.out.println(FAULT + "publisher " + publisher + ": checksum of " + sequence + ", " + length +
                " bytes");
        }
        count++;
        if (count == deedAfter)
        {
            doDeed();
        }
        if (count % REPORT == 0)
        {
            System.out.println(FlowPublisher.COUNT + count);
        }
    }
}

package io.gannet.cli;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Brings one message from a publication to a subscription of the same client.
 */
final class FirstMessage
{
    private static final int LENGTH = 64;
    private static final int STREAM_ID = 1;
    private static final long DEADLINE_SECONDS = 30;

    private FirstMessage()
    {
    }

    /**
     * Waits for the directory's driver, connects, and returns when a message has arrived.
     *
     * @throws OperatorException if none did within 30 s.
     */
    static void await(final Path directory, final boolean exclusive)
    {
        final Gannet.Context context = new Gannet.Context().directory(directory).name("first message")
            .driverTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS);
        try (Gannet client = Gannet.connect(context);
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM_ID);
            Publication publication = exclusive ? client.addExclusivePublication("gannet:ipc?ring=4m", STREAM_ID) :
                client.addPublication("gannet:ipc?ring=4m", STREAM_ID))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            boolean sent = false;
            while (subscription.poll((buffer, offset, length, header) -> { }, 1) == 0)
            {
                if (System.nanoTime() - deadline > 0)
                {
                    throw new OperatorException("no message arrived within " + DEADLINE_SECONDS + " s");
                }
                sent = sent || publication.offer(message, 0, LENGTH) > 0;
                Thread.onSpinWait();
            }
        }
    }
}

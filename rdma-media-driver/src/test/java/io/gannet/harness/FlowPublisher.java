package io.gannet.harness;

import io.gannet.DriverListener;
import io.gannet.Gannet;
import io.gannet.Publication;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A process that publishes numbered, checksummed messages of random length until it is killed: about 20,000 a second,
 * so that it leaves the machine to others. Prints what it counts.
 */
public final class FlowPublisher
{
    /** Starts each line with a count. */
    static final String COUNT = "count ";
    /** Stream of all flows. */
    public static final int STREAM_ID = 10;
    public static final int SEQUENCE = 0;
    public static final int PUBLISHER = 8;
    public static final int CHECKSUM = 16;
    static final int BODY = 24;

    private static final int MAX_LENGTH = 600;
    private static final int BATCH = 100;
    private static final int REPORT_BATCHES = 10;

    private FlowPublisher()
    {
    }

    /** Arguments: directory, whether exclusive, channel. */
    static void main(final String[] arguments)
    {
        final Gannet.Context context = new Gannet.Context().directory(Path.of(arguments[0]))
            .driverTimeout(60, TimeUnit.SECONDS).name("flow publisher").driverListener(new PrintingListener());
        try (Gannet client = Gannet.connect(context);
            Publication publication = Boolean.parseBoolean(arguments[1]) ?
                client.addExclusivePublication(arguments[2], STREAM_ID) :
                client.addPublication(arguments[2], STREAM_ID))
        {
            System.out.println("publishing");
            publish(publication);
        }
        System.out.println("publication closed");
    }

    private static void publish(final Publication publication)
    {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final long publisher = random.nextLong();
        long sequence = 0;
        for (int batch = 0; !publication.isClosed(); batch++)
        {
            for (int i = 0; i < BATCH; i++)
            {
                final int length = BODY + random.nextInt(MAX_LENGTH - BODY);
                fill(message, length, publisher, sequence, random);
                final long result = publication.offer(message, 0, length);
                if (result > 0)
                {
                    sequence++;
                }
                else if (result == Publication.CLOSED)
                {
                    return;
                }
                else
                {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
                }
            }
            if (batch % REPORT_BATCHES == 0)
            {
                System.out.println(COUNT + sequence);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    static void fill(
        final UnsafeBuffer message,
        final int length,
        final long publisher,
        final long sequence,
        final ThreadLocalRandom random)
    {
        message.putLong(SEQUENCE, sequence);
        message.putLong(PUBLISHER, publisher);
        for (int i = BODY; i < length; i++)
        {
            message.putByte(i, (byte) random.nextInt());
        }
        message.putLong(CHECKSUM, checksum(message, 0, length));
    }

    /** Over everything but the checksum itself. */
    public static long checksum(final org.agrona.DirectBuffer buffer, final int offset, final int length)
    {
        long sum = length;
        for (int i = 0; i < length; i++)
        {
            if (i < CHECKSUM || i >= BODY)
            {
                sum = sum * 31 + buffer.getByte(offset + i);
            }
        }
        return sum;
    }

    /** Prints what the client tells of its driver. */
    static final class PrintingListener implements DriverListener
    {
        @Override
        public void onDriverLost(final String detail)
        {
            System.out.println("driver lost: " + detail);
        }

        @Override
        public void onDriverBack(final long epoch)
        {
            System.out.println("driver back: " + epoch);
        }
    }
}

package io.gannet.perf.link;

import io.gannet.perf.os.Descriptors;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Captures all frames of a namespace into a file, on a thread of its own, and counts those of RoCE v2 over IPv4.
 */
public final class Capture implements AutoCloseable
{
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW_NONBLOCK = 3 | 0x800;
    /** All protocols, in network byte order. */
    private static final int ETH_P_ALL = 0x0300;
    private static final int LARGEST = 1 << 17;
    private static final int ETHERNET_HEADER = 14;
    private static final int UDP = 17;
    private static final int ROCE = 4791;
    private static final int POLL_MILLIS = 20;

    private final Thread thread;
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile boolean running = true;
    private final Set<Integer> sources = ConcurrentHashMap.newKeySet();
    private final AtomicLong roce = new AtomicLong();
    private volatile int longest;

    /** Begins to capture. */
    public Capture(final Path namespace, final Path file) throws InterruptedException
    {
        thread = Thread.ofPlatform().daemon(true).name("capture").start(() -> run(namespace, file));
        begun.await(10, TimeUnit.SECONDS);
    }

    /** Frames with UDP port 4791 so far. */
    public long roceFrames()
    {
        return roce.get();
    }

    /** Their source ports. */
    public Set<Integer> sourcePorts()
    {
        return Set.copyOf(sources);
    }

    /** Bytes of the longest of these, without the Ethernet header. */
    public int longestPacket()
    {
        return longest;
    }

    private void run(final Path namespace, final Path file)
    {
        final int descriptor = Descriptors.open(namespace.toString(), Descriptors.READ);
        Descriptors.enter(descriptor, Descriptors.NEW_NETWORK);
        Descriptors.close(descriptor);
        final int socket = Descriptors.socket(AF_PACKET, SOCK_RAW_NONBLOCK, ETH_P_ALL);
        try (Arena arena = Arena.ofConfined(); OutputStream out =
            PacketFile.create(Files.newOutputStream(file), PacketFile.ETHERNET))
        {
            final MemorySegment buffer = arena.allocate(LARGEST, 64);
            final MemorySegment poll = arena.allocate(8, 8);
            poll.set(ValueLayout.JAVA_INT, 0, socket);
            poll.set(ValueLayout.JAVA_SHORT, Integer.BYTES, (short) 1);
            begun.countDown();
            while (running)
            {
                final long length = Descriptors.read(socket, buffer, LARGEST);
                if (length > 0)
                {
                    final byte[] frame = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
                    PacketFile.write(out, frame, System.currentTimeMillis());
                    count(frame);
                }
                else
                {
                    Descriptors.poll(poll, 1, POLL_MILLIS);
                }
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        finally
        {
            Descriptors.close(socket);
        }
    }

    private void count(final byte[] frame)
    {
        final int ip = ETHERNET_HEADER;
        if (frame.length > ip + 28 && frame[12] == 8 && frame[13] == 0 && frame[ip + 9] == UDP)
        {
            final int udp = ip + 4 * (frame[ip] & 15);
            if (((frame[udp + 2] & 0xff) << 8 | (frame[udp + 3] & 0xff)) == ROCE)
            {
                roce.incrementAndGet();
                sources.add((frame[udp] & 0xff) << 8 | (frame[udp + 1] & 0xff));
                longest = Math.max(longest, frame.length - ip);
            }
        }
    }

    @Override
    public void close()
    {
        running = false;
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}

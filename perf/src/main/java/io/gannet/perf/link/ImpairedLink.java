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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries packets between two tunnels, and impairs the link as told; on a thread of its own.
 */
public final class ImpairedLink implements AutoCloseable
{
    private static final int LARGEST = 1 << 16;
    private static final int BURST = 64;
    private static final short POLLIN = 1;
    private static final int POLL_BYTES = 8;
    private static final int OVERTAKERS = 3;
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int ECN_MASK = 3;

    private final Tunnel[] ends;
    private final Random random;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(LARGEST, 64);
    private final MemorySegment polls = arena.allocate(2 * POLL_BYTES, 8);
    private final Way[] ways = {new Way(), new Way()};
    private final Thread thread = new Thread(this::run, "impaired-link");
    private volatile Impairment impairment = Impairment.NONE;
    private volatile boolean running = true;
    private final AtomicLong carried = new AtomicLong();
    private final AtomicLong vanished = new AtomicLong();
    private final AtomicLong marked = new AtomicLong();
    private OutputStream capture;

    /**
     * @param seed    of the dice.
     * @param capture file for all packets that come in, before anything happens to them, or null.
     */
    public ImpairedLink(final Tunnel[] ends, final long seed, final Path capture)
    {
        this.ends = ends.clone();
        random = new Random(seed);
        if (capture != null)
        {
            try
            {
                this.capture = PacketFile.create(Files.newOutputStream(capture), PacketFile.RAW_IP);
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on. */
    public void impair(final Impairment now)
    {
        impairment = now;
    }

    /** Packets that came out. */
    public long carried()
    {
        return carried.get();
    }

    /** Packets that vanished. */
    public long vanished()
    {
        return vanished.get();
    }

    /** Packets that were marked. */
    public long marked()
    {
        return marked.get();
    }

    private void run()
    {
        try
        {
            while (running)
            {
                boolean any = false;
                for (int from = 0; from < 2; from++)
                {
                    any |= take(from);
                    ways[from].flush(1 - from, System.nanoTime());
                }
                if (!any)
                {
                    await(ways[0].isEmpty() && ways[1].isEmpty() ? 20 : 1);
                }
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private void await(final int millis)
    {
        for (int i = 0; i < 2; i++)
        {
            polls.set(ValueLayout.JAVA_INT, (long) i * POLL_BYTES, ends[i].descriptor());
            polls.set(ValueLayout.JAVA_SHORT, (long) i * POLL_BYTES + Integer.BYTES, POLLIN);
        }
        Descriptors.poll(polls, 2, millis);
    }

    private boolean take(final int from) throws IOException
    {
        int count = 0;
        while (count < BURST)
        {
            final long length = Descriptors.read(ends[from].descriptor(), buffer, LARGEST);
            if (length <= 0)
            {
                break;
            }
            count++;
            final byte[] packet = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            if (capture != null)
            {
                PacketFile.write(capture, packet, System.currentTimeMillis());
            }
            ways[from].enter(packet, 1 - from, System.nanoTime());
        }
        return count > 0;
    }

    private void put(final int to, final byte[] packet)
    {
        MemorySegment.copy(packet, 0, buffer, ValueLayout.JAVA_BYTE, 0, packet.length);
        if (Descriptors.write(ends[to].descriptor(), buffer, packet.length) == packet.length)
        {
            carried.incrementAndGet();
        }
        else
        {
            vanished.incrementAndGet();             // the receiving device is down, or its queue is full
        }
    }

    @Override
    public void close()
    {
        running = false;
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(10));
            if (capture != null)
            {
                capture.close();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        for (final Tunnel end : ends)
        {
            end.close();
        }
        arena.close();
    }

    private static final class Held
    {
        private final byte[] packet;
        private final long until;

        Held(final byte[] packet, final long until)
        {
            this.packet = packet;
            this.until = until;
        }
    }

    /** One direction. */
    private final class Way
    {
        private final Deque<byte[]> queue = new ArrayDeque<>();
        private final Deque<Held> held = new ArrayDeque<>();
        private long queued;
        private long freeAt;
        private int overtaken;

        boolean isEmpty()
        {
            return queue.isEmpty() && held.isEmpty();
        }

        void enter(final byte[] packet, final int to, final long now)
        {
            final Impairment rules = impairment;
            if (random.nextDouble() < rules.loss())
            {
                vanished.incrementAndGet();
                return;
            }
            if (random.nextDouble() < rules.reordering())
            {
                held.add(new Held(packet, now + HELD_NANOS));
                overtaken = 0;
                return;
            }
            pass(packet, to, rules);
            if (random.nextDouble() < rules.duplication())
            {
                pass(packet, to, rules);
            }
            if (!held.isEmpty() && ++overtaken >= OVERTAKERS)
            {
                pass(held.poll().packet, to, rules);
            }
        }

        private void pass(final byte[] packet, final int to, final Impairment now)
        {
            if (now.bytesPerSecond() == 0)
            {
                put(to, packet);
                return;
            }
            if (queued + packet.length > now.queueBytes())
            {
                vanished.incrementAndGet();
                return;
            }
            if (now.marks() && queued > now.queueBytes() / 2 && (packet[1] & ECN_MASK) != 0)
            {
                marked.incrementAndGet();
                mark(packet);
            }
            queue.add(packet);
            queued += packet.length;
        }

        void flush(final int to, final long now)
        {
            final Impairment rules = impairment;
            while (!held.isEmpty() && now - held.peek().until >= 0)
            {
                pass(held.poll().packet, to, rules);
            }
            while (!queue.isEmpty() && (rules.bytesPerSecond() == 0 || now - freeAt >= 0))
            {
                final byte[] packet = queue.poll();
                queued -= packet.length;
                final long start = Math.max(freeAt, now - TimeUnit.MILLISECONDS.toNanos(2));
                freeAt = start + packet.length * 1_000_000_000L / Math.max(1, rules.bytesPerSecond());
                put(to, packet);
            }
        }
    }

    /** Congestion experienced, with the IPv4 header's checksum (RFC 1624). */
    private static void mark(final byte[] packet)
    {
        final int before = (packet[0] & 0xff) << 8 | (packet[1] & 0xff);
        packet[1] |= ECN_MASK;
        final int after = (packet[0] & 0xff) << 8 | (packet[1] & 0xff);
        int sum = (~((packet[10] & 0xff) << 8 | (packet[11] & 0xff)) & 0xffff) + (~before & 0xffff) + after;
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        packet[10] = (byte) (~sum >>> 8);
        packet[11] = (byte) ~sum;
    }
}

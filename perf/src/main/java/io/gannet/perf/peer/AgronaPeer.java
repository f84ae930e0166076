package io.gannet.perf.peer;

import io.gannet.perf.worker.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Agrona's bare ring buffers in a mapped file: one-to-one for an exclusive scenario, else many-to-one.
 */
final class AgronaPeer extends Peer
{
    private static final int MESSAGE_TYPE = 1;

    private final Scenario scenario;
    private final Path directory;
    private final Map<Integer, RingBuffer> rings = new HashMap<>();
    private final List<MappedByteBuffer> mappings = new ArrayList<>();

    AgronaPeer(final Scenario scenario, final String board)
    {
        this.scenario = scenario;
        directory = Path.of(board).getParent();
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        return scenario.exclusive() ?
            new OneToOneSender((OneToOneRingBuffer) ring(stream, ringBytes)) :
            new ManyToOneSender((ManyToOneRingBuffer) ring(stream, ringBytes));
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return new RingReceiver(ring(stream, ringBytes), handler);
    }

    @Override
    public Sender warmUpSender(final int stream, final int ringBytes)
    {
        return sender(stream, ringBytes);
    }

    @Override
    public Receiver warmUpReceiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return receiver(stream, ringBytes, handler);
    }

    @Override
    public void close()
    {
        rings.clear();
        mappings.forEach(BufferUtil::free);
        mappings.clear();
    }

    private RingBuffer ring(final int stream, final int ringBytes)
    {
        return rings.computeIfAbsent(stream, key ->
        {
            final UnsafeBuffer memory = map(directory.resolve("agrona-" + stream),
                ringBytes + RingBufferDescriptor.TRAILER_LENGTH);
            return scenario.exclusive() ? new OneToOneRingBuffer(memory) : new ManyToOneRingBuffer(memory);
        });
    }

    private UnsafeBuffer map(final Path file, final int bytes)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE))
        {
            final MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            mapped.load();
            mappings.add(mapped);
            return new UnsafeBuffer(mapped);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static final class OneToOneSender extends Sender
    {
        private final OneToOneRingBuffer ring;

        OneToOneSender(final OneToOneRingBuffer ring)
        {
            this.ring = ring;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return ring.write(MESSAGE_TYPE, buffer, offset, length);
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }

    private static final class ManyToOneSender extends Sender
    {
        private final ManyToOneRingBuffer ring;

        ManyToOneSender(final ManyToOneRingBuffer ring)
        {
            this.ring = ring;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return ring.write(MESSAGE_TYPE, buffer, offset, length);
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }

    private static final class RingReceiver extends Receiver
    {
        private final RingBuffer ring;
        private final org.agrona.concurrent.MessageHandler handler;

        RingReceiver(final RingBuffer ring, final MessageHandler handler)
        {
            this.ring = ring;
            this.handler = (type, buffer, offset, length) -> handler.onMessage(buffer, offset, length);
        }

        @Override
        public int poll(final int limit)
        {
            return ring.read(handler, limit);
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }
}

package io.gannet.perf.peer;

import io.gannet.perf.worker.Scenario;
import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameHandler;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * Our log ring alone, without client and driver: what they add is the difference to the peer "gannet". The subscribing
 * process makes the ring and is its conductor.
 */
final class RingPeer extends Peer
{
    private static final long CLIENT = 1;
    private static final long APPEARS_NANOS = 60_000_000_000L;

    private final Scenario scenario;
    private final Path directory;
    private final Map<Integer, Ring> rings = new HashMap<>();
    private final Map<Integer, ConcurrentProducer> producers = new HashMap<>();

    RingPeer(final Scenario scenario, final String board)
    {
        this.scenario = scenario;
        directory = Path.of(board).getParent();
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        final Ring ring = rings.computeIfAbsent(stream, key -> attach(path(key)));
        return scenario.exclusive() ? new ExclusiveSender(new ExclusiveProducer(ring, Bell.FUTEX_WAKER)) :
            new ConcurrentSender(producers.computeIfAbsent(stream,
                key -> new ConcurrentProducer(ring, CLIENT, Bell.FUTEX_WAKER)));
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        final Ring ring = rings.computeIfAbsent(stream, key -> create(path(key), ringBytes));
        final int entry = new Membership(ring).join(GatingList.Kind.LOCAL, CLIENT, stream);
        return new RingReceiver(new RingReader(ring, entry, true), handler);
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
        rings.values().forEach(Ring::close);
    }

    private Path path(final int stream)
    {
        return directory.resolve("ring-" + stream);
    }

    private Ring create(final Path path, final int ringBytes)
    {
        final Ring ring = RingFile.create(path.resolveSibling(path.getFileName() + ".new"),
            new RingDescription(scenario.exclusive() ? RingKind.EXCLUSIVE : RingKind.CONCURRENT, ringBytes));
        if (!path.resolveSibling(path.getFileName() + ".new").toFile().renameTo(path.toFile()))
        {
            throw new IllegalStateException(path + " can't be made");
        }
        return ring;
    }

    private static Ring attach(final Path path)
    {
        final long deadline = System.nanoTime() + APPEARS_NANOS;
        while (!Files.exists(path))
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException(path + " did not appear");
            }
            LockSupport.parkNanos(1_000_000);
        }
        return RingFile.attach(path, RingFile.Access.WRITE);
    }

    private static final class ExclusiveSender extends Sender
    {
        private final ExclusiveProducer producer;

        ExclusiveSender(final ExclusiveProducer producer)
        {
            this.producer = producer;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return producer.offer(buffer, offset, length) > 0;
        }

        @Override
        public boolean connected()
        {
            return producer.isConnected();
        }
    }

    private static final class ConcurrentSender extends Sender
    {
        private final ConcurrentProducer producer;

        ConcurrentSender(final ConcurrentProducer producer)
        {
            this.producer = producer;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return producer.offer(buffer, offset, length) > 0;
        }

        @Override
        public boolean connected()
        {
            return producer.isConnected();
        }
    }

    private static final class RingReceiver extends Receiver
    {
        private final RingReader reader;
        private final FrameHandler handler;

        RingReceiver(final RingReader reader, final MessageHandler handler)
        {
            this.reader = reader;
            this.handler = (buffer, offset, length, position) -> handler.onMessage(buffer, offset, length);
        }

        @Override
        public int poll(final int limit)
        {
            return reader.poll(handler, limit);
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }
}

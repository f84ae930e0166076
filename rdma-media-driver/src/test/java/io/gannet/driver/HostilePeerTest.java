package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.ring.CorruptRingException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A peer that speaks RoCE and the connection manager's language without a fault, and says to a driver what no driver
 * says: set-up requests that make no sense, or that do and are followed by writes and messages that don't. The driver
 * goes on, an honest stream through it too, whoever reads the enemy's stream is told that it has no frames and sees no
 * error of the machine, and in the end everything is given back.
 */
@Tag(TestNic.SOFTWARE)
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HostilePeerTest
{
    private static final int STREAM = 10;
    private static final int ENEMYS_STREAM = 11;
    private static final int PORT = 4671;
    private static final int ROUNDS = Integer.getInteger("gannet.test.hostile.rounds", 60);
    private static final int CAPACITY = 64 << 10;
    private static final int MESSAGES = 20;
    private static final int DEPTH = 64;
    private static final ConnectParameters QUICK = new ConnectParameters(2, 2, 14, 0);

    private final long seed = Long.getLong("gannet.test.seed", ThreadLocalRandom.current().nextLong());
    private final Random random = new Random(seed);
    private final NumberedMessages messages = new NumberedMessages();
    private final RoceDevice enemy =
        RoceDevice.open(RoceOptions.LOOPBACK.withAddress(InetAddress.ofLiteral(LoopbackAddress.random()
            .getHostAddress())));
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(CAPACITY, 64);
    private final ProtectionDomain domain = enemy.allocateProtectionDomain();
    private final MemoryRegion region = domain.register(
        memory.address(), CAPACITY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final CompletionQueue completions = enemy.createCompletionQueue(4 * DEPTH, null);
    private final WorkCompletions polled = new WorkCompletions(16);
    private int accepted;
    private int refused;
    private int corruptStreams;
    private long framesOfTheEnemy;
    private long bytes;

    @Test
    void whateverAPeerSaysTheDriverGoesOn()
    {
        System.out.println("HostilePeerTest: gannet.test.seed=" + seed);
        try (RdmaHost from = new RdmaHost("hostile-from"); RdmaHost to = new RdmaHost("hostile-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            try (Subscription honest = subscriber.addSubscription(to.channel(PORT), STREAM);
                Subscription enemys = subscriber.addSubscription(to.channel(PORT), ENEMYS_STREAM);
                Publication publication = publisher.addPublication(to.channel(PORT) + "|ring=64k", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                final Checker checker = new Checker(honest, 0);
                final InetSocketAddress target = new InetSocketAddress(InetAddress.ofLiteral(to.address()), PORT);
                for (int round = 0; round < ROUNDS; round++)
                {
                    attack(target, enemys);
                    messages.pass(publication, round * MESSAGES, (round + 1) * MESSAGES, checker);
                }
                assertThat(honest.images()).hasSize(1);
            }
            System.out.println(accepted + " set-ups taken, " + refused + " refused, " + framesOfTheEnemy +
                " frames read, " + bytes + " is the sum of some bytes, " + corruptStreams +
                " polls found what can't be a frame");
            assertThat(accepted).as("set-ups that the driver took, of seed %d", seed).isPositive();
            assertThat(refused).as("set-ups that it refused, of seed %d", seed).isPositive();
            to.awaitNoRings();
        }
        completions.close();
        region.close();
        domain.close();
        enemy.close();
        arena.close();
    }

    /** One connection, from its request to its end in one of several ways. */
    private void attack(final InetSocketAddress target, final Subscription enemys)
    {
        final CmId id = enemy.connectionManager().createId();
        id.resolve(target, 1_000);
        next(enemys);
        final QueuePair queuePair =
            id.createQueuePair(domain, new QpAttributes(completions, completions, DEPTH, DEPTH, 64, 5));
        for (int i = 0; i < DEPTH; i++)
        {
            queuePair.addReceive(i, memory.address(), 64, region.lkey());
        }
        queuePair.postReceives();
        id.connect(QUICK, setup());
        final CmEvent answer = next(enemys);
        if (answer != null && answer.type() == CmEventType.ESTABLISHED)
        {
            accepted++;
            speak(queuePair, answer.privateData(), enemys);
            if (random.nextBoolean())
            {
                id.disconnect();
                work(enemys, 20);
            }
        }
        else
        {
            refused++;
        }
        queuePair.close();                  // without a word to the peer, at times
        id.close();
        work(enemys, 5);
    }

    private UnsafeBuffer setup()
    {
        final UnsafeBuffer setup = new UnsafeBuffer(new byte[random.nextInt(8) == 0 ? random.nextInt(57) : 32]);
        random.nextBytes(setup.byteArray());
        if (setup.capacity() == 32 && random.nextInt(8) != 0)
        {
            setup.putInt(0, 0x3152_4E47);
            setup.putShort(4, (short) (random.nextInt(8) == 0 ? random.nextInt() : 1));
            setup.putShort(6, (short) (random.nextInt(4) == 0 ? random.nextInt() : 0));
            setup.putInt(8, random.nextInt(4) == 0 ? STREAM + 2 : ENEMYS_STREAM);
            setup.putInt(12, random.nextInt(4) == 0 ? 77_000 : random.nextInt());
            setup.putInt(16, random.nextInt(8) == 0 ? random.nextInt() : CAPACITY);
            setup.putInt(20, random.nextInt(100));
            setup.putLong(24, random.nextInt(3));
        }
        return setup;
    }

    /** Writes and messages, some of which a driver could have sent. */
    private void speak(final QueuePair queuePair, final DirectBuffer reply, final Subscription enemys)
    {
        final boolean complete = reply.capacity() >= 32;
        final int generation = complete ? reply.getInt(4) : 0;
        final int rkey = complete ? reply.getInt(8) : 0;
        final long address = complete ? reply.getLong(16) : 0;
        int position = 0;
        if (random.nextInt(4) != 0)
        {
            // what a connection begins with: where it starts, and where feedback goes
            control(0x5453_4E47, generation, random.nextInt(4) == 0 ? random.nextLong() : 0);
            queuePair.addSend(1, SendFlags.INLINE, memory.address(), 32, region.lkey());
            queuePair.ringDoorbell();
            work(enemys, 5);
        }
        for (int i = random.nextInt(20); i > 0; i--)
        {
            switch (random.nextInt(6))
            {
                case 0 ->
                {
                    control(random.nextInt(3) == 0 ? random.nextInt() : 0x534F_4E47, generation, random.nextLong());
                    queuePair.addSend(2, SendFlags.INLINE, memory.address(), random.nextInt(64), region.lkey());
                }
                case 1 -> queuePair.addWriteWithImm(3, SendFlags.NONE, memory.address(), random.nextInt(4_000),
                    region.lkey(), address + random.nextInt(CAPACITY), rkey, random.nextInt());
                case 2 ->
                {
                    // frames whose lengths are noise, and an immediate that fits the bytes
                    final int length = 32 * (1 + random.nextInt(40));
                    for (int at = 0; at < length; at += 4)
                    {
                        memory.set(ValueLayout.JAVA_INT, at, noise());
                    }
                    queuePair.addWriteWithImm(4, SendFlags.NONE, memory.address(), length, region.lkey(),
                        address + position % CAPACITY, rkey, (position + length) >>> 5);
                    position += length;
                }
                case 3 -> queuePair.addWrite(5, SendFlags.SIGNALED, memory.address(), random.nextInt(9_000),
                    region.lkey(), address + random.nextInt(2 * CAPACITY), rkey);
                case 4 -> queuePair.addWrite(6, SendFlags.SIGNALED, memory.address(), 64, region.lkey(),
                    address - 64 + random.nextInt(128), random.nextInt(4) == 0 ? random.nextInt() : rkey);
                default -> queuePair.addWriteWithImm(7, SendFlags.NONE, memory.address(), 0, region.lkey(), 0, 0,
                    random.nextInt(2_000));
            }
            queuePair.ringDoorbell();
            work(enemys, 3);
        }
    }

    private int noise()
    {
        return switch (random.nextInt(4))
        {
            case 0 -> random.nextInt();
            case 1 -> 32 + random.nextInt(64);
            case 2 -> -random.nextInt(5_000);
            default -> 0;
        };
    }

    private void control(final int type, final int generation, final long position)
    {
        final UnsafeBuffer message = new UnsafeBuffer(memory.address(), 64);
        message.putInt(0, type);
        message.putInt(4, random.nextInt(8) == 0 ? random.nextInt() : generation);
        message.putLong(8, position);
        message.putLong(16, random.nextInt(4) == 0 ? random.nextLong() : memory.address());
        message.putInt(24, random.nextInt(4) == 0 ? random.nextInt() : region.rkey());
        message.putInt(28, random.nextInt(8) == 0 ? random.nextInt() : 0);
    }

    private CmEvent next(final Subscription enemys)
    {
        final CmEvent[] found = new CmEvent[1];
        Await.until("an answer of the driver, seed " + seed, () ->
        {
            work(enemys, 1);
            enemy.connectionManager().pollEvents(event -> found[0] = copy(event));
            return found[0] != null;
        });
        return found[0];
    }

    private static CmEvent copy(final CmEvent event)
    {
        final byte[] data = new byte[event.privateData() == null ? 0 : event.privateData().capacity()];
        if (data.length != 0)
        {
            event.privateData().getBytes(0, data);
        }
        return new CmEvent(event.type(), event.id(), event.listener(), event.status(), new UnsafeBuffer(data));
    }

    private void work(final Subscription enemys, final int turns)
    {
        for (int i = 0; i < turns; i++)
        {
            enemy.doWork();
            completions.poll(polled);
            enemy.pollAsyncEvents((type, number, queue) ->
            {
            });
            poll(enemys);
        }
    }

    /** Reads what the enemy's frames hold, whatever that is. */
    private void poll(final Subscription enemys)
    {
        try
        {
            enemys.poll((buffer, offset, length, header) ->
            {
                framesOfTheEnemy++;
                bytes += length == 0 ? 0 : buffer.getByte(offset) + buffer.getByte(offset + length - 1);
            }, 10);
        }
        catch (final CorruptRingException corrupt)
        {
            corruptStreams++;
        }
    }
}

package io.gannet.lab;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One side of a conversation between two providers, on two hosts: {@code roce|verbs OWN-ADDRESS PEER-ADDRESS STEP...},
 * where a step is {@code connect}, {@code accept} or {@code loss=DEVICE}, which makes that network device lose, delay
 * and reorder what it sends. In each conversation the connector writes with immediates, 1 B to 64 KiB, one at a time,
 * and the acceptor answers each with bytes of its own; then many at once; then it disconnects. Both check every byte
 * and immediate. Ends with 0 if all went as it should.
 */
public final class InteropPeer implements AutoCloseable
{
    private static final int[] LENGTHS = {1, 8, 63, 64, 220, 221, 1000, 1024, 4096, 4097, 20_000, 65_536};
    private static final int ROUNDS = 4;
    private static final int BURST = 400;
    private static final int WINDOW = 16;
    private static final int ANSWER_EVERY = WINDOW / 2;
    private static final int SLOT = 65_536;
    private static final int PORT = 4040;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(Long.getLong("gannet.lab.patience", 300));
    /** Retries for ever on Soft-RoCE, so that a host that is busy does not end a connection. */
    private static final ConnectParameters PARAMETERS = new ConnectParameters(7, 7, 18, 0);

    private final String name;
    private final RdmaDevice device;
    private final InetAddress own;
    private final InetAddress peer;
    private final Arena arena = Arena.ofShared();
    /** Slots to send from, then slots that the peer writes to. */
    private final MemorySegment memory = arena.allocate(2L * WINDOW * SLOT, 4096);
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final CompletionQueue queue;
    private final WorkCompletions completions = new WorkCompletions(16);
    private final Queue<CmEvent> events = new ArrayDeque<>();
    private final long deadline = System.nanoTime() + PATIENCE;
    private QueuePair queuePair;
    private CmId id;
    private long remote;
    private int rkey;
    private int sent;
    private int confirmed;
    private int received;
    private int posted;
    private int lastLength;

    private InteropPeer(final RdmaDevice device, final InetAddress own, final InetAddress peer)
    {
        this.device = device;
        this.own = own;
        this.peer = peer;
        name = device.name();
        domain = device.allocateProtectionDomain();
        region = domain.register(
            memory.address(), memory.byteSize(), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        queue = device.createCompletionQueue(256, null);
    }

    /** See the class. */
    public static void main(final String[] arguments) throws Exception
    {
        final InetAddress own = InetAddress.ofLiteral(arguments[1]);
        final RdmaDevice device = "verbs".equals(arguments[0]) ?
            VerbsDevice.open(VerbsOptions.ANY.withAddress(own)) :
            RoceDevice.open(RoceOptions.LOOPBACK.withAddress(own));
        try (InteropPeer interop = new InteropPeer(device, own, InetAddress.ofLiteral(arguments[2])))
        {
            for (final String step : Arrays.asList(arguments).subList(3, arguments.length))
            {
                final long from = System.nanoTime();
                interop.run(step);
                System.out.printf("%s %-7s ok, %d ms%n", interop.name, step, (System.nanoTime() - from) / 1_000_000);
            }
        }
        System.out.println(device.name() + " left open: " + device.resources());
        System.exit(device.resources().open() == 0 ? 0 : 1);
    }

    private void run(final String step) throws Exception
    {
        if (step.startsWith("loss="))
        {
            final Process process = new ProcessBuilder("tc", "qdisc", "add", "dev", step.substring(5), "root", "netem",
                "loss", "2%", "delay", "1ms", "reorder", "20%", "50%").inheritIO().start();
            check(process.waitFor() == 0, "tc");
            return;
        }
        sent = 0;
        confirmed = 0;
        received = 0;
        posted = 0;
        if ("connect".equals(step))
        {
            connect();
            converse(true);
            id.disconnect();
            await("the peer's answer to the disconnect", () -> event(CmEventType.DISCONNECTED) != null);
        }
        else
        {
            accept();
        }
        queuePair.close();
        id.close();
    }

    private void connect()
    {
        while (true)
        {
            id = device.connectionManager().createId();
            id.resolve(new InetSocketAddress(peer, PORT), 5_000);
            await("the route", () -> event(CmEventType.ROUTE_RESOLVED) != null);
            makeQueuePair();
            id.connect(PARAMETERS, where());
            final CmEvent[] answer = new CmEvent[1];
            await("an answer", () -> (answer[0] = events.poll()) != null);
            if (answer[0].type() == CmEventType.ESTABLISHED)
            {
                learn(answer[0].privateData());
                return;
            }
            // nobody listens yet
            check(answer[0].type() == CmEventType.REJECTED || answer[0].type() == CmEventType.UNREACHABLE,
                "connection answered by " + answer[0].type() + ' ' + answer[0].status());
            queuePair.close();
            id.close();
            drain();
            final long next = System.nanoTime() + 300_000_000L;
            await("the next attempt", () -> System.nanoTime() - next > 0);
        }
    }

    private void accept()
    {
        final CmListener listener =
            device.connectionManager().listen(new InetSocketAddress(own, PORT), this);
        final CmEvent[] request = new CmEvent[1];
        await("a request", () -> (request[0] = event(CmEventType.CONNECT_REQUEST)) != null);
        id = request[0].id();
        learn(request[0].privateData());
        makeQueuePair();
        id.accept(PARAMETERS, where());
        converse(false);
        await("the disconnect", () -> event(CmEventType.DISCONNECTED) != null);
        id.disconnect();
        listener.close();
    }

    private void makeQueuePair()
    {
        queuePair = id.createQueuePair(domain, new QpAttributes(queue, queue, 64, 64, 220, 1));
        posted = 0;
        postReceives(2 * WINDOW);
    }

    private void postReceives(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            queuePair.addReceive(posted++, 0, 0, 0);
        }
        check(queuePair.postReceives() == Errno.OK, "receives refused");
    }

    /** One message at a time, each answered; then many, of which every eighth is. */
    private void converse(final boolean first)
    {
        for (int i = 0; i < ROUNDS * LENGTHS.length; i++)
        {
            final int length = LENGTHS[i % LENGTHS.length];
            final int turn = i + 1;
            if (first)
            {
                write(length);
            }
            await("message " + turn, () -> received == turn);
            check(lastLength == length, "message " + turn + " has " + lastLength + " bytes, not " + length);
            if (!first)
            {
                write(length);
            }
        }
        final int base = ROUNDS * LENGTHS.length;
        if (first)
        {
            for (int i = 0; i < BURST; i++)
            {
                final int before = i;
                // A slot is free once its bytes were looked at, not once they are acknowledged.
                await("room for " + i, () ->
                    before - ANSWER_EVERY * (received - base) < WINDOW && sent - confirmed < WINDOW);
                write(LENGTHS[i % LENGTHS.length]);
            }
            await("the answers to " + BURST, () -> received == base + BURST / ANSWER_EVERY);
        }
        else
        {
            for (int i = ANSWER_EVERY; i <= BURST; i += ANSWER_EVERY)
            {
                final int enough = base + i;
                await("message " + enough, () -> received >= enough);
                write(1);
            }
        }
        await("completions", () -> sent == confirmed);
    }

    private void write(final int length)
    {
        sent++;
        final long from = (long) (sent % WINDOW) * SLOT;
        for (int i = 0; i < length; i++)
        {
            memory.set(ValueLayout.JAVA_BYTE, from + i, pattern(sent, i));
        }
        final int flags = SendFlags.SIGNALED | (length <= queuePair.maxInline() ? SendFlags.INLINE : 0);
        queuePair.addWriteWithImm(sent, flags, memory.address() + from, length, region.lkey(),
            remote + from, rkey, 0xABC0_0000 + sent);
        check(queuePair.ringDoorbell() == Errno.OK, "write " + sent + " refused");
    }

    private static byte pattern(final int number, final int index)
    {
        return (byte) (number * 31 + index * 7);
    }

    private void poll()
    {
        device.doWork();
        device.connectionManager().pollEvents(events::add);
        final int count = queue.poll(completions);
        check(count >= 0, "poll " + count);
        for (int i = 0; i < count; i++)
        {
            if (queuePair == null || completions.qpNum(i) != queuePair.number() ||
                completions.status(i) == WcStatus.WR_FLUSH_ERR)
            {
                continue;
            }
            check(completions.status(i) == WcStatus.SUCCESS, "status " + WcStatus.name(completions.status(i)));
            if (WcOpcode.isReceive(completions.opcode(i)))
            {
                onReceived(completions.imm(i), completions.byteLength(i));
            }
            else
            {
                confirmed = (int) completions.wrId(i);
            }
        }
    }

    private void onReceived(final int imm, final int length)
    {
        received++;
        lastLength = length;
        check(imm == 0xABC0_0000 + received, "immediate " + Integer.toHexString(imm) + " of message " + received);
        final long at = ((long) WINDOW + received % WINDOW) * SLOT;
        for (int i = 0; i < length; i++)
        {
            check(memory.get(ValueLayout.JAVA_BYTE, at + i) == pattern(received, i),
                "byte " + i + " of message " + received);
        }
        postReceives(1);
    }

    private void drain()
    {
        int count;
        do
        {
            count = queue.poll(completions);
        }
        while (count > 0);
    }

    private CmEvent event(final CmEventType type)
    {
        CmEvent event = events.poll();
        while (event != null && event.type() != type)
        {
            check(event.type() == CmEventType.ESTABLISHED || event.type() == CmEventType.TIMEWAIT_EXIT,
                "event " + event.type() + ' ' + event.status() + " while waiting for " + type);
            event = events.poll();
        }
        return event;
    }

    private DirectBuffer where()
    {
        final UnsafeBuffer data = new UnsafeBuffer(new byte[16]);
        data.putLong(0, memory.address() + (long) WINDOW * SLOT);
        data.putInt(8, region.rkey());
        return data;
    }

    private void learn(final DirectBuffer data)
    {
        remote = data.getLong(0);
        rkey = data.getInt(8);
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            check(System.nanoTime() - deadline < 0, "waited too long for " + what + ", sent " + sent + ", confirmed " +
                confirmed + ", received " + received);
            LabGuest.pause();
            poll();
        }
    }

    private void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(name + ": " + what);
        }
    }

    @Override
    public void close()
    {
        queue.close();
        region.close();
        domain.close();
        device.doWork();
        device.close();
        arena.close();
    }
}

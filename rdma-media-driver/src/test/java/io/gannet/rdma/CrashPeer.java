package io.gannet.rdma;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two guests of which the second crashes, as a whole, while the first writes to it. {@code crash} accepts a connection,
 * takes some messages and ends its host without a word; {@code watch} connects, writes on, and must see the end of its
 * queue pair by the retries of the connection alone: no event of the connection manager comes.
 */
public final class CrashPeer
{
    private static final int PORT = 4040;
    private static final int MESSAGES = 50;
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(300);

    private final long deadline = System.nanoTime() + PATIENCE;
    private final ConformancePeer peer;

    private CrashPeer(final int number)
    {
        peer = new ConformancePeer(VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(number))));
    }

    /** See the class. */
    public static void main(final String[] arguments) throws IOException
    {
        if ("crash".equals(arguments[0]))
        {
            new CrashPeer(2).crash();
        }
        else
        {
            new CrashPeer(1).watch();
        }
    }

    private void crash() throws IOException
    {
        peer.listener = peer.device.connectionManager().listen(
            new InetSocketAddress(LabGuest.address(2), PORT), this);
        await("a request", () -> peer.saw(CmEventType.CONNECT_REQUEST));
        peer.id = peer.event(CmEventType.CONNECT_REQUEST).id();
        peer.makeQueuePair();
        peer.postReceives(32);
        final UnsafeBuffer where = new UnsafeBuffer(new byte[12]);
        where.putLong(0, peer.memory.address());
        where.putInt(8, peer.region.rkey());
        peer.id.accept(ConnectParameters.DEFAULT, where);
        int taken = 0;
        while (taken < MESSAGES)
        {
            final int before = taken;
            await("message " + before, () -> !peer.done.isEmpty());
            taken += peer.done.size();
            peer.done.forEach(done -> peer.queuePair.addReceive(0, 0, 0, 0));
            peer.done.clear();
            check(peer.queuePair.postReceives() == Errno.OK, "receives");
        }
        System.out.println("crashes now");
        Files.writeString(Path.of("/proc/sysrq-trigger"), "b");
    }

    private void watch()
    {
        DirectBuffer where = null;
        while (where == null)
        {
            peer.id = peer.device.connectionManager().createId();
            peer.id.resolve(new InetSocketAddress(LabGuest.address(2), PORT), 5_000);
            await("a route", () -> peer.saw(CmEventType.ROUTE_RESOLVED) || peer.saw(CmEventType.ADDR_ERROR));
            if (peer.saw(CmEventType.ROUTE_RESOLVED))
            {
                peer.makeQueuePair();
                peer.id.connect(ConnectParameters.DEFAULT, NOTHING);
                await("an answer", () -> peer.events.size() > 1);
                where = peer.saw(CmEventType.ESTABLISHED) ?
                    peer.event(CmEventType.ESTABLISHED).privateData() : null;
            }
            if (where == null)
            {
                if (peer.queuePair != null)
                {
                    peer.queuePair.close();
                }
                peer.id.close();
                peer.events.clear();
            }
        }
        final long address = where.getLong(0);
        final int rkey = where.getInt(8);
        long lastSuccess = System.nanoTime();
        int status = WcStatus.SUCCESS;
        for (int i = 0; status == WcStatus.SUCCESS; i++)
        {
            peer.done.clear();
            peer.queuePair.addWriteWithImm(i, SendFlags.SIGNALED, peer.memory.address(), 64, peer.region.lkey(),
                address, rkey, i);
            check(peer.queuePair.ringDoorbell() == Errno.OK, "doorbell");
            await("a completion of " + i, () -> !peer.done.isEmpty());
            status = peer.done.getFirst().status();
            lastSuccess = status == WcStatus.SUCCESS ? System.nanoTime() : lastSuccess;
            check(status != WcStatus.SUCCESS || i < 1_000_000, "the peer does not crash");
        }
        final long after = (System.nanoTime() - lastSuccess) / 1_000_000;
        System.out.println("the peer's host crashed: " + WcStatus.name(status) + " after " + after + " ms, " +
            peer.queuePair.state() + ", events " + peer.events);
        check(status == WcStatus.RETRY_EXC_ERR && peer.queuePair.state() == QpState.ERR, "status");
        peer.id.disconnect();
        peer.close();
        System.exit(peer.device.resources().open() == 0 ? 0 : 1);
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            check(System.nanoTime() - deadline < 0, "waits for " + what);
            LabGuest.pause();
            peer.poll();
        }
    }

    private void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(what + "; " + peer.events + peer.done);
        }
    }
}

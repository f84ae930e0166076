package io.gannet.rdma;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The shortest thing that shows that verbs work in a guest, without a test framework: two addresses of one device
 * connect, write with immediates, and let go. Ends with 0 if all was as it should be.
 */
public final class VerbsSmoke
{
    private static final DirectBuffer DATA = new UnsafeBuffer(new byte[]{1, 2, 3});
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

    private static final long START = System.nanoTime();

    private final long deadline = System.nanoTime() + PATIENCE;
    private final ConformancePeer a = open(1);
    private final ConformancePeer b = open(2);

    private VerbsSmoke()
    {
    }

    /** Runs it. */
    public static void main(final String[] arguments)
    {
        final VerbsSmoke smoke = new VerbsSmoke();
        smoke.run();
        final boolean clean = smoke.a.device.resources().open() + smoke.b.device.resources().open() == 0;
        say(clean ? "smoke ok" : "resources are left");
        System.exit(clean ? 0 : 1);
    }

    private static ConformancePeer open(final int number)
    {
        final VerbsDevice device = VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(number)));
        say(device.name() + " by " + device.provider() + ", " + device.limits() + ", " +
            device.port(1));
        return new ConformancePeer(device);
    }

    private void run()
    {
        b.listener = b.device.connectionManager().listen(new InetSocketAddress(LabGuest.address(2), 0), b);
        a.id = a.device.connectionManager().createId();
        a.id.resolve(b.listener.localAddress(), 10_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        say("route");
        a.makeQueuePair();
        a.postReceives(16);
        a.id.connect(ConnectParameters.DEFAULT, DATA);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        say("request");
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
        b.makeQueuePair();
        b.postReceives(16);
        b.id.accept(ConnectParameters.DEFAULT, DATA);
        await("established", () -> a.saw(CmEventType.ESTABLISHED) && b.saw(CmEventType.ESTABLISHED));
        say("established, inline " + a.queuePair.maxInline() + ", " + a.queuePair.state());
        for (final int length : new int[]{1, 220, 4096, 65_536})
        {
            a.done.clear();
            b.done.clear();
            a.fill(0, length, length);
            final int flags = SendFlags.SIGNALED | (length <= a.queuePair.maxInline() ? SendFlags.INLINE : 0);
            a.queuePair.addWriteWithImm(length, flags, a.memory.address(), length, a.region.lkey(),
                b.memory.address(), b.region.rkey(), ~length);
            check(a.queuePair.ringDoorbell() == Errno.OK, "doorbell");
            await("message", () -> a.done.size() == 1 && b.done.size() == 1);
            check(b.done.getFirst().imm() == ~length && b.holds(0, length, length), "message of " + length);
        }
        say("written");
        a.id.disconnect();
        await("disconnected", () -> b.saw(CmEventType.DISCONNECTED));
        b.id.disconnect();
        await("disconnected", () -> a.saw(CmEventType.DISCONNECTED));
        say("disconnected");
        a.close();
        b.close();
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            check(System.nanoTime() - deadline < 0, "waits for " + what);
            LabGuest.pause();
            a.poll();
            b.poll();
        }
    }

    private static void say(final String text)
    {
        System.out.printf("%6d ms  %s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - START), text);
    }

    private void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(what + "; a: " + a.events + a.done + " b: " + b.events + b.done);
        }
    }
}

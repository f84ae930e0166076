package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.lab.LabDevice;
import io.gannet.lab.LabGuest;
import io.gannet.os.DescriptorSet;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What happens to link and device while connections stand, in a guest with two addresses of one device.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VerbsFaultsLab
{
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int MESSAGES = 300;

    private final long deadline = System.nanoTime() + PATIENCE;
    private final List<AsyncEventType> async = new ArrayList<>();
    private ConformancePeer a;
    private ConformancePeer b;
    private boolean closed;

    @BeforeEach
    void openDevices()
    {
        a = open(1);
        b = open(2);
    }

    private static ConformancePeer open(final int number)
    {
        return new ConformancePeer(VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(number))));
    }

    @AfterEach
    void closeDevicesWithoutLeaks()
    {
        if (!closed)
        {
            a.close();
            b.close();
        }
        assertThat(a.device.resources().toString()).isEqualTo("none");
        assertThat(b.device.resources().toString()).isEqualTo("none");
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadline).as(() -> "waits for " + what + "; a: " + a.events + a.done +
                " b: " + b.events + b.done + ' ' + async).isNegative();
            LabGuest.pause();
            poll();
        }
    }

    private void poll()
    {
        a.poll();
        b.poll();
        a.device.pollAsyncEvents((type, number, queue) -> async.add(type));
    }

    private void connect()
    {
        b.listener = b.device.connectionManager().listen(new InetSocketAddress(LabGuest.address(2), 0), b);
        a.id = a.device.connectionManager().createId();
        a.id.resolve(b.listener.localAddress(), 5_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        a.makeQueuePair();
        a.postReceives(16);
        a.id.connect(ConnectParameters.DEFAULT, NOTHING);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
        b.makeQueuePair();
        b.postReceives(16);
        b.id.accept(ConnectParameters.DEFAULT, NOTHING);
        await("established", () -> a.saw(CmEventType.ESTABLISHED) && b.saw(CmEventType.ESTABLISHED));
    }

    private void disconnect()
    {
        for (final ConformancePeer peer : List.of(a, b))
        {
            peer.id.disconnect();
            peer.queuePair.close();
            peer.id.close();
            peer.events.clear();
            poll();
            peer.done.clear();
        }
        b.listener.close();
    }

    private void write(final int imm)
    {
        a.queuePair.addWriteWithImm(imm, SendFlags.SIGNALED, a.memory.address(), 64, a.region.lkey(),
            b.memory.address(), b.region.rkey(), imm);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
    }

    private static void release(final Semaphore turn, final boolean now)
    {
        if (now)
        {
            turn.release();
        }
    }

    /** One thread alone uses the sending side. */
    private void writeEachTurn(final Semaphore turn)
    {
        try
        {
            for (int i = 1; i <= MESSAGES; i++)
            {
                turn.acquire();
                write(i);
                a.poll();
            }
        }
        catch (final InterruptedException failed)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Order(1)
    void armedChannelLosesNoWakeUpWithOneMessageInFlight() throws Exception
    {
        final CompletionChannel channel = b.device.createCompletionChannel();
        final CompletionQueue polled = b.queue;
        final CompletionQueue queue = b.device.createCompletionQueue(64, channel);
        final WorkCompletions completions = new WorkCompletions(4);
        b.listener = b.device.connectionManager().listen(new InetSocketAddress(LabGuest.address(2), 0), b);
        a.id = a.device.connectionManager().createId();
        a.id.resolve(b.listener.localAddress(), 5_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        a.makeQueuePair();
        a.id.connect(ConnectParameters.DEFAULT, NOTHING);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
        b.queuePair = b.id.createQueuePair(b.domain, new QpAttributes(polled, queue, 16, 32, 0, 1));
        b.postReceives(16);
        b.id.accept(ConnectParameters.DEFAULT, NOTHING);
        await("established", () -> a.saw(CmEventType.ESTABLISHED));

        final Semaphore turn = new Semaphore(0);
        final ExecutorService writer = Executors.newSingleThreadExecutor();
        writer.execute(() -> writeEachTurn(turn));
        try (DescriptorSet waiting = new DescriptorSet(channel.fileDescriptor()))
        {
            for (int i = 1; i <= MESSAGES; i++)
            {
                // before the queue is armed, between that and the look at it, and behind both, when a sleep is certain
                final int moment = i % 3;
                release(turn, moment == 0);
                assertThat(queue.arm()).isEqualTo(Errno.OK);
                release(turn, moment == 1);
                int count = queue.poll(completions);
                release(turn, moment == 2);
                assertThat(moment == 2 ? count : 0).isZero();
                while (count == 0)
                {
                    assertThat(waiting.await(TimeUnit.SECONDS.toNanos(30))).as("wake-up %d", i).isTrue();
                    channel.drain();
                    assertThat(queue.arm()).isEqualTo(Errno.OK);
                    count = queue.poll(completions);
                }
                assertThat(count).isEqualTo(1);
                assertThat(completions.imm(0)).isEqualTo(i);
                b.queuePair.addReceive(i, 0, 0, 0);
                assertThat(b.queuePair.postReceives()).isEqualTo(Errno.OK);
            }
        }
        finally
        {
            writer.shutdownNow();
        }
        assertThat(writer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        b.queuePair.close();
        channel.drain();
        queue.close();
        channel.close();
    }

    @Test
    @Order(2)
    void linkThatGoesDownEndsTheConnectionAndANewOneWorksOnceItIsUp() throws Exception
    {
        connect();
        write(1);
        await("a message", () -> b.done.size() == 1 && a.done.size() == 1);
        a.done.clear();
        LabDevice.run("ip", "link", "set", LabDevice.LINK, "down");
        await("the port's error", () -> async.contains(AsyncEventType.PORT_ERR));
        assertThat(a.device.port(1).state()).isNotEqualTo(PortState.ACTIVE);
        // The device may end the request or forget it: a deadline of our own is all that one can rely on.
        write(2);
        final long wait = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        await("an error, or nothing", () -> !a.done.isEmpty() || System.nanoTime() - wait > 0);
        assertThat(a.done).noneMatch(done -> done.status() == WcStatus.SUCCESS);
        disconnect();
        LabDevice.run("ip", "link", "set", LabDevice.LINK, "up");
        await("the port's return", () -> async.contains(AsyncEventType.PORT_ACTIVE));
        b.done.clear();
        connect();
        write(3);
        await("a message on the new connection", () -> b.done.stream().anyMatch(done -> done.imm() == 3));
    }

    @Test
    @Order(3)
    void addressThatGoesAwayEndsTheConnection() throws Exception
    {
        connect();
        LabDevice.run("ip", "addr", "del", LabGuest.address(1).getHostAddress() + "/24", "dev", LabDevice.LINK);
        await("the change of GIDs", () -> async.contains(AsyncEventType.GID_CHANGE));
        write(1);
        final long wait = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        await("an error, or nothing", () -> !a.done.isEmpty() || System.nanoTime() - wait > 0);
        assertThat(a.done).noneMatch(done -> done.status() == WcStatus.SUCCESS);
        LabDevice.run("ip", "addr", "add", LabGuest.address(1).getHostAddress() + "/24", "dev", LabDevice.LINK);
    }

    @Test
    @Order(4)
    void removedDeviceTellsEachConnectionAndListenerAndLetsGo() throws Exception
    {
        connect();
        final Process removal = LabDevice.remove();
        await("the removal", () -> a.saw(CmEventType.DEVICE_REMOVAL) && b.events.stream().filter(
            event -> event.type() == CmEventType.DEVICE_REMOVAL).count() == 2);
        assertThat(b.events).anyMatch(
            event -> event.type() == CmEventType.DEVICE_REMOVAL && b.listener.equals(event.listener()));
        assertThat(a.device.isRemoved() && b.device.isRemoved()).isTrue();
        a.close();
        b.close();
        closed = true;
        LabDevice.awaitEnd(removal);
        LabDevice.add();
    }

    @Test
    @Order(5)
    void deviceThatCameBackServesTheSameProcess() throws Exception
    {
        connect();
        write(1);
        await("a message", () -> b.done.size() == 1 && a.done.size() == 1);
    }

    @Test
    @Order(6)
    void removedDeviceThatNobodyConnectedToLetsGo() throws Exception
    {
        final Process removal = LabDevice.remove();
        await("the removal", () -> a.device.isRemoved() && b.device.isRemoved());
        a.close();
        b.close();
        closed = true;
        LabDevice.awaitEnd(removal);
        LabDevice.add();
    }
}

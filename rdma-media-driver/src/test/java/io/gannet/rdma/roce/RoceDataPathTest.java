package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.Errno;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.rc.Counter;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The data path with real sockets: without allocation, and with each role on a thread of its own.
 */
class RoceDataPathTest
{
    private static final long PATIENCE = 120_000_000_000L;
    private static final ConnectParameters PATIENT = new ConnectParameters(7, 7, 16, 0);
    private static final int ROUND = 2_000;
    private static final int SIGNAL_EVERY = 16;

    private final WorkCompletions sendCompletions = new WorkCompletions(16);
    private final WorkCompletions receiveCompletions = new WorkCompletions(16);
    private int outstanding;
    private long sent;
    private long received;

    @Test
    void theDataPathDoesNotAllocate()
    {
        try (RocePair pair = new RocePair(RoceOptions.LOOPBACK, PATIENT))
        {
            final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            final long deadline = System.nanoTime() + PATIENCE;
            long allocated = Long.MAX_VALUE;
            // before everything is compiled, method handles allocate a little
            while (allocated != 0 && System.nanoTime() - deadline < 0)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                round(pair, 96);
                round(pair, 9_000);
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(allocated).as("bytes for %d messages", 2 * ROUND).isZero();
        }
    }

    private void round(final RocePair pair, final int length)
    {
        final long until = received + ROUND;
        while (received < until)
        {
            if (outstanding < RocePair.DEPTH - SIGNAL_EVERY && sent < until)
            {
                final int flags = (++sent % SIGNAL_EVERY) == 0 ? SendFlags.SIGNALED : SendFlags.NONE;
                pair.a.queuePair.addWriteWithImm(
                    sent, flags, pair.a.region.address(), length, pair.a.region.lkey(), pair.b.region.address(),
                    pair.b.region.rkey(), (int) sent);
                pair.a.queuePair.ringDoorbell();
                outstanding++;
            }
            pair.a.device.doWork();
            pair.b.device.doWork();
            outstanding -= SIGNAL_EVERY * pair.a.sends.poll(sendCompletions);
            final int count = pair.b.receives.poll(receiveCompletions);
            for (int i = 0; i < count; i++)
            {
                received++;
                if (receiveCompletions.imm(i) != (int) received)
                {
                    throw new AssertionError(received + " is " + receiveCompletions.imm(i));
                }
                pair.b.queuePair.addReceive(received, 0, 0, 0);
            }
            pair.b.queuePair.postReceives();
        }
    }

    @Test
    void everyRoleMayHaveAThreadOfItsOwn() throws Exception
    {
        final int messages = 20_000;
        final int length = 1_000;
        final AtomicBoolean running = new AtomicBoolean(true);
        final ExecutorService executor = Executors.newFixedThreadPool(4);
        try (RocePair pair = new RocePair(RoceOptions.LOOPBACK, PATIENT))
        {
            try
            {
                final Future<?> nicA = executor.submit(() -> work(pair.a.device, running));
                final Future<?> nicB = executor.submit(() -> work(pair.b.device, running));
                final Future<?> sender = executor.submit(() -> send(pair, messages, length));
                final Future<?> receiver = executor.submit(() -> receive(pair, messages, length));
                sender.get();
                receiver.get();
                running.set(false);
                nicA.get();
                nicB.get();
            }
            finally
            {
                running.set(false);
                executor.shutdownNow();
                executor.close();
            }
            assertThat(pair.a.queuePair.state()).isEqualTo(QpState.RTS);
            assertThat(pair.b.device.counters().get(Counter.DROP_ICRC)).isZero();
        }
    }

    private static void work(final RoceDevice device, final AtomicBoolean running)
    {
        while (running.get())
        {
            if (device.doWork() == 0)
            {
                LockSupport.parkNanos(20_000);
            }
        }
    }

    /** One slot per message in flight, filled with its number; a slot is used again once its write is acknowledged. */
    private static void send(final RocePair pair, final int messages, final int length)
    {
        final WorkCompletions completions = new WorkCompletions(16);
        final long deadline = System.nanoTime() + PATIENCE;
        long done = 0;
        for (int i = 1; i <= messages; i++)
        {
            while (i - done > RocePair.DEPTH)
            {
                final int count = pair.a.sends.poll(completions);
                for (int c = 0; c < count; c++)
                {
                    assertThat(completions.status(c)).isEqualTo(WcStatus.SUCCESS);
                    done = completions.wrId(c);
                }
                pauseIf(count == 0, deadline);
            }
            final long offset = (long) (i % RocePair.DEPTH) * 4096;
            for (int at = 0; at < length; at += Long.BYTES)
            {
                pair.a.memory.set(ValueLayout.JAVA_LONG, offset + at, i);
            }
            final int flags = i % SIGNAL_EVERY == 0 ? SendFlags.SIGNALED : SendFlags.NONE;
            pair.a.queuePair.addWriteWithImm(
                i, flags, pair.a.region.address() + offset, length, pair.a.region.lkey(),
                pair.b.region.address() + offset, pair.b.region.rkey(), i);
            assertThat(pair.a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        }
    }

    private static void receive(final RocePair pair, final int messages, final int length)
    {
        final WorkCompletions completions = new WorkCompletions(16);
        final long deadline = System.nanoTime() + PATIENCE;
        int next = 1;
        while (next <= messages)
        {
            final int count = pair.b.receives.poll(completions);
            for (int c = 0; c < count; c++)
            {
                assertThat(completions.imm(c)).isEqualTo(next);
                final long offset = (long) (next % RocePair.DEPTH) * 4096;
                final long first = pair.b.memory.get(ValueLayout.JAVA_LONG, offset);
                final long last = pair.b.memory.get(ValueLayout.JAVA_LONG, offset + length - Long.BYTES);
                // the slot may hold a later lap's message already, never an earlier one's
                assertThat(first % RocePair.DEPTH).isEqualTo(next % RocePair.DEPTH);
                assertThat(first).isGreaterThanOrEqualTo(next);
                assertThat(last).isGreaterThanOrEqualTo(next);
                pair.b.queuePair.addReceive(next, 0, 0, 0);
                next++;
            }
            assertThat(pair.b.queuePair.postReceives()).isEqualTo(Errno.OK);
            pauseIf(count == 0, deadline);
        }
    }

    private static void pauseIf(final boolean idle, final long deadline)
    {
        if (idle)
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("no progress");
            }
            LockSupport.parkNanos(20_000);
        }
    }
}

package io.gannet.perf.load;

import io.gannet.perf.peer.MessageHandler;
import io.gannet.perf.peer.Receiver;
import io.gannet.perf.peer.Sender;
import io.gannet.perf.worker.Board;
import io.gannet.perf.worker.Phase;
import io.gannet.perf.worker.ThreadResult;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * One message outstanding: sent over one stream, checked and sent back over another. Latency is the round trip.
 */
public final class PingPongLoad extends Load
{
    private static final int WARM_UP_TRIPS = 150_000;
    private static final int WARM_UP_PHASES = 5;
    private static final long WARM_UP_PHASE_NANOS = 3_000_000;
    private static final int ECHO_LIMIT = 10;
    private static final long LOST_NANOS = 10_000_000_000L;

    private final Histogram latency = newHistogram();
    private Pinger pinger;
    private Echo echo;
    private Pinger warmPinger;
    private Echo warmEcho;

    @Override
    protected void openStreams()
    {
        if (side != Side.SUBSCRIBERS)
        {
            pinger = new Pinger(stream(1), scenario.ringBytes());
        }
        if (side != Side.PUBLISHERS)
        {
            echo = new Echo(stream(0), scenario.ringBytes());
        }
        if (pinger != null)
        {
            pinger.publish(stream(0), scenario.ringBytes());
        }
        if (echo != null)
        {
            echo.publish(stream(1), scenario.ringBytes());
        }
    }

    @Override
    public boolean connected()
    {
        return (pinger == null || pinger.connected()) && (echo == null || echo.connected());
    }

    @Override
    public void warmUp()
    {
        warmPinger = new Pinger(warmUpStream(1), warmUpRingBytes());
        warmEcho = new Echo(warmUpStream(0), warmUpRingBytes());
        warmPinger.publish(warmUpStream(0), warmUpRingBytes());
        warmEcho.publish(warmUpStream(1), warmUpRingBytes());
        awaitWarmUpStream(() -> warmPinger.connected() && warmEcho.connected());
        for (int i = 0; i < WARM_UP_TRIPS; i++)
        {
            final long sent = System.nanoTime();
            warmPinger.send();
            final long echoed = warmEcho.checker.received();
            while (warmEcho.checker.received() == echoed)
            {
                if (warmEcho.poll() == 0)
                {
                    Thread.onSpinWait();
                }
            }
            warmPinger.await(sent + LOST_NANOS);
            latency.recordValue(System.nanoTime() - sent);
            if ((i & 1023) == 0)
            {
                peer.service();
            }
        }
        final Board local = new Board();
        for (int i = 1; i <= WARM_UP_PHASES; i++)
        {
            warmUpLoops(local, i);
            peer.service();
        }
    }

    /** The loops themselves, which take two threads. */
    private void warmUpLoops(final Board local, final int phase)
    {
        final long end = System.nanoTime() + WARM_UP_PHASE_NANOS;
        final Thread echoing = new Thread(() -> echoUntilOver(warmEcho, local, phase, end + LOST_NANOS));
        echoing.start();
        pingUntil(warmPinger, end);
        local.over(phase);
        try
        {
            echoing.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public ThreadResult run(final int thread, final Phase phase)
    {
        return thread == 0 && pinger != null ? runPinger(phase) : runEcho(phase);
    }

    private ThreadResult runPinger(final Phase phase)
    {
        latency.reset();
        idling.until(phase.startNanos());
        final long trips = pingUntil(pinger, phase.endNanos());
        final long nanos = System.nanoTime() - phase.startNanos();
        board.over(phase.number());
        return new ThreadResult("producer", trips, nanos, 0, encode(latency), 0, 0, 0, 0, 0);
    }

    private long pingUntil(final Pinger which, final long end)
    {
        long trips = 0;
        while (true)
        {
            final long sent = System.nanoTime();
            if (sent - end >= 0)
            {
                return trips;
            }
            which.send();
            which.await(sent + LOST_NANOS);
            latency.recordValue(Math.min(System.nanoTime() - sent, LONGEST_NANOS));
            trips++;
        }
    }

    private ThreadResult runEcho(final Phase phase)
    {
        final long before = echo.checker.received();
        echoUntilOver(echo, board, phase.number(), phase.endNanos() + LOST_NANOS);
        return new ThreadResult("subscriber", echo.checker.received() - before,
            phase.endNanos() - phase.startNanos(), 0, null, 0, 0, 0, 0, 0);
    }

    private void echoUntilOver(final Echo which, final Board shared, final int phase, final long deadline)
    {
        int empty = 0;
        while (true)
        {
            if (which.poll() == 0)
            {
                idling.idle();
                if ((++empty & 31) == 0 && (shared.isOver(phase) || System.nanoTime() - deadline > 0))
                {
                    return;
                }
            }
        }
    }

    private final class Pinger
    {
        private Outbound out;
        private final Checker checker = new Checker(scenario.size(), 1, false, null);
        private final Receiver back;

        Pinger(final int pongStream, final int ringBytes)
        {
            back = newReceiver(pongStream, ringBytes, checker);
        }

        void publish(final int pingStream, final int ringBytes)
        {
            out = new Outbound(newSender(pingStream, ringBytes), 0, scenario.size());
        }

        boolean connected()
        {
            return out.sender().connected() && back.connected();
        }

        void send()
        {
            while (!out.offer())
            {
                idling.idle();
            }
        }

        void await(final long deadline)
        {
            int empty = 0;
            final long before = checker.received();
            // A poll may bring a part of a message alone.
            while (checker.received() == before)
            {
                if (back.poll(1) != 0)
                {
                    continue;
                }
                idling.idle();
                if ((++empty & 255) == 0 && System.nanoTime() - deadline > 0)
                {
                    throw new IllegalStateException(scenario + ": no echo of message " + checker.received() +
                        " within 10 s");
                }
            }
        }
    }

    private final class Echo implements MessageHandler
    {
        private final Checker checker = new Checker(scenario.size(), 1, false, null);
        private final Receiver in;
        private Sender back;

        Echo(final int pingStream, final int ringBytes)
        {
            in = newReceiver(pingStream, ringBytes, this);
        }

        void publish(final int pongStream, final int ringBytes)
        {
            back = newSender(pongStream, ringBytes);
        }

        boolean connected()
        {
            return in.connected() && back.connected();
        }

        int poll()
        {
            return in.poll(ECHO_LIMIT);
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length)
        {
            checker.onMessage(buffer, offset, length);
            while (!back.offer(buffer, offset, length))
            {
                idling.idle();
            }
        }
    }
}

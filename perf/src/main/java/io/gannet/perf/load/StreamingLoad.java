package io.gannet.perf.load;

import io.gannet.perf.peer.Receiver;
import io.gannet.perf.worker.Board;
import io.gannet.perf.worker.Phase;
import io.gannet.perf.worker.Scenario.LoadKind;
import io.gannet.perf.worker.ThreadResult;
import org.HdrHistogram.Histogram;

/**
 * One-way loads: as fast as accepted, or paced by intended time.
 */
public final class StreamingLoad extends Load
{
    private static final int BURST = 64;
    private static final int WARM_UP_ROUNDS = 10_000;
    private static final int WARM_UP_BURST = 50;
    private static final int WARM_UP_FILLS = 5;
    private static final int WARM_UP_PHASES = 25;
    private static final long WARM_UP_PHASE_NANOS = 2_000_000;
    private static final long GAP_NANOS = 10_000;
    private static final long DRAIN_NANOS = 10_000_000_000L;

    private boolean paced;
    private Outbound[] producers = {};
    private Receiver[][] receivers = {};
    private Checker[][] checkers = {};
    private Histogram[] latencies = {};
    /** Clock and counters of the calls below; each belongs to one thread at a time. */
    private final Meter[] meters = new Meter[Board.MAX_PRODUCERS];

    @Override
    protected void openStreams()
    {
        paced = scenario.load() == LoadKind.PACED;
        for (int i = 0; i < meters.length; i++)
        {
            meters[i] = new Meter();
        }
        if (side != Side.PUBLISHERS)
        {
            receivers = new Receiver[pollingThreads][];
            checkers = new Checker[pollingThreads][];
            latencies = new Histogram[pollingThreads];
            for (int i = 0; i < pollingThreads; i++)
            {
                final int subscriptions = (scenario.subscribers() + pollingThreads - 1 - i) / pollingThreads;
                latencies[i] = paced ? newHistogram() : null;
                checkers[i] = newCheckers(subscriptions, scenario.producers(), latencies[i]);
                receivers[i] = newReceivers(stream(0), scenario.ringBytes(), checkers[i]);
            }
        }
        if (side != Side.SUBSCRIBERS)
        {
            producers = new Outbound[scenario.producers()];
            for (int i = 0; i < producers.length; i++)
            {
                producers[i] = new Outbound(newSender(stream(0), scenario.ringBytes()), i, scenario.size());
            }
        }
    }

    @Override
    public boolean connected()
    {
        for (final Outbound producer : producers)
        {
            if (!producer.sender().connected())
            {
                return false;
            }
        }
        for (final Receiver[] group : receivers)
        {
            if (!connected(group))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean connected(final Receiver[] group)
    {
        for (final Receiver receiver : group)
        {
            if (!receiver.connected())
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void warmUp()
    {
        final Histogram latency = paced ? newHistogram() : null;
        final int subscriptions = (scenario.subscribers() + pollingThreads - 1) / pollingThreads;
        final Checker[] warmCheckers = newCheckers(subscriptions, 1, latency);
        final Receiver[] warmReceivers = newReceivers(warmUpStream(0), warmUpRingBytes(), warmCheckers);
        final Outbound producer =
            new Outbound(newSender(warmUpStream(0), warmUpRingBytes()), 0, scenario.size());
        awaitWarmUpStream(() -> producer.sender().connected() && connected(warmReceivers));
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            send(producer, WARM_UP_BURST);
            pollAll(warmReceivers);
        }
        for (int i = 0; i < WARM_UP_FILLS; i++)
        {
            send(producer, Integer.MAX_VALUE);
            pollAll(warmReceivers);
        }
        final Meter meter = meters[0];
        for (int i = 0; i < WARM_UP_PHASES; i++)
        {
            final long end = System.nanoTime() + WARM_UP_PHASE_NANOS;
            produce(producer, meter, System.nanoTime(), end);
            consume(warmReceivers, System.nanoTime() + WARM_UP_PHASE_NANOS);
        }
        pollAll(warmReceivers);
        if (warmCheckers[0].received() != producer.sent())
        {
            throw new IllegalStateException("warm-up of " + scenario + ": sent " + producer.sent() + ", received " +
                warmCheckers[0].received());
        }
    }

    @Override
    public ThreadResult run(final int thread, final Phase phase)
    {
        if (thread < producers.length)
        {
            return runProducer(producers[thread], thread, phase);
        }
        final int poller = thread - producers.length;
        return runPoller(receivers[poller], checkers[poller], latencies[poller], phase);
    }

    private ThreadResult runProducer(final Outbound producer, final int index, final Phase phase)
    {
        final Meter meter = meters[index];
        meter.reset();
        final long start = phase.startNanos() - phase.headNanos();
        final long before = producer.sent();
        spinUntil(start);
        produce(producer, meter, start, phase.endNanos());
        final long nanos = System.nanoTime() - start;
        board.producerDone(index, phase.number(), producer.sent());
        return new ThreadResult("producer", producer.sent() - before, nanos, meter.refused, null, meter.gaps,
            meter.gapNanos, 0, 0, 0);
    }

    private ThreadResult runPoller(
        final Receiver[] group, final Checker[] groupCheckers, final Histogram latency, final Phase phase)
    {
        if (latency != null)
        {
            latency.reset();
        }
        final long[] before = new long[groupCheckers.length];
        for (int i = 0; i < before.length; i++)
        {
            before[i] = groupCheckers[i].received();
        }
        spinUntil(phase.startNanos());
        final long end = consume(group, phase.endNanos());
        long slowest = Long.MAX_VALUE;
        for (int i = 0; i < before.length; i++)
        {
            slowest = Math.min(slowest, groupCheckers[i].received() - before[i]);
        }
        drain(group, groupCheckers, phase);
        return new ThreadResult("subscriber", slowest, end - phase.startNanos(), 0,
            latency == null ? null : encode(latency), 0, 0, 0, 0, 0);
    }

    private void produce(final Outbound producer, final Meter meter, final long start, final long end)
    {
        if (paced)
        {
            producePaced(producer, meter, start, end);
        }
        else
        {
            produceAtFullSpeed(producer, meter, end);
        }
    }

    private void produceAtFullSpeed(final Outbound producer, final Meter meter, final long end)
    {
        int bursts = 0;
        while (true)
        {
            if (producer.burst(BURST) == 0)
            {
                meter.refused++;
                idle();
                if (System.nanoTime() - end >= 0)
                {
                    return;
                }
            }
            else if ((++bursts & 3) == 0 && System.nanoTime() - end >= 0)
            {
                return;
            }
        }
    }

    private void producePaced(final Outbound producer, final Meter meter, final long start, final long end)
    {
        final long interval = scenario.intervalNanos();
        long next = start;
        long previous = System.nanoTime();
        while (true)
        {
            final long now = System.nanoTime();
            if (now - previous > GAP_NANOS)
            {
                meter.gaps++;
                meter.gapNanos += now - previous;
            }
            previous = now;
            if (now - end >= 0)
            {
                return;
            }
            if (now - next >= 0)
            {
                if (producer.offer(next))
                {
                    next += interval;
                }
                else
                {
                    meter.refused++;
                    idle();
                }
            }
        }
    }

    /** Polls until {@code end} and returns the time then. */
    private long consume(final Receiver[] group, final long end)
    {
        int empty = 0;
        int batch = 0;
        while (true)
        {
            final int polled = poll(group);
            if (polled == 0)
            {
                idle();
                if ((++empty & 63) != 0)
                {
                    continue;
                }
            }
            else
            {
                batch += polled;
                if (batch < 4 * FRAGMENT_LIMIT)
                {
                    continue;
                }
                batch = 0;
            }
            final long now = System.nanoTime();
            if (now - end >= 0)
            {
                return now;
            }
        }
    }

    /** Takes what is left after the phase, so that the next one starts empty, and proves that nothing was lost. */
    private void drain(final Receiver[] group, final Checker[] groupCheckers, final Phase phase)
    {
        final long deadline = System.nanoTime() + DRAIN_NANOS;
        while (true)
        {
            final long sent = sentInAll(phase.number());
            boolean complete = sent >= 0;
            for (final Checker checker : groupCheckers)
            {
                complete &= checker.received() == sent;
            }
            if (complete)
            {
                return;
            }
            if (poll(group) == 0)
            {
                idle();
            }
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException(scenario + ": sent " + sent + ", received " +
                    groupCheckers[0].received() + " within 10 s after the phase");
            }
        }
    }

    private long sentInAll(final int phase)
    {
        long all = 0;
        for (int i = 0; i < scenario.producers(); i++)
        {
            final long sent = board.sentBy(i, phase);
            if (sent < 0)
            {
                return -1;
            }
            all += sent;
        }
        return all;
    }

    private void send(final Outbound producer, final int most)
    {
        int sent = 0;
        while (sent < most && (paced ? producer.offer(System.nanoTime()) : producer.offer()))
        {
            sent++;
        }
    }

    private void pollAll(final Receiver[] group)
    {
        // A poll that waits for more may return 0 although there is something: ask again before believing it.
        for (int empty = 0; empty < 3;)
        {
            empty = poll(group) == 0 ? empty + 1 : 0;
        }
        peer.service();
    }

    private Checker[] newCheckers(final int count, final int senders, final Histogram latency)
    {
        final Checker[] made = new Checker[count];
        for (int i = 0; i < count; i++)
        {
            made[i] = new Checker(scenario.size(), senders, paced, latency);
        }
        return made;
    }

    private Receiver[] newReceivers(final int stream, final int ringBytes, final Checker[] handlers)
    {
        final Receiver[] made = new Receiver[handlers.length];
        for (int i = 0; i < made.length; i++)
        {
            made[i] = newReceiver(stream, ringBytes, handlers[i]);
        }
        return made;
    }

    private static final class Meter
    {
        private long refused;
        private long gaps;
        private long gapNanos;

        void reset()
        {
            refused = 0;
            gaps = 0;
            gapNanos = 0;
        }
    }
}

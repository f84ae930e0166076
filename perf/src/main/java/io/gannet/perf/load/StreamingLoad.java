package io.gannet.perf.load;

import io.gannet.perf.peer.Receiver;
import io.gannet.perf.worker.Phase;
import io.gannet.perf.worker.Scenario.LoadKind;
import io.gannet.perf.worker.ThreadResult;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * One-way loads: as fast as accepted, or paced by intended time.
 */
public final class StreamingLoad extends Load
{
    private static final int WARM_UP_ROUNDS = 10_000;
    private static final int WARM_UP_BURST = 50;
    private static final int WARM_UP_FILLS = 5;
    private static final int WARM_UP_PHASES = 25;
    private static final long WARM_UP_PHASE_NANOS = 2_000_000;
    private static final long DRAIN_NANOS = 10_000_000_000L;

    private boolean paced;
    private SendLoop sending;
    private Outbound[] producers = {};
    private Poller[] pollers = {};

    @Override
    protected void openStreams()
    {
        paced = scenario.load() == LoadKind.PACED;
        sending = new SendLoop(idling, paced ? scenario.intervalNanos() : 0);
        if (side != Side.PUBLISHERS)
        {
            pollers = new Poller[pollingThreads];
            for (int i = 0; i < pollingThreads; i++)
            {
                final int subscriptions = (scenario.subscribers() + pollingThreads - 1 - i) / pollingThreads;
                pollers[i] = newPoller(subscriptions, scenario.producers(), stream(0), scenario.ringBytes());
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

    private Poller newPoller(final int subscriptions, final int senders, final int stream, final int ringBytes)
    {
        final Histogram latency = paced ? newHistogram() : null;
        final Checker[] checkers = new Checker[subscriptions];
        final Receiver[] receivers = new Receiver[subscriptions];
        for (int i = 0; i < subscriptions; i++)
        {
            checkers[i] = new Checker(scenario.size(), senders, paced, latency);
            receivers[i] = newReceiver(stream, ringBytes, checkers[i]);
        }
        return new Poller(receivers, checkers, latency, idling);
    }

    @Override
    public boolean connected()
    {
        return Arrays.stream(producers).allMatch(producer -> producer.sender().connected()) &&
            Arrays.stream(pollers).allMatch(Poller::connected);
    }

    @Override
    public void warmUp()
    {
        final int subscriptions = (scenario.subscribers() + pollingThreads - 1) / pollingThreads;
        final Poller poller = newPoller(subscriptions, 1, warmUpStream(0), warmUpRingBytes());
        final Outbound producer =
            new Outbound(newSender(warmUpStream(0), warmUpRingBytes()), 0, scenario.size());
        awaitWarmUpStream(() -> producer.sender().connected() && poller.connected());
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            send(producer, WARM_UP_BURST);
            pollAll(poller);
        }
        for (int i = 0; i < WARM_UP_FILLS; i++)
        {
            send(producer, Integer.MAX_VALUE);
            pollAll(poller);
        }
        for (int i = 0; i < WARM_UP_PHASES; i++)
        {
            final long end = System.nanoTime() + WARM_UP_PHASE_NANOS;
            sending.run(producer, System.nanoTime(), end);
            poller.pollUntil(System.nanoTime() + WARM_UP_PHASE_NANOS);
        }
        pollAll(poller);
        if (!poller.hasReceived(producer.sent()))
        {
            throw new IllegalStateException("warm-up of " + scenario + ": sent " + producer.sent() + ", received " +
                Arrays.toString(poller.received()));
        }
    }

    private void send(final Outbound producer, final int most)
    {
        int sent = 0;
        while (sent < most && (paced ? producer.offer(System.nanoTime()) : producer.offer()))
        {
            sent++;
        }
    }

    private void pollAll(final Poller poller)
    {
        poller.pollAll();
        peer.service();
    }

    @Override
    public ThreadResult run(final int thread, final Phase phase)
    {
        return thread < producers.length ? runProducer(producers[thread], thread, phase) :
            runPoller(pollers[thread - producers.length], phase);
    }

    private ThreadResult runProducer(final Outbound producer, final int index, final Phase phase)
    {
        producer.beginPhase();
        final long start = phase.startNanos() - phase.headNanos();
        final long before = producer.sent();
        idling.until(start);
        sending.run(producer, start, phase.endNanos());
        final long nanos = System.nanoTime() - start;
        board.producerDone(index, phase.number(), producer.sent());
        return new ThreadResult("producer", producer.sent() - before, nanos, producer.refused, null, producer.gaps,
            producer.gapNanos, 0, 0, 0);
    }

    private ThreadResult runPoller(final Poller poller, final Phase phase)
    {
        final Histogram latency = poller.latency();
        if (latency != null)
        {
            latency.reset();
        }
        final long[] before = poller.received();
        idling.until(phase.startNanos());
        final long end = poller.pollUntil(phase.endNanos());
        final long[] after = poller.received();
        long slowest = Long.MAX_VALUE;
        for (int i = 0; i < before.length; i++)
        {
            slowest = Math.min(slowest, after[i] - before[i]);
        }
        drain(poller, phase);
        return new ThreadResult("subscriber", slowest, end - phase.startNanos(), 0,
            latency == null ? null : encode(latency), 0, 0, 0, 0, 0);
    }

    /** Takes what is left after the phase, so that the next one starts empty, and proves that nothing was lost. */
    private void drain(final Poller poller, final Phase phase)
    {
        final long deadline = System.nanoTime() + DRAIN_NANOS;
        while (true)
        {
            final long sent = sentInAll(phase.number());
            if (sent >= 0 && poller.hasReceived(sent))
            {
                return;
            }
            if (poller.poll() == 0)
            {
                idling.idle();
            }
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException(scenario + ": sent " + sent + ", received " +
                    Arrays.toString(poller.received()) + " within 10 s after the phase");
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
}

package io.gannet.perf.model;

import io.gannet.rdma.InlinePolicy;
import io.gannet.rdma.SendFlags;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Sends a workload through modelled hardware, event by event. The sender's cycle is the engine's: post what is there,
 * as far as chain and queue allow, ring once, take completions.
 */
public final class WriteSimulation
{
    /** Slots that messages never take, as in the engine: the tail and a control message always fit. */
    private static final int RESERVED_SLOTS = 2;

    private final Hardware hardware;
    private final Workload workload;
    private final ClosedForm costs;
    private final Events events = new Events();
    private final Nic nic;
    private final Ledger ledger;
    private final InlinePolicy inlinePolicy;
    private final SplittableRandom random;
    private final ArrayDeque<Double> waiting = new ArrayDeque<>();
    private final ArrayDeque<Long> completions = new ArrayDeque<>();
    private final double[] latencies;
    private int arrived;
    private int delivered;
    private double first = -1;
    private double last;
    private double senderBusy;
    private boolean idle = true;
    private double fullSince = -1;
    private double full;
    private long requests;
    private long doorbells;
    private long blueFlames;
    private long signaled;

    private WriteSimulation(final Hardware hardware, final Workload workload)
    {
        this.hardware = hardware;
        this.workload = workload;
        costs = new ClosedForm(hardware);
        nic = new Nic(hardware, events, this::onCompletion, this::onDelivered);
        ledger = Ledger.of(workload);
        inlinePolicy = new InlinePolicy(workload.granted(), workload.inlineThreshold());
        random = new SplittableRandom(workload.seed());
        latencies = new double[workload.messages()];
    }

    /** Runs the workload to its end. */
    public static Outcome run(final Hardware hardware, final Workload workload)
    {
        final WriteSimulation simulation = new WriteSimulation(hardware, workload);
        simulation.run();
        return simulation.outcome();
    }

    private void run()
    {
        if (workload.perSecond() == 0)
        {
            events.at(0, this::wake);
        }
        else
        {
            events.at(0, this::arrive);
        }
        while (delivered < workload.messages())
        {
            if (!events.step())
            {
                throw new IllegalStateException("stuck after " + delivered + " messages: " + workload);
            }
        }
    }

    private Outcome outcome()
    {
        return new Outcome(delivered, last - first, new Outcome.Latencies(latencies), senderBusy, nic.receiverBusy(),
            requests, doorbells, blueFlames, signaled, full);
    }

    private void arrive()
    {
        waiting.add(events.now());
        arrived++;
        if (arrived < workload.messages())
        {
            // Exponential gaps: a Poisson process.
            events.at(events.now() - Math.log(1 - random.nextDouble()) * 1e9 / workload.perSecond(), this::arrive);
        }
        wake();
    }

    /** What an idle sender's next poll would find has come. */
    private void wake()
    {
        if (idle)
        {
            idle = false;
            cycle();
        }
    }

    private void cycle()
    {
        final double now = events.now();
        if (first < 0)
        {
            first = now;
        }
        double cost = post(now);
        if (cost == 0 && ledger.isTailDue(now))
        {
            cost = postTail(now);
        }
        final boolean posted = cost > 0;
        int taken = 0;
        while (!completions.isEmpty())
        {
            ledger.complete(completions.poll(), now);
            taken++;
        }
        cost += taken * hardware.get(Parameter.POLL_CQE) + (posted ? hardware.get(Parameter.POLL_EMPTY) : 0);
        if (fullSince >= 0 && taken > 0)
        {
            full += now - fullSince;
            fullSince = -1;
        }
        senderBusy += cost;
        if (cost > 0)
        {
            events.at(now + cost, this::cycle);
            return;
        }
        idle = true;
        if (hasMessage() && fullSince < 0)
        {
            fullSince = now;
        }
        if (ledger.outstanding() > 0)
        {
            events.at(now + Ledger.TAIL_DELAY + 1, () ->
            {
                if (idle && ledger.isTailDue(events.now()))
                {
                    wake();
                }
            });
        }
    }

    private boolean hasMessage()
    {
        return workload.perSecond() == 0 ? arrived < workload.messages() : !waiting.isEmpty();
    }

    private double take(final double now)
    {
        if (workload.perSecond() == 0)
        {
            arrived++;
            return now;
        }
        return waiting.poll();
    }

    /** Posts one chain; returns its cost, 0 if there was nothing or no slot. */
    private double post(final double now)
    {
        final ArrayDeque<Write> chain = new ArrayDeque<>();
        double cost = 0;
        while (chain.size() < workload.chain() && ledger.free() > RESERVED_SLOTS && hasMessage())
        {
            final Write write = new Write();
            do
            {
                write.arrivals.add(take(now));
                cost += hardware.get(Parameter.SCAN);
                write.bytes += workload.bytes();
            }
            while (hasMessage() && write.bytes + workload.bytes() <= workload.mergeCap());
            write.inline = inlinePolicy.flags(write.bytes) == SendFlags.INLINE;
            write.signaled = ledger.post(now);
            write.sequence = ledger.sequence();
            final int lines = write.inline ? (write.bytes + Hardware.BLOCK - 1) / Hardware.BLOCK : 0;
            cost += hardware.get(Parameter.BUILD) + lines * hardware.get(Parameter.INLINE_LINE);
            chain.add(write);
        }
        return chain.isEmpty() ? 0 : ring(chain, cost, now);
    }

    private double postTail(final double now)
    {
        final Write tail = new Write();
        ledger.postTail(now);
        tail.signaled = true;
        tail.inline = true;
        tail.sequence = ledger.sequence();
        final ArrayDeque<Write> chain = new ArrayDeque<>();
        chain.add(tail);
        return ring(chain, hardware.get(Parameter.BUILD), now);
    }

    private double ring(final ArrayDeque<Write> chain, final double built, final double now)
    {
        final Write head = chain.peek();
        final boolean blueFlame = hardware.blueFlame(head.bytes, head.inline, chain.size());
        final double cost = built + costs.ring(head.bytes, head.inline, chain.size());
        doorbells++;
        blueFlames += blueFlame ? 1 : 0;
        requests += chain.size();
        chain.forEach(write -> signaled += write.signaled ? 1 : 0);
        events.at(now + cost, () -> nic.doorbell(chain, blueFlame));
        return cost;
    }

    private void onCompletion(final long sequence)
    {
        completions.add(sequence);
        wake();
    }

    private void onDelivered(final Write write)
    {
        for (final double arrival : write.arrivals)
        {
            latencies[delivered++] = events.now() - arrival;
        }
        last = events.now();
    }

    /** One request on its way. */
    static final class Write
    {
        private final ArrayDeque<Double> arrivals = new ArrayDeque<>(1);
        private int bytes;
        private boolean inline;
        private boolean signaled;
        private long sequence;

        int bytes()
        {
            return bytes;
        }

        boolean isInline()
        {
            return inline;
        }

        boolean isSignaled()
        {
            return signaled;
        }

        boolean carriesMessages()
        {
            return !arrivals.isEmpty();
        }

        long sequence()
        {
            return sequence;
        }
    }
}

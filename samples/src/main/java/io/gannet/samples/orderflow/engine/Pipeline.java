package io.gannet.samples.orderflow.engine;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.gannet.samples.UtcClock;
import io.gannet.samples.marketdata.publisher.FeedPublisher;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.BatchClock;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.matching.LinkNumbers;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * The stages on their ring: poll, decode and risk, journal, match, publish, feed. Each is an agent; agents share
 * threads as the layout says. A batch is what one poll brought.
 */
final class Pipeline
{
    private static final int RING_SIZE = 512;
    private static final int POLL_LIMIT = 256;

    private final RingBuffer<CommandEvent> ring =
        // Nothing ever waits on the barrier's strategy: agents poll and idle by themselves.
        RingBuffer.createSingleProducer(CommandEvent::new, RING_SIZE, new BusySpinWaitStrategy());
    private final Inlet inlet;
    private final Inlet.Handler handler = this::onMessage;
    private final BatchClock clock = new BatchClock(new UtcClock());
    private final DecodeStage decode;
    private final Journal journal;
    private final MatchingEngine engine;
    private final EngineOutputs outputs;
    private final EngineCounters counters;
    private final IdleStrategy roomIdle;
    private final boolean ownThreads;
    /** Last message of the poll that goes on, or -1. */
    private long pending = -1;

    Pipeline(
        final Inlet inlet, final Journal journal, final MatchingEngine engine, final EngineOutputs outputs,
        final EngineCounters counters, final Layout layout, final IdleStrategy roomIdle)
    {
        this.inlet = inlet;
        this.journal = journal;
        this.engine = engine;
        this.outputs = outputs;
        this.counters = counters;
        this.roomIdle = roomIdle;
        ownThreads = layout == Layout.FULL;
        final LinkNumbers taken = new LinkNumbers();
        taken.copyFrom(engine.links());
        decode = new DecodeStage(taken, inlet::isConnected, counters);
    }

    /** The agents, grouped by thread. */
    List<List<Agent>> agents(final Layout layout)
    {
        final Stage decoding = new Stage("decode", (event, sequence, end) ->
        {
            decode.onEvent(event);
            return true;
        });
        final Stage journaling = new Stage("journal", this::journal, decoding);
        final Stage matching = new Stage("match", this::match, journaling);
        final Stage publishing = new Stage("publish", this::publish, matching)
        {
            @Override
            public int doWork() throws Exception
            {
                return super.doWork() + outputs.sender().doWork();
            }
        };
        ring.addGatingSequences(publishing.poller.getSequence());
        final Agent polling = new PollStage();
        final Agent feed = new FeedStage(outputs.feed());
        return switch (layout)
        {
            case ONE -> List.of(List.of(polling, decoding, journaling, matching, publishing, feed));
            case TWO -> List.of(List.of(polling), List.of(decoding, journaling, matching, publishing, feed));
            case FULL -> List.of(List.of(polling), List.of(decoding), List.of(journaling), List.of(matching),
                List.of(publishing), List.of(feed));
        };
    }

    /** Copies each message into the ring; all of a poll are published at once, so that every batch ends with a poll. */
    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final long source)
    {
        pending = ring.next();
        final CommandEvent event = ring.get(pending);
        event.time = clock.nanos();
        if (!event.accept(buffer, offset, length, source))
        {
            event.accept(buffer, offset, 0, source);
        }
    }

    private boolean journal(final CommandEvent event, final long sequence, final boolean end) throws IOException
    {
        if (event.accepted)
        {
            journal.append(event.time, event.bytes, 0, event.length);
        }
        // Before the matching sees any of it: it sees what this stage did when the batch is through.
        if (end)
        {
            journal.endOfBatch();
        }
        return true;
    }

    private boolean match(final CommandEvent event, final long sequence, final boolean end) throws IOException
    {
        if (event.accepted)
        {
            if (ownThreads)
            {
                outputs.awaitRoom(roomIdle);
            }
            else
            {
                outputs.makeRoom();
            }
            engine.apply(event.time, event.bytes, 0);
            counters.commands.set(engine.commands());
        }
        event.lastReport = outputs.lastReport();
        return true;
    }

    private boolean publish(final CommandEvent event, final long sequence, final boolean end)
    {
        outputs.sender().matched(event.lastReport);
        if (event.answerGateway >= 0)
        {
            outputs.sender().answer(event);
        }
        return true;
    }

    private final class PollStage implements Agent
    {
        @Override
        public int doWork()
        {
            final int limit = (int) Math.min(POLL_LIMIT, ring.remainingCapacity());
            clock.begin();
            final int polled = limit == 0 ? 0 : inlet.poll(handler, limit);
            if (pending >= 0)
            {
                // With it all before it, as there is one producer.
                ring.publish(pending);
                pending = -1;
            }
            return polled;
        }

        @Override
        public String roleName()
        {
            return "poll";
        }
    }

    /** One consumer of the ring. */
    private class Stage implements Agent
    {
        private final String name;
        private final EventPoller<CommandEvent> poller;
        private final EventPoller.Handler<CommandEvent> stageHandler;
        private int handled;
        private final EventPoller.Handler<CommandEvent> counting = this::onEvent;

        Stage(final String name, final EventPoller.Handler<CommandEvent> stageHandler, final Stage... after)
        {
            this.name = name;
            this.stageHandler = stageHandler;
            final List<Sequence> upstream = new ArrayList<>();
            for (final Stage stage : after)
            {
                upstream.add(stage.poller.getSequence());
            }
            poller = ring.newPoller(upstream.toArray(Sequence[]::new));
        }

        private boolean onEvent(final CommandEvent event, final long sequence, final boolean end) throws Exception
        {
            handled++;
            return stageHandler.onEvent(event, sequence, end);
        }

        @Override
        public int doWork() throws Exception
        {
            handled = 0;
            poller.poll(counting);
            return handled;
        }

        @Override
        public String roleName()
        {
            return name;
        }
    }

    private record FeedStage(FeedPublisher feed) implements Agent
    {
        private static final int EVENTS = 64;

        @Override
        public int doWork() throws IOException
        {
            if (feed == null)
            {
                return 0;
            }
            int work = 0;
            while (work < EVENTS && feed.doWork() == 0)
            {
                work++;
            }
            return work;
        }

        @Override
        public String roleName()
        {
            return "feed";
        }
    }
}

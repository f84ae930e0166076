package io.gannet.samples.orderflow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.orderflow.LinkEstablishedDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.OutboundHeaderDecoder;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.publisher.FeedPublisher;
import io.gannet.samples.marketdata.publisher.PublisherSettings;
import io.gannet.samples.marketdata.source.FeedEvent;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.matching.Commands;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.EngineOutput;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stages in any order of their steps, on one thread. */
final class PipelineTest
{
    private static final int SECURITY = 1001;
    private static final long PRICE = 100_000_000_000L;
    private static final int SEGMENT = 1 << 22;
    /** What one command can cause is less than three eighths of the log. */
    private static final int ORDERS = 300;

    @TempDir
    private Path directory;

    private final Commands commands = new Commands();
    private final Queue<byte[]> arriving = new ArrayDeque<>();
    private final EngineCounters counters = new EngineCounters();
    private final EngineOutput output = new EngineOutput(MessageLog.allocate(1 << 18), MessageLog.allocate(1 << 18));
    private final Tradables tradables = Tradables.example(1);
    private final MatchingEngine engine = new MatchingEngine(tradables, new EngineLimits(ORDERS, ORDERS), output);
    private Sender gateways = new Nobody();
    private ReportSender reportsSent;
    private Step betweenMessages = () ->
    {
    };

    private interface Step
    {
        void run() throws Exception;
    }

    /** Other stages may go on between any two messages of a poll. */
    private final class Arriving extends Inlet
    {
        @Override
        public int poll(final Handler handler, final int limit)
        {
            int count = 0;
            for (byte[] next = arriving.poll(); next != null; next = count < limit ? arriving.poll() : null)
            {
                handler.onMessage(new UnsafeBuffer(next), 0, next.length, 1);
                count++;
                try
                {
                    betweenMessages.run();
                }
                catch (final Exception failure)
                {
                    throw new AssertionError(failure);
                }
            }
            return count;
        }

        @Override
        public boolean isConnected()
        {
            return true;
        }

        @Override
        public boolean isConnected(final long source)
        {
            return true;
        }

        @Override
        public void close()
        {
            arriving.clear();
        }
    }

    private static final class Nobody extends Sender
    {
        @Override
        public int claim(final int length)
        {
            return NOT_CONNECTED;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            throw new AssertionError("nothing was claimed");
        }

        @Override
        public int offset()
        {
            throw new AssertionError("nothing was claimed");
        }

        @Override
        public void commit()
        {
            throw new AssertionError("nothing was claimed");
        }

        @Override
        public boolean isConnected()
        {
            return false;
        }

        @Override
        public void close()
        {
            // Nothing is held.
        }
    }

    /** Has room for all, and looks that no number is missing. */
    private static final class Gateways extends Sender
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[512]);
        private final OutboundHeaderDecoder header = new OutboundHeaderDecoder();
        private long reports;

        @Override
        public int claim(final int length)
        {
            return 1;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return bytes;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public void commit()
        {
            if (bytes.getShort(2) != LinkEstablishedDecoder.TEMPLATE_ID)
            {
                assertThat(header.wrap(bytes, MessageHeaderDecoder.ENCODED_LENGTH).applSeqNum()).isEqualTo(++reports);
            }
        }

        @Override
        public boolean isConnected()
        {
            return true;
        }

        @Override
        public void close()
        {
            // Nothing is held.
        }
    }

    private List<Agent> agents(
        final Journal journal, final Layout layout, final LiveSource source, final FeedPublisher feed)
    {
        final ReportSender sender =
            new ReportSender(output.reports(), output.index(), gateways, counters, 1);
        reportsSent = sender;
        return new Pipeline(new Arriving(), journal, engine, new EngineOutputs(output, sender, source, feed), counters,
            layout, NoOpIdleStrategy.INSTANCE).agents(layout).stream().flatMap(List::stream).toList();
    }

    private void arrives(final int length)
    {
        arriving.add(Arrays.copyOf(commands.buffer.byteArray(), length));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void whatIsMatchedWasForcedToTheDiskBeforeIfThatIsThePolicy(final Layout layout) throws Exception
    {
        try (Journal journal =
            new Journal(directory, 0, SEGMENT, Journal.Durability.MACHINE, engine.configuration()))
        {
            final List<Agent> agents = agents(journal, layout, null, null);
            final Random random = new Random(layout.name().length());
            final Step others = () ->
            {
                for (int i = random.nextInt(8); i > 0; i--)
                {
                    agents.get(1 + random.nextInt(4)).doWork();
                    assertThat(engine.commands()).as("matched").isLessThanOrEqualTo(journal.durable());
                }
            };
            betweenMessages = others;
            arrives(commands.link(0, 1));
            for (int i = 1; i <= 300; i++)
            {
                arrives(commands.limit(2, i, SECURITY, true, PRICE, 1));
                if (random.nextInt(4) == 0)
                {
                    agents.getFirst().doWork();
                    others.run();
                }
            }
            while (engine.commands() < 301)
            {
                agents.getFirst().doWork();
                others.run();
            }
            assertThat(journal.durable()).isEqualTo(301);
        }
    }

    /** As one command may change much of the market, and a poll brings many. */
    @ParameterizedTest
    @EnumSource(value = Layout.class, names = {"ONE", "TWO"})
    void aFeedThatGetsNoTimeOfItsOwnOnTheMatchingsThreadIsNotOvertaken(final Layout layout) throws Exception
    {
        final LiveSource source = new LiveSource(engine, tradables, output.market(), 1);
        try (Journal journal =
            new Journal(directory, 0, SEGMENT, Journal.Durability.PROCESS, engine.configuration());
            FeedPublisher feed = new FeedPublisher(() -> source, PublisherSettings.flatOut(1), new Nobody(),
                new Nobody(), NoOpIdleStrategy.INSTANCE))
        {
            // All but the feed's.
            final List<Agent> agents = agents(journal, layout, source, feed).subList(0, 5);
            final Random random = new Random(1);
            arrives(commands.link(0, 1));
            for (int i = 1; i <= 20_000; i++)
            {
                final boolean takes = random.nextInt(3) == 0;
                arrives(commands.order(2, i, SECURITY, takes, OrdType.Limit,
                    takes ? TimeInForce.ImmediateOrCancel : TimeInForce.Day, PRICE, 1 + random.nextInt(9), 0, false, 0,
                    0));
                if (engine.orders() > ORDERS - 50)
                {
                    arrives(commands.massCancel(2, 0));
                }
                if (i % 200 == 0)
                {
                    step(agents);
                }
            }
            step(agents);
            assertThat(engine.commands()).isGreaterThan(20_000);
            assertThat(output.market().end()).as("the log went round").isGreaterThan(4L * output.market().capacity());
            while (source.position() < output.market().end())
            {
                feed.doWork();
            }
            while (feed.doWork() == 0)
            {
                Thread.onSpinWait();
            }
            assertThat(feed.inconsistentEvents()).isZero();
            assertThat(feed.book(0).checksum()).isEqualTo(engine.book(0).checksum());
        }
    }

    /** One poll makes more reports than half the log holds. */
    @ParameterizedTest
    @EnumSource(value = Layout.class, names = {"ONE", "TWO"})
    void gatewaysThatHaveRoomMissNoReportHoweverManyOnePollCauses(final Layout layout) throws Exception
    {
        final Gateways taking = new Gateways();
        gateways = taking;
        try (Journal journal =
            new Journal(directory, 0, SEGMENT, Journal.Durability.PROCESS, engine.configuration()))
        {
            final List<Agent> agents = agents(journal, layout, null, null);
            arrives(commands.link(0, 1));
            int id = 0;
            for (int round = 0; round < 10; round++)
            {
                for (int i = 0; i < ORDERS - 10; i++)
                {
                    arrives(commands.limit(2, ++id, SECURITY, false, PRICE, 1));
                }
                step(agents);
                // Those that trade have five reports each, the others two.
                for (int i = 0; i < 250; i++)
                {
                    arrives(commands.order(2, ++id, SECURITY, true, OrdType.Limit, TimeInForce.ImmediateOrCancel,
                        PRICE, 2, 0, false, 0, 0));
                }
                step(agents);
            }
            step(agents);
            assertThat(counters.skipped.get()).isZero();
            assertThat(taking.reports).isEqualTo(output.sequence()).isGreaterThan(10_000);
        }
    }

    private void step(final List<Agent> agents) throws Exception
    {
        while (!arriving.isEmpty() || output.reports().end() > reportsSent.position())
        {
            for (final Agent agent : agents)
            {
                agent.doWork();
            }
        }
    }

    @Test
    void marketDataThatWasOverwrittenIsNeverPublished() throws IOException
    {
        final LiveSource source = new LiveSource(engine, tradables, output.market(), 1);
        commands.link(0, 1);
        engine.apply(1, commands.buffer, 0);
        for (int i = 0; i < 10_000; i++)
        {
            commands.limit(2, 1, SECURITY, true, PRICE, 1);
            engine.apply(1, commands.buffer, 0);
            commands.cancel(2, 2, 1, SECURITY, true);
            engine.apply(1, commands.buffer, 0);
        }
        final FeedEvent event = new FeedEvent();
        assertThat(source.next(event)).as("the status at the start").isTrue();
        assertThatThrownBy(() -> source.next(event))
            .hasMessageContaining("overwritten before it was published");
    }
}

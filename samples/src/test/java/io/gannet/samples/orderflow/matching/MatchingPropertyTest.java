package io.gannet.samples.orderflow.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.orderflow.link.MessageLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random commands: engine and slow reference say the same, and have the same books in the same order of service. */
final class MatchingPropertyTest
{
    private static final int COMMANDS = 3_000;
    private static final int SESSIONS = 6;
    private static final int INSTRUMENTS = 2;
    private static final long TICK = 10_000_000L;
    private static final long MIDDLE = 100_000_000_000L;

    private final Tradables tradables = Tradables.example(INSTRUMENTS);
    private final Commands commands = new Commands();
    private final EngineOutput output = new EngineOutput(MessageLog.allocate(1 << 22), MessageLog.allocate(1 << 20));
    private final MatchingEngine engine = new MatchingEngine(tradables, new EngineLimits(4096, 4096), output);
    private final ReferenceVenue reference = new ReferenceVenue(INSTRUMENTS);
    private long time = 1_000;
    private final Said said = new Said(output.reports());
    private final WatchedBooks watched = new WatchedBooks(output.market());

    static LongStream seeds()
    {
        return LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void engineAndReferenceSayTheSameAndHaveTheSameBooks(final long seed)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < COMMANDS; i++)
        {
            reference.said.clear();
            final String what = step(random);
            final List<String> told = said.next();
            if (what.equals("mass cancel") || what.equals("close"))
            {
                // Many orders end at once; their order is the engine's affair, but for the report behind them.
                assertThat(told).as("seed %d, command %d: %s", seed, i, what)
                    .containsExactlyInAnyOrderElementsOf(reference.said);
                assertThat(what.equals("close") || told.getLast().startsWith("massAction")).isTrue();
            }
            else
            {
                assertThat(told).as("seed %d, command %d: %s", seed, i, what).isEqualTo(reference.said);
            }
            watched.follow();
            if (i % 25 == 0)
            {
                compareBooks(engine, "seed " + seed + ", command " + i + ": " + what);
                compareWatched("seed " + seed + ", command " + i + ": " + what);
            }
        }
        compareBooks(engine, "seed " + seed + ", at the end");
        compareWatched("seed " + seed + ", at the end");
        assertThat(reference.traded).as("trades happened").isPositive();
        assertThat(watched.traded).as("quantity of the trades that the market saw").isEqualTo(reference.traded);
    }

    private void compareWatched(final String where)
    {
        for (int instrument = 0; instrument < INSTRUMENTS; instrument++)
        {
            for (final boolean buy : new boolean[]{true, false})
            {
                assertThat(watched.queue(instrument, buy)).as(where)
                    .isEqualTo(reference.queue(instrument, buy).stream()
                    .map(order -> order.price + " x " + order.left).toList());
            }
        }
    }

    /** A snapshot half-way leads to the same output, byte for byte. */
    @ParameterizedTest
    @MethodSource("seeds")
    void anEngineFromASnapshotGoesOnAsTheOneThatWasSaved(final long seed)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < 500; i++)
        {
            step(random);
        }
        final ByteArrayOutputStream state = new ByteArrayOutputStream();
        engine.save(new StateWriter(state));
        final EngineOutput secondOutput =
            new EngineOutput(MessageLog.allocate(1 << 22), MessageLog.allocate(1 << 20));
        final MatchingEngine second = new MatchingEngine(tradables, new EngineLimits(4096, 4096), secondOutput);
        second.load(new StateReader(new ByteArrayInputStream(state.toByteArray())));
        compareBooks(second, "seed " + seed + ", after loading");
        final long from = output.reports().end();
        for (int i = 0; i < 500; i++)
        {
            step(random);
            second.apply(time, commands.buffer, 0);
        }
        assertThat(bytes(secondOutput.reports(), 0)).as("seed %d", seed).isEqualTo(bytes(output.reports(), from));
        compareBooks(second, "seed " + seed + ", at the end");
    }

    private static List<String> bytes(final MessageLog log, final long from)
    {
        final ArrayList<String> all = new ArrayList<>();
        for (long at = log.messageAt(from); at < log.end();)
        {
            final byte[] message = new byte[log.length(at)];
            log.buffer().getBytes(log.offset(at), message);
            all.add(HexFormat.of().formatHex(message));
            at = log.next(at);
            at = at < log.end() ? log.messageAt(at) : at;
        }
        return all;
    }

    private String step(final Random random)
    {
        final int session = 1 + random.nextInt(SESSIONS);
        final int instrument = random.nextInt(INSTRUMENTS);
        final int security = tradables.get(instrument).id();
        final long clOrdId = 1L + random.nextInt(60);
        final boolean buy = random.nextBoolean();
        final long price = MIDDLE + TICK * (random.nextInt(13) - 6 + (buy ? -1 : 1));
        final int quantity = 1 + random.nextInt(50);
        final String what;
        switch (random.nextInt(20))
        {
            case 0, 1, 2 ->
            {
                commands.cancel(session, 1, clOrdId, security, buy);
                reference.cancel(session, instrument, clOrdId, buy);
                what = "cancel";
            }
            case 3, 4, 5, 6 ->
            {
                final long newId = random.nextInt(4) == 0 ? clOrdId : 1L + random.nextInt(60);
                final ReferenceVenue.Order known = reference.find(session, instrument, clOrdId);
                final boolean same = known != null && random.nextBoolean();
                commands.replace(session, newId, clOrdId, security, same ? known.buy : buy, same ? known.price : price,
                    quantity);
                reference.replace(session, instrument, clOrdId, newId, same ? known.buy : buy,
                    same ? known.price : price, quantity);
                what = "replace";
            }
            case 7 ->
            {
                what = rare(random, session, instrument, security);
            }
            default -> what = order(random, session, instrument, security, clOrdId, buy, price, quantity);
        }
        time += random.nextInt(1_000);
        engine.apply(time, commands.buffer, 0);
        return what;
    }

    private String rare(final Random random, final int session, final int instrument, final int security)
    {
        return switch (random.nextInt(12))
        {
            case 0 ->
            {
                commands.status(security, SecurityTradingStatus.TradingHalt);
                reference.halt(instrument, true);
                yield "halt";
            }
            case 1 ->
            {
                commands.status(security, SecurityTradingStatus.PostClose);
                reference.close(instrument);
                yield "close";
            }
            case 2 ->
            {
                final boolean all = random.nextBoolean();
                commands.massCancel(session, all ? 0 : security);
                reference.cancelAll(session, all ? -1 : instrument);
                yield "mass cancel";
            }
            default ->
            {
                commands.status(security, SecurityTradingStatus.ReadyToTrade);
                reference.halt(instrument, false);
                yield "resume";
            }
        };
    }

    private String order(
        final Random random, final int session, final int instrument, final int security, final long clOrdId,
        final boolean buy, final long price, final int quantity)
    {
        final boolean market = random.nextInt(8) == 0;
        final TimeInForce time = market ? TimeInForce.Day : switch (random.nextInt(10))
        {
            case 0 -> TimeInForce.ImmediateOrCancel;
            case 1 -> TimeInForce.FillOrKill;
            case 2 -> TimeInForce.GoodTillCancel;
            default -> TimeInForce.Day;
        };
        final int minimum = time == TimeInForce.ImmediateOrCancel && random.nextBoolean() ?
            1 + random.nextInt(quantity) : 0;
        final boolean postOnly = !market && random.nextInt(8) == 0 &&
            (time == TimeInForce.Day || time == TimeInForce.GoodTillCancel);
        final long smp = random.nextInt(3) == 0 ? 1L + random.nextInt(2) : 0;
        final int instruction = random.nextInt(3);
        commands.order(session, clOrdId, security, buy, market ? OrdType.Market : OrdType.Limit, time, price, quantity,
            minimum, postOnly, smp, instruction);
        final ReferenceVenue.Order order = new ReferenceVenue.Order();
        order.session = session;
        order.clOrdId = clOrdId;
        order.instrument = instrument;
        order.buy = buy;
        order.market = market;
        order.price = price;
        order.quantity = quantity;
        order.left = quantity;
        order.time = (char) time.value();
        order.smp = smp;
        order.smpInstruction = instruction;
        reference.add(order, minimum, postOnly);
        return "order " + time + (market ? " market" : "");
    }

    private void compareBooks(final MatchingEngine compared, final String where)
    {
        int orders = 0;
        for (int instrument = 0; instrument < INSTRUMENTS; instrument++)
        {
            for (final boolean buy : new boolean[]{true, false})
            {
                final OrderBook book = compared.book(instrument);
                final ArrayList<String> queue = new ArrayList<>();
                for (int level = 0; level < book.levels(buy); level++)
                {
                    long sum = 0;
                    for (int order = book.firstOrder(buy, level); order != OrderBook.NONE;
                        order = book.nextOrder(order))
                    {
                        queue.add(book.price(order) + " x " + book.quantity(order));
                        sum += book.quantity(order);
                    }
                    assertThat(book.levelQuantity(buy, level)).as(where).isEqualTo(sum);
                }
                assertThat(queue).as(where).isEqualTo(reference.queue(instrument, buy).stream()
                    .map(order -> order.price + " x " + order.left).toList());
                orders += queue.size();
                if (book.levels(true) > 0 && book.levels(false) > 0)
                {
                    assertThat(book.levelPrice(true, 0)).as(where).isLessThan(book.levelPrice(false, 0));
                }
            }
        }
        assertThat(compared.orders()).as(where).isEqualTo(orders);
    }
}

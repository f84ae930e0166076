package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.marketdata.book.Checksum;
import io.gannet.samples.marketdata.book.SlowBook;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.source.FeedEvent;
import io.gannet.samples.marketdata.source.FeedFile;
import io.gannet.samples.marketdata.source.FeedSource;
import io.gannet.samples.marketdata.source.FileBytes;
import io.gannet.samples.marketdata.source.GeneratedSource;
import io.gannet.samples.marketdata.source.TestData;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file, looped through a 4 MiB ring at full speed, on one host or from driver to driver by RoCE packets, with a
 * subscriber that is stopped for a while and one that joins late: what they count and the books they end with are those
 * of a direct reading of the file.
 */
final class FeedProofIT
{
    private static final int GENERATED_EVENTS = 40_000;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "roce"})
    @Tag("data")
    void aRealDayLoopedFiftyTimesArrivesAsItIsInTheFile(final String transport) throws Exception
    {
        final Path file = TestData.file("feeds/cme-es-mbo-20231225.dbn.zst");
        final Direct direct = new Direct(file);
        assertThat(direct.events).isEqualTo(new EnumMap<>(Map.of(FeedEvent.Type.ADD, 29_216L,
            FeedEvent.Type.CANCEL, 17_999L, FeedEvent.Type.MODIFY, 12_233L, FeedEvent.Type.TRADE, 2_973L,
            FeedEvent.Type.FILL, 6_371L)));
        prove(transport, file, direct, 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "roce"})
    void aGeneratedFileLoopedFiftyTimesArrivesAsItIsInTheFile(final String transport) throws Exception
    {
        final Path file = FileBytes.write(directory, "generated.dbn", generatedFile());
        prove(transport, file, new Direct(file), 50);
    }

    private static void prove(final String transport, final Path file, final Direct direct, final int loops)
        throws Exception
    {
        try (FeedProcesses processes = new FeedProcesses(transport.equals("roce")))
        {
            final Child paused = processes.feed("paused", "subscribe");
            final Child publisher = processes.feed("publisher", "publish", "--wait", "--input", file.toString(),
                "--loop", String.valueOf(loops), "--speed", "max");
            processes.await("first messages", () -> paused.status().number("messages") > 0);
            FeedProcesses.signal("STOP", paused);
            assertThat(paused.isFinal()).as("the feed ended before the subscriber was stopped").isFalse();
            // A publisher without room reports nothing new.
            processes.await("the ring is full", () -> System.nanoTime() - publisher.statusTime() > 2_000_000_000L);
            final Child late = processes.feed("late", "subscribe");
            processes.await("a late joiner", () -> late.status().has("state"));
            assertThat(publisher.isFinal()).isFalse();
            FeedProcesses.signal("CONT", paused);
            processes.await("the end", () -> publisher.isFinal() && paused.isFinal() && late.isFinal());

            final StatusLine published = publisher.status();
            assertThat(published.number("loops")).isEqualTo(loops);
            assertThat(published.number("inconsistent")).isZero();
            assertThat(published.number("backPressured")).isPositive();
            assertThat(published.number("unheard")).isZero();
            assertThat(published.text("digest")).isEqualTo(direct.digest());

            assertClean(paused.status(), published, direct);
            assertThat(paused.status().number("late")).isZero();
            assertThat(paused.status().number("messages")).isEqualTo(published.number("messages"));
            assertThat(counts(paused.status())).isEqualTo(counts(published)).isEqualTo(direct.counts(loops));

            assertClean(late.status(), published, direct);
            assertThat(late.status().number("late")).isEqualTo(1);
            assertThat(late.status().number("messages")).isBetween(1L, published.number("messages") - 1);
        }
    }

    private static void assertClean(final StatusLine subscriber, final StatusLine published, final Direct direct)
    {
        assertThat(subscriber.number("complete")).isEqualTo(1);
        assertThat(subscriber.number("gaps")).isZero();
        assertThat(subscriber.number("faulty")).isZero();
        assertThat(subscriber.number("sequence")).isEqualTo(published.number("sequence"));
        assertThat(subscriber.number("orders")).isEqualTo(direct.book.all().size());
        assertThat(subscriber.text("digest")).isEqualTo(direct.digest());
    }

    private static Map<String, Long> counts(final StatusLine status)
    {
        return Map.of("adds", status.number("adds"), "changes", status.number("changes"),
            "deletes", status.number("deletes"), "trades", status.number("trades"), "fills", status.number("fills"));
    }

    private static byte[] generatedFile()
    {
        final FileBytes file = new FileBytes(ByteOrder.LITTLE_ENDIAN).raw(FileBytes.dbnHeader(2, "GEN", false));
        final GeneratedSource source = new GeneratedSource(3, 1, 10_000, GENERATED_EVENTS);
        final FeedEvent event = new FeedEvent();
        while (source.next(event))
        {
            final char action = switch (event.type)
            {
                case ADD -> 'A';
                case MODIFY -> 'M';
                case CANCEL -> 'C';
                case TRADE -> 'T';
                case FILL -> 'F';
                default -> throw new AssertionError(event.type);
            };
            file.raw(FileBytes.mbo(action, event.side == FeedEvent.Side.BID ? 'B' : 'A', event.orderId, event.price,
                (int) event.quantity, (event.opening ? 0x20 : 0) | (event.endOfEvent ? 0x80 : 0),
                event.transactTime));
        }
        return file.toBytes();
    }

    /** The file read directly into the slow book, once. */
    private static final class Direct
    {
        private final SlowBook book = new SlowBook();
        private final Map<FeedEvent.Type, Long> events = new EnumMap<>(FeedEvent.Type.class);
        private long changes;
        private long deletes;
        private int instrument;

        Direct(final Path file) throws IOException
        {
            try (FeedSource source = FeedFile.open(file))
            {
                final FeedEvent event = new FeedEvent();
                long priority = 0;
                while (source.next(event))
                {
                    events.merge(event.type, 1L, Long::sum);
                    apply(event, ++priority);
                }
                assertThat(source.instruments()).hasSize(1);
                instrument = source.instruments().get(0).id();
            }
        }

        private void apply(final FeedEvent event, final long priority)
        {
            final SlowBook.Order old = book.get(event.orderId);
            final boolean bid = event.side == FeedEvent.Side.BID;
            switch (event.type)
            {
                case ADD -> assertThat(book.add(
                    new SlowBook.Order(event.orderId, bid, event.price, event.quantity, priority))).isTrue();
                case MODIFY ->
                {
                    changes++;
                    final boolean keeps = old.price() == event.price && event.quantity <= old.quantity();
                    assertThat(book.change(new SlowBook.Order(event.orderId, bid, event.price, event.quantity,
                        keeps ? old.priority() : priority))).isTrue();
                }
                case CANCEL ->
                {
                    if (event.quantity < old.quantity())
                    {
                        changes++;
                        book.change(new SlowBook.Order(event.orderId, old.bid(), old.price(),
                            old.quantity() - event.quantity, old.priority()));
                    }
                    else
                    {
                        deletes++;
                        book.delete(event.orderId);
                    }
                }
                default ->
                {
                    // Trades and fills are counted; what they do to the book follows them.
                }
            }
        }

        private Map<String, Long> counts(final int loops)
        {
            return Map.of("adds", events.get(FeedEvent.Type.ADD) * loops, "changes", changes * loops,
                "deletes", deletes * loops, "trades", events.get(FeedEvent.Type.TRADE) * loops,
                "fills", events.get(FeedEvent.Type.FILL) * loops);
        }

        private String digest()
        {
            return String.format("%016x", Checksum.add(Checksum.add(Checksum.START, instrument), book.checksum()));
        }
    }
}

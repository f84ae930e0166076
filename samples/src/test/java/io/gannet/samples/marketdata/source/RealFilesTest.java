package io.gannet.samples.marketdata.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("data")
final class RealFilesTest
{
    @Test
    void readsADayOfMarketByOrderRecords() throws IOException
    {
        final Map<FeedEvent.Type, Integer> counts = count(TestData.file("feeds/cme-es-mbo-20231225.dbn.zst"), "ESH4");
        assertThat(counts).isEqualTo(new EnumMap<>(Map.of(FeedEvent.Type.ADD, 29_216, FeedEvent.Type.CANCEL, 17_999,
            FeedEvent.Type.MODIFY, 12_233, FeedEvent.Type.TRADE, 2_973, FeedEvent.Type.FILL, 6_371)));
    }

    @Test
    void readsACaptureOfItch() throws IOException
    {
        final Path file = TestData.file(
            "feeds/Nasdaq_Nasdaq.Equities.TotalView.Itch.v5.0_Multiple.Packets.pcap");
        final Map<FeedEvent.Type, Integer> counts = count(file, "META");
        assertThat(counts).containsOnlyKeys(FeedEvent.Type.ADD);
        try (FeedSource source = FeedFile.open(file))
        {
            final FeedEvent event = new FeedEvent();
            int events = 0;
            while (source.next(event))
            {
                events++;
                // 22 August 2023 in New York, before the opening
                assertThat(event.transactTime).isBetween(1_692_662_400_000_000_000L, 1_692_748_800_000_000_000L);
                assertThat(event.price).isBetween(100_000_000L, 1_000_000_000_000L);
            }
            assertThat(source.summary()).contains(" 39 messages", " 1 on orders from before the file");
            assertThat(events).isEqualTo(38);
        }
    }

    private static Map<FeedEvent.Type, Integer> count(final Path file, final String symbol) throws IOException
    {
        final Map<FeedEvent.Type, Integer> counts = new EnumMap<>(FeedEvent.Type.class);
        try (FeedSource source = FeedFile.open(file))
        {
            final FeedEvent event = new FeedEvent();
            while (source.next(event))
            {
                counts.merge(event.type, 1, Integer::sum);
            }
            assertThat(source.instruments()).extracting(Instrument::symbol).containsExactly(symbol);
        }
        return counts;
    }
}

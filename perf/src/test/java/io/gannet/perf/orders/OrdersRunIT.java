package io.gannet.perf.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.perf.report.OrdersTables;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** All processes of both peers, for phases too short to say anything of speed. */
class OrdersRunIT
{
    private static final OrdersOptions OPTIONS =
        new OrdersOptions(1, 1_000, 20, 50, 10, 100, 1 << 20, "sleep", 1 << 20, -1);

    @Test
    void measuresBothPeersAndTellsWhoHadTheProcessors() throws Exception
    {
        final OrdersRun run = new OrdersRun(OPTIONS, new PrintWriter(Writer.nullWriter()));
        run.run();

        final List<Row> rows = run.rows();
        assertThat(rows).extracting(Row::metric).contains("orderToAckP50", "orderToTradeP9999", "rate", "rate10",
            "bytesPerOrder", "cpuEngine", "cpuGateway", "cpuLoad", "cpuDriver", "waitedForProcessorEngine");
        assertThat(rows).allSatisfy(row ->
        {
            assertThat(row.gannet()).as(row.metric()).isNotNull();
            assertThat(row.peerValue()).as(row.metric()).isNotNull();
        });
        assertThat(rows).filteredOn(row -> row.metric().startsWith("waited")).allSatisfy(row ->
            assertThat(row.gannet()).isBetween(0.0, 1.0));
        final Map<String, String> tables =
            OrdersTables.of(new RunFile(Map.of(), Map.of(), rows, OrdersRun.bars(rows)));
        assertThat(tables.get("orders-processors")).contains("| cpuEngine |", "| waitedForProcessorLoad |");
        assertThat(tables.get("orders-rate")).contains("| rate10 |").doesNotContain("cpu");
    }
}

package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest
{
    @Test
    void aRowComparesMediansOfOneCell()
    {
        final Row row = row("near", Row.RATE);

        assertThat(row.bench()).isEqualTo("throughput-exclusive-1p1s-2proc");
        assertThat(row.peer()).isEqualTo("aeron-exclusive");
        assertThat(row.n()).isEqualTo(12);
        assertThat(row.gannet()).isEqualTo(95.5e6);
        assertThat(row.peerValue()).isEqualTo(35.5e6);
        assertThat(row.ratio()).isEqualTo(2.69);
    }

    @Test
    void aCellOfNinePhasesIsNotSeen()
    {
        final Row row = row("far", Row.RATE);

        assertThat(row.n()).isEqualTo(9);
        assertThat(row.gannet()).isNull();
        assertThat(row.peerValue()).isNull();
        assertThat(row.ratio()).isNull();
    }

    @Test
    void phasesOfUnknownPlacementDoNotCount()
    {
        assertThat(Fixtures.run().results().rows()).extracting(Row::placement).containsOnly("near", "far");
    }

    @Test
    void onlyOneSideStillGetsARow()
    {
        final Results results = new Results();
        for (int i = 0; i < 10; i++)
        {
            results.add(Fixtures.rate("gannet", 5e6, Placement.NEAR, i), null);
        }

        assertThat(results.rows()).singleElement().satisfies(row ->
        {
            assertThat(row.peer()).isEqualTo("none");
            assertThat(row.gannet()).isEqualTo(5e6);
            assertThat(row.ratio()).isNull();
        });
    }

    @Test
    void jsonHoldsTheRowsAndReadsBack(@TempDir final Path directory) throws Exception
    {
        final RunFile written = RunFile.of(Fixtures.run());
        final Path file = Files.writeString(directory.resolve("run.json"), written.toJson());

        assertThat(RunFile.read(file)).isEqualTo(written);
        final JsonObject row =
            JsonParser.parseString(written.toJson()).getAsJsonObject().getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.keySet()).startsWith("bench", "peer", "size", "placement", "start", "metric", "n", "gannet",
            "peerValue", "ratio");
        assertThat(written.toJson()).contains("\"ratio\": null");
    }

    @Test
    void aFileThatIsNoRunIsRefusedByName(@TempDir final Path directory) throws Exception
    {
        for (final String text : List.of("{}", "[1]", "not json", ""))
        {
            final Path file = Files.writeString(directory.resolve("other.json"), text);
            assertThatThrownBy(() -> RunFile.read(file)).isInstanceOf(RigException.class)
                .hasMessageContaining("other.json is not a run of gannet perf");
        }
    }

    @Test
    void theTableSaysWhatWasNotSeenAndWhatWasDropped()
    {
        final StringWriter text = new StringWriter();

        Table.print(Fixtures.run(), new PrintWriter(text));

        assertThat(text.toString()).contains("95.50 (92.75..98.25)").contains("not seen")
            .contains("of 68 probed phases 1 in which the placement changed, 1 in which the probe got no answer")
            .doesNotContain("any");
    }

    @Test
    void aCrowdedCellIsSeenWithoutAPlacement()
    {
        final RunRecord run = Fixtures.crowdedRun();
        final StringWriter text = new StringWriter();

        Table.print(run, new PrintWriter(text));

        assertThat(run.results().rows()).singleElement().satisfies(row ->
        {
            assertThat(row.placement()).isEqualTo("any");
            assertThat(row.n()).isEqualTo(10);
            assertThat(row.ratio()).isEqualTo(1.5);
        });
        assertThat(RunFile.of(run).toJson()).contains("\"placement\": \"any\"");
        assertThat(text.toString()).contains("any (more threads than processors)", "30.00 (30.00..30.00)")
            .doesNotContain("near", "far", "not seen", "dropped", "count for nothing");
    }

    @Test
    void whatWasDroppedIsCountedAmongTheProbedPhases()
    {
        final StringWriter text = new StringWriter();

        Table.print(Fixtures.mixedRun(), new PrintWriter(text));

        assertThat(text.toString()).contains("far: not seen", "any (more threads than processors)",
            "of 25 probed phases 1 in which the placement changed, 0 in which the probe got no answer");
    }

    private static Row row(final String placement, final String metric)
    {
        return Fixtures.run().results().rows().stream()
            .filter(row -> row.placement().equals(placement) && row.metric().equals(metric))
            .findFirst().orElseThrow();
    }
}

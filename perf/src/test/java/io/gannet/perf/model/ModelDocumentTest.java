package io.gannet.perf.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelDocumentTest
{
    @Test
    void theCommittedPageIsWhatTheCommandMakes() throws Exception
    {
        for (final Map.Entry<Path, String> file : ModelDocument.files(Path.of("..", "docs", "model.md")).entrySet())
        {
            assertThat(Files.readString(file.getKey()))
                .as("%s: run ./gannet model --document docs/model.md", file.getKey()).isEqualTo(file.getValue());
        }
    }

    @Test
    void tablesAreReplacedAndTextStays()
    {
        assertThat(ModelDocument.refresh("a\n<!-- table: t -->\nold\n<!-- end -->\nb\n", Map.of("t", "| new |\n")))
            .isEqualTo("a\n<!-- table: t -->\n| new |\n<!-- end -->\nb\n");
    }

    @Test
    void aTableThatDoesNotExistIsNamed()
    {
        assertThatThrownBy(() -> ModelDocument.refresh("<!-- table: nonesuch -->\n<!-- end -->", Map.of()))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nonesuch");
    }

    @Test
    void everyParameterHasARangeAroundItsValueAndASource()
    {
        for (final Parameter parameter : Parameter.values())
        {
            assertThat(parameter.low()).as(parameter.label()).isLessThanOrEqualTo(parameter.value());
            assertThat(parameter.high()).as(parameter.label()).isGreaterThanOrEqualTo(parameter.value());
            assertThat(parameter.source()).as(parameter.label()).isNotBlank();
        }
    }

    @Test
    void whatTheTextSaysOfPublishedFiguresIsComputed()
    {
        assertThat(Comparison.all()).filteredOn(figure -> figure.verdict() == Comparison.Verdict.IMPOSSIBLE)
            .extracting(Comparison.Figure::what).containsExactlyInAnyOrder("64 to 512 B, each further byte",
                "two DMA reads, PCIe 3", "1 M completions/s", "one queue pair");
        assertThat(Comparison.all()).filteredOn(figure -> figure.verdict() == Comparison.Verdict.AGREES)
            .extracting(Comparison.Figure::what).contains("64 B, payload read by the NIC", "64 B, inline",
                "128 B, inline");
    }
}

package io.gannet.perf.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownTablesTest
{
    private static final String TWO =
        "a\n<!-- table: t -->\nold\n<!-- end -->\nb\n<!-- table: u -->\nu\n<!-- end -->\n";

    @Test
    void tablesAreReplacedAndTheRestStays()
    {
        assertThat(MarkdownTables.refresh(TWO, Map.of("t", "| new |\n"))).isEqualTo(TWO.replace("old", "| new |"));
    }

    @Test
    void aTableThatHasNoPlaceIsNamed()
    {
        assertThatThrownBy(() -> MarkdownTables.refresh(TWO, Map.of("nonesuch", "")))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nonesuch");
    }

    @Test
    void aTableWithoutAnEndIsNamed()
    {
        assertThatThrownBy(() -> MarkdownTables.refresh("<!-- table: t -->\n", Map.of()))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("t has no <!-- end -->");
    }
}

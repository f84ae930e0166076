package io.gannet.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.perf.rig.Fixtures;
import io.gannet.perf.rig.RunFile;
import java.io.StringReader;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class HtmlReportTest
{
    private final String page = HtmlReport.of(Fixtures.run(), List.of(RunFile.of(Fixtures.run())));

    @Test
    void thePageNeedsNothingElse()
    {
        assertThat(page).doesNotContain("http:", "https:", "<script", "<link", "src=", "url(");
    }

    @Test
    void everySectionIsThere()
    {
        assertThat(page).contains("<h2>Ratios", "<h2>Processors near", "<h2>Processors far", "<h2>Latencies",
            "<h2>Timeline", "<h2>Interruptions", "<h2>Against earlier runs", "<h2>Configuration", "<h2>Machine");
        assertThat(page).contains("2.69").contains("not seen").contains("prefers-color-scheme:dark");
    }

    @Test
    void cellsOfMoreThreadsThanProcessorsHaveATableAndABar()
    {
        final String crowded = HtmlReport.of(Fixtures.crowdedRun(), List.of());

        assertThat(crowded).contains("<h2>More threads than processors", "<td>any</td>", "96 B, any, even, rate")
            .doesNotContain("<h2>Processors", "Not seen in this run", "any (0 ns)");
    }

    @Test
    void textFromOutsideIsEscaped()
    {
        assertThat(page).contains("made &lt;up&gt;").doesNotContain("made <up>");
    }

    @Test
    void everyChartIsWellFormedAndHoldsNumbersOnly() throws Exception
    {
        final Matcher charts = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(page);
        int found = 0;
        while (charts.find())
        {
            DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(charts.group())));
            assertThat(charts.group()).doesNotContain("NaN", "Infinity");
            found++;
        }
        assertThat(found).isEqualTo(4);
    }
}

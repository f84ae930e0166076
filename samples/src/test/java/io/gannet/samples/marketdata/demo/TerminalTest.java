package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TerminalTest
{
    @Test
    void whatShowsIsCutAtEightyColumnsAndColoursEnd()
    {
        final String eighty = "x".repeat(80);
        assertThat(Terminal.clipped(eighty)).isEqualTo(eighty);
        assertThat(Terminal.clipped(eighty + "y")).isEqualTo(eighty);
        final String coloured = "\u001b[31m" + "x".repeat(80) + "\u001b[0m";
        assertThat(Terminal.clipped(coloured)).isEqualTo(coloured);
        assertThat(Terminal.clipped("\u001b[31m" + "x".repeat(90) + "\u001b[0m")).isEqualTo(coloured);
    }
}

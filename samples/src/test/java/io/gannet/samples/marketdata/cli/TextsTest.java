package io.gannet.samples.marketdata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextsTest
{
    @ParameterizedTest
    @CsvSource({"0,0 ns", "870,870 ns", "999,999 ns", "1000,1.00 us", "4214,4.21 us", "38040,38.0 us", "99960,100 us",
        "999600,1.00 ms", "12345678901,12.3 s", "99999999999999,100000 s"})
    void durationsHaveThreeDigitsAndAUnit(final long nanos, final String text)
    {
        assertThat(Durations.text(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"4800250000000,4800.25", "100000000000,100.00", "1,0.000000001", "-500000000,-0.50",
        "12345000,0.012345", "-9223372036854775808,-"})
    void pricesHaveAtLeastTwoDecimals(final long price, final String text)
    {
        assertThat(Prices.text(price)).isEqualTo(text);
    }

    @Test
    void aStatusLineIsReadAsItWasWritten()
    {
        final StatusLine status = new StatusLine().put("messages", 12).put("text", "a=b\tc\nd").put("empty", "");
        final StatusLine read = StatusLine.parse(status.toString());
        assertThat(read.number("messages")).isEqualTo(12);
        assertThat(read.text("text")).isEqualTo("a=b c d");
        assertThat(read.has("empty")).isTrue();
        assertThat(read.has("other")).isFalse();
        assertThat(read.number("text")).isZero();
        assertThat(StatusLine.parse("something else")).isNull();
        assertThat(StatusLine.parse("@status\tx\t=\t\t=y").number("x")).isZero();
    }
}

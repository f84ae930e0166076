package io.gannet.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

class PrintableTextTest
{
    @Test
    void whatIsPrintableStays()
    {
        final String text = "publisher (pid 4711), \u00e4\u00f6\u00fc \u4e2d \uD83D\uDE00";
        assertThat(PrintableText.of(text, 100)).isSameAs(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "001B|\\u001B", "000A|\\u000A", "0000|\\u0000", "007F|\\u007F", "009B|\\u009B", "202E|\\u202E",
        "2066|\\u2066", "2028|\\u2028", "D800|\\uD800", "FEFF|\\uFEFF", "E000|\\uE000"})
    void whatDoesSomethingIsEscaped(final String hex, final String escape)
    {
        final char unit = (char) Integer.parseInt(hex, 16);
        assertThat(PrintableText.of("a" + unit + "b", 100)).isEqualTo("a" + escape + "b");
    }

    @Test
    void whatIsTooLongIsCut()
    {
        assertThat(PrintableText.of("abcdefghij", 10)).isEqualTo("abcdefghij");
        assertThat(PrintableText.of("abcdefghijk", 10)).isEqualTo("abcdefg...");
        assertThat(PrintableText.of("abcdef\uD83D\uDE00ghijk", 10)).isEqualTo("abcdef...");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anyTextBecomesShortAndPrintable(final long seed)
    {
        final Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++)
        {
            final StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--)
            {
                text.append((char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000));
            }
            final String result = PrintableText.of(text.toString(), 30);
            assertThat(result.length()).as("seed %d round %d", seed, round).isLessThanOrEqualTo(30);
            assertThat(PrintableText.of(result, 30)).as("seed %d round %d", seed, round).isSameAs(result);
        }
    }
}

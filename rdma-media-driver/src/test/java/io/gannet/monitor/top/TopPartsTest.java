package io.gannet.monitor.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of {@code gannet top} that need no terminal. */
class TopPartsTest
{
    private static List<Key.What> keys(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return KeyDecoder.decode(bytes, bytes.length).stream().map(Key::what).toList();
    }

    @Test
    void keysAreDecoded()
    {
        final List<Key.What> moves =
            keys("\u001b[A\u001bOA\u001b[B\u001b[5~\u001b[6~\u001b[H\u001b[1~\u001bOF\u001b[8~");
        assertThat(moves).containsExactly(
            Key.What.UP, Key.What.UP, Key.What.DOWN, Key.What.PAGE_UP, Key.What.PAGE_DOWN, Key.What.HOME,
            Key.What.HOME, Key.What.END, Key.What.END);
        assertThat(keys("ä\r\u007f\u001b")).containsExactly(
            Key.What.CHARACTER, Key.What.ENTER, Key.What.BACKSPACE, Key.What.ESCAPE);
        assertThat(keys("\u001b[1;5C\u001b[200~\u0001")).containsOnly(Key.What.OTHER);
        assertThat(keys("\u001b[12")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyBytesAreKeysOrNone(final long seed)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++)
        {
            final byte[] bytes = new byte[random.nextInt(1, 40)];
            random.nextBytes(bytes);
            if (i % 2 == 0)
            {
                bytes[0] = 0x1B;
            }
            final TopState state = new TopState();
            KeyDecoder.decode(bytes, bytes.length).forEach(state::onKey);
            assertThat(state.selected(3)).isBetween(0, 2);
            assertThat(state.selected(0)).isEqualTo(-1);
        }
    }

    @Test
    void aLineIsNeverLongerThanTheScreenAndCarriesNoControlCharacter()
    {
        assertThat(new Line(5, false).add("abcdefgh").text(Style.PLAIN)).isEqualTo("abcde");
        assertThat(new Line(5, false).add("日本語").text(Style.PLAIN)).isEqualTo("日本");
        assertThat(new Line(30, false).add("a\u001b[2Jb\n").text(Style.PLAIN)).isEqualTo("a\\u001B[2Jb\\u000A");
        assertThat(new Line(9, false).left(Style.PLAIN, "abc", 5).right(Style.PLAIN, "x", 3).text(Style.PLAIN))
            .isEqualTo("abc    x");
        assertThat(new Line(9, false).left(Style.PLAIN, "abcdef", 3).add("|").text(Style.PLAIN)).isEqualTo("abc|");
        assertThat(new Line(4, true).add(Style.BAD, "ab").text(Style.INVERSE))
            .isEqualTo("\u001b[7m\u001b[1;31mab\u001b[0m\u001b[7m  \u001b[0m");
    }

    @Test
    void ratesAreOfTheTimeBetweenTwoLooks()
    {
        final Rates rates = new Rates(4);
        rates.start(1_000_000_000L);
        assertThat(rates.add("a", 100)).as("the first look").isNaN();
        rates.start(1_500_000_000L);
        assertThat(rates.add("a", 200)).isEqualTo(200);
        assertThat(rates.add("b", 1_000)).as("one that is new").isNaN();
        rates.start(2_500_000_000L);
        assertThat(rates.add("a", 150)).as("one that was started anew").isZero();
        assertThat(rates.bars("a", true)).isEqualTo("  #_");
        rates.start(3_500_000_000L);
        rates.start(4_500_000_000L);
        assertThat(rates.add("a", 1_000_000)).as("one that was away").isNaN();
        rates.clear();
        rates.start(5_500_000_000L);
        assertThat(rates.add("a", 2_000_000)).as("another driver").isNaN();
    }

    @Test
    void streamsWhoseRateIsNotKnownYetAreBehindThoseThatFlowAndOrderedByTheirIds()
    {
        final List<StreamRow> rows = Stream.of(row(3, Double.NaN), row(2, 0), row(4, 5), row(1, Double.NaN))
            .sorted(Sort.RATE.order()).toList();
        assertThat(rows).extracting(StreamRow::streamId).containsExactly(4, 1, 2, 3);
    }

    private static StreamRow row(final int stream, final double rate)
    {
        return new StreamRow("", "gannet:ipc", stream, 1, false, rate, 0, 0, List.of());
    }

    @Test
    void numbersTakeFewColumns()
    {
        assertThat(Numbers.count(999)).isEqualTo("999");
        assertThat(Numbers.count(12_345)).isEqualTo("12.3k");
        assertThat(Numbers.bytes(1536)).isEqualTo("1.5KiB");
        assertThat(Numbers.bytes(Long.MAX_VALUE)).isEqualTo("8192PiB");
        assertThat(Numbers.count(Double.NaN)).as("not known yet").isEqualTo("-");
        assertThat(Numbers.bytes(Double.NaN)).isEqualTo("-");
        assertThat(Numbers.nanos(262_144)).isEqualTo("262us");
        assertThat(Numbers.seconds(59)).isEqualTo("59s");
        assertThat(Numbers.seconds(3_725)).isEqualTo("1h02m");
        assertThat(Numbers.seconds(90_000)).isEqualTo("1d01h");
    }
}

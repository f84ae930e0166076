package io.gannet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelTest
{
    @ParameterizedTest
    @CsvSource({
        "gannet:ipc, gannet:ipc",
        "gannet:ipc?ring=65536, gannet:ipc?ring=64k",
        "gannet:ipc?ring=1M, gannet:ipc?ring=1m",
        "gannet:ipc?slow=block, gannet:ipc",
        "gannet:ipc?alias=feed|session-id=-7|slow=drop, gannet:ipc?slow=drop|session-id=-7|alias=feed",
        "gannet:rdma?endpoint=10.0.0.7:4100, gannet:rdma?endpoint=10.0.0.7:4100",
        "gannet:rdma?control=[fe80::7]:04100, gannet:rdma?control=[fe80::7]:4100",
        "gannet:rdma?image-timeout=60000ms|endpoint=a:1, gannet:rdma?endpoint=a:1|image-timeout=1m",
        "gannet:rdma?control=a:1|pkey=32769|traffic-class=0xb8|gid-index=3|port=2|connect-timeout=500000us, "
            + "gannet:rdma?control=a:1|port=2|gid-index=3|pkey=0x8001|traffic-class=184|connect-timeout=500ms",
        "gannet:rdma?endpoint=host-1.example.org:65535|device=mlx5_0, "
            + "gannet:rdma?endpoint=host-1.example.org:65535|device=mlx5_0",
    })
    void aChannelHasOneNormalForm(final String text, final String normal)
    {
        final Channel channel = Channel.parse(text);
        assertThat(channel).hasToString(normal);
        assertThat(Channel.parse(normal)).isEqualTo(channel).hasSameHashCodeAs(channel);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "gannet:ipc?rings=4m; unknown channel key \"rings\"; did you mean ring?",
        "gannet:ipc?sesion-id=1; unknown channel key \"sesion-id\"",
        "gannet:icp; unknown media \"icp\"",
        "gannet:rdma?endpont=a:1; unknown channel key \"endpont\"",
        "gannet:rdma; exactly one of endpoint",
        "gannet:rdma?endpoint=a:1|control=b:2; exactly one of endpoint",
        "gannet:ipc?endpoint=a:1; not for gannet:ipc",
        "gannet:ipc?ring=3m; power of two",
        "gannet:ipc?ring=1g; 512 MiB",
        "gannet:ipc?ring=32k; 64 KiB",
        "gannet:ipc?ring=99999999999999999g; power of two",
        "gannet:ipc?ring=big; bytes are needed",
        "gannet:ipc?ring=1m|ring=1m; given twice",
        "gannet:ipc?slow=maybe; block or drop",
        "gannet:ipc?session-id=99999999999; -2147483648 to 2147483647",
        "gannet:ipc?alias=a b; letters",
        "gannet:ipc?; not key=value",
        "gannet:ipc?ring=; not key=value",
        "gannet:ipc?=1; not key=value",
        "gannet:ipc?ring=1m|; not key=value",
        "gannet:rdma?endpoint=a; host:port",
        "gannet:rdma?endpoint=a:1&ring=1m; separated by | and not by &: write \"endpoint=a:1|ring=1m\"",
        "gannet:ipc?slow=drop&alias=b; separated by | and not by &: write \"slow=drop|alias=b\"",
        "gannet:rdma?endpoint=a:0; 1 to 65535",
        "gannet:rdma?endpoint=a:65536; 1 to 65535",
        "gannet:rdma?endpoint=a:1|image-timeout=2h; 10ms to 1h",
        "gannet:rdma?endpoint=a:1|image-timeout=5; unit",
        "gannet:rdma?endpoint=a:1|traffic-class=256; 0 to 255",
        "gannet:rdma?endpoint=a:1|pkey=0; 1 to 65535",
        "gannet:rdma?endpoint=a:1|port=0x; 1 to 255",
        "gannet:ipc?connect-timeout=5s; not for gannet:ipc",
        "aeron:ipc; starts with gannet:",
    })
    void aWrongChannelIsNamedWithWhatIsPossible(final String text, final String part)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.parse(text))
            .withMessageContaining(part.replace("; did", "; did")).withMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void nothingIsNoChannel(final String text)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.parse(text));
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.parse(null));
    }

    @Test
    void theBuilderChecksLikeTheParser()
    {
        final Channel channel = Channel.rdma().endpoint("10.0.0.7:4100").ringLength(1 << 20)
            .slow(Channel.SlowPolicy.DROP).sessionId(9).alias("x").device("mlx5_0")
            .imageTimeout(3, TimeUnit.SECONDS).build();
        assertThat(channel).isEqualTo(Channel.parse(channel.toString()));
        assertThat(channel.ringLength()).isEqualTo(1 << 20);
        assertThat(channel.imageTimeoutNanos()).isEqualTo(3_000_000_000L);
        assertThat(channel.sessionId()).isEqualTo(9);
        assertThat(channel.slow()).isEqualTo(Channel.SlowPolicy.DROP);
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.ipc().ringLength(100));
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.ipc().endpoint("a:1"));
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.rdma().build());
    }

    @Test
    void onlyMediaAndAddressesMakeAPlace()
    {
        assertThat(Channel.parse("gannet:ipc?ring=1m").isSamePlace(Channel.parse("gannet:ipc?slow=drop"))).isTrue();
        assertThat(Channel.parse("gannet:rdma?endpoint=a:1").isSamePlace(Channel.parse("gannet:rdma?control=a:1")))
            .isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noTextBreaksTheParser(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final String start = "gannet:rdma?endpoint=10.0.0.7:4100|ring=4m|slow=drop|session-id=7|image-timeout=10s";
        for (int i = 0; i < 20_000; i++)
        {
            final StringBuilder text = new StringBuilder(start);
            for (int changes = random.nextInt(1, 5); changes > 0; changes--)
            {
                final int at = random.nextInt(text.length());
                switch (random.nextInt(3))
                {
                    case 0 -> text.setCharAt(at, (char) random.nextInt(32, 256));
                    case 1 -> text.deleteCharAt(at);
                    default -> text.insert(at, (char) random.nextInt(32, 127));
                }
            }
            parseOrRefuse(text.toString(), seed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "gannet:ipc?alias=a\nb",
        "gannet:ipc?a\r\nb=c",
        "gannet:ip\u0085c",
        "gannet:ipc?\u2028",
        "\u001b[2Jgannet:ipc",
        "gannet:rdma?endpoint=a\u202e:1",
    })
    void aMessageIsOneLineOfPrintableTextWhateverTheChannelHolds(final String text)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.parse(text))
            .satisfies(ex -> assertThat(ex.getMessage()).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]"));
    }

    private static void parseOrRefuse(final String text, final long seed)
    {
        try
        {
            final Channel channel = Channel.parse(text);
            assertThat(Channel.parse(channel.toString())).as("seed %d: %s", seed, text).isEqualTo(channel);
        }
        catch (final IllegalArgumentException ex)
        {
            assertThat(ex.getMessage()).as("seed %d", seed).isNotBlank();
        }
    }
}

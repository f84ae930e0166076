package io.gannet.perf.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Sums done by hand, over round figures: none of the model's own formulas is used for what is expected.
 */
class HandComputedTest
{
    private static final Hardware ROUND = with(Map.ofEntries(
        Map.entry(Parameter.SCAN, 5.0), Map.entry(Parameter.BUILD, 30.0), Map.entry(Parameter.CALL, 10.0),
        Map.entry(Parameter.INLINE_LINE, 5.0), Map.entry(Parameter.DOORBELL, 100.0),
        Map.entry(Parameter.BLUE_FLAME_BLOCK, 40.0), Map.entry(Parameter.POLL_CQE, 20.0),
        Map.entry(Parameter.POLL_EMPTY, 4.0), Map.entry(Parameter.POST_RECEIVE, 10.0),
        Map.entry(Parameter.MMIO_ONE_WAY, 100.0), Map.entry(Parameter.DMA_READ, 300.0),
        Map.entry(Parameter.DMA_WRITE, 200.0), Map.entry(Parameter.PCIE_BYTES, 16.0),
        Map.entry(Parameter.NIC_ISSUE, 50.0), Map.entry(Parameter.NIC_SEND, 100.0),
        Map.entry(Parameter.NIC_RECEIVE, 100.0), Map.entry(Parameter.CABLE, 50.0), Map.entry(Parameter.SWITCH, 100.0),
        Map.entry(Parameter.SWITCHES, 1.0), Map.entry(Parameter.WIRE_BYTES, 10.0), Map.entry(Parameter.MTU, 1024.0)));

    private static Hardware with(final Map<Parameter, Double> values)
    {
        Hardware hardware = Hardware.defaults();
        for (final Map.Entry<Parameter, Double> value : values.entrySet())
        {
            hardware = hardware.with(value.getKey(), value.getValue());
        }
        return hardware;
    }

    @Test
    void smallAndInline()
    {
        // request 36 + 64 = 100 bytes, two blocks of 64
        final double post = 5 + 30 + 5 + 10 + 2 * 40;
        final double mmio = 100 + (128 + 24) / 16.0;
        final double nics = 100 + 100;
        final double wire = (64 + 82 + 20) / 10.0;
        final double flight = 50 + 100;
        final double place = (64 + 24) / 16.0;
        final double completion = (64 + 24) / 16.0 + 200;

        assertThat(post + mmio + nics + wire + flight + place + completion + 20).isCloseTo(837.1, within(1e-9));
        assertThat(new ClosedForm(ROUND).oneWayNanos(64, true)).isCloseTo(837.1, within(1e-9));
    }

    @Test
    void smallAndRead()
    {
        // 145 post, 102 doorbell, 305.5 request, 305.5 payload, 200 NICs, 16.6 wire, 150, 5.5, 205.5, 20 poll
        assertThat(new ClosedForm(ROUND).oneWayNanos(64, false)).isCloseTo(1455.6, within(1e-9));
    }

    @Test
    void twoPacketsOverlap()
    {
        // 1024 bytes are four packets of PCIe: (1024 + 4 * 24) / 16 = 70; on the wire (1024 + 82 + 20) / 10 = 112.6.
        // read at 370 and 440, sent at 482.6 and 595.2, placed at 665.2; around it 145 + 102 + 305.5 before and
        // 200 + 150 + 205.5 + 20 beside and behind
        assertThat(new ClosedForm(ROUND).oneWayNanos(2048, false)).isCloseTo(665.2 + 552.5 + 575.5, within(1e-9));
    }

    @Test
    void blueFlameEndsAt220Bytes()
    {
        // 36 + 220 = 256 bytes, four blocks; 36 + 221 is five
        assertThat(ROUND.blueFlame(220, true, 1)).isTrue();
        assertThat(ROUND.blueFlame(221, true, 1)).isFalse();
        assertThat(ROUND.blueFlame(64, true, 2)).isFalse();
        assertThat(ROUND.blueFlame(64, false, 1)).isFalse();
        // 221 inline: 5 + 30 + 4 * 5 + 10 + 100 post, 102 doorbell, 300 + (320 + 2 * 24) / 16 = 323 request,
        // 200, (221 + 102) / 10 = 32.3, 150, (221 + 24) / 16 = 15.3125, 205.5, 20
        assertThat(new ClosedForm(ROUND).oneWayNanos(221, true)).isCloseTo(1213.1125, within(1e-9));
    }

    @Test
    void aSaturatedSenderPostsOneAfterTheOther()
    {
        // 130 to post, 20 for its completion, 4 for a poll that finds nothing: 154 ns
        assertThat(new ClosedForm(ROUND).senderNanos(64, true, 1, 1)).isCloseTo(154, within(1e-9));
        assertThat(new ClosedForm(ROUND).mostPerSecond(64, true, 1, 1)).isCloseTo(1e9 / 154, within(1e-3));
        // a chain of 16 by one doorbell: (16 * 40 + 10 + 100 + 4) / 16 + 20 / 32
        assertThat(new ClosedForm(ROUND).senderNanos(64, true, 16, 32)).isCloseTo(47.125 + 0.625, within(1e-9));
    }

    @Test
    void aQueueOfOneRequestIsAClosedLoop()
    {
        // Four slots: one is never used, two are kept. Post 130, 109.5 BlueFlame, 200 NICs, 16.6 wire, 150, then the
        // acknowledgement: 86 bytes 8.6, 150, 100 in the NIC, 5.5 + 200 for the completion, 20 for the poll.
        final double loop = 130 + 109.5 + 200 + 16.6 + 150 + 8.6 + 150 + 100 + 205.5 + 20;
        final Outcome outcome = WriteSimulation.run(ROUND, Workload.saturated(64, 1001).queue(4, 1));

        assertThat(loop).isCloseTo(1090.2, within(1e-9));
        assertThat(outcome.elapsed()).isCloseTo(1000 * loop + 837.1, within(1e-3));
    }
}

package io.gannet.rdma.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.roce.capture.Capture;
import io.gannet.rdma.roce.capture.Frame;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every packet of every capture: its ICRC, its fields, and the same bytes written again from the fields.
 */
class GoldenCapturesTest
{
    private static final Map<String, Set<Integer>> WRONG_ICRC =
        Map.of("bad-icrc", Set.of(4), "cm-variants", Set.of(4), "user-space-client", Set.of(8, 17));
    private static final Map<String, Set<Integer>> WRONG_VERSION = Map.of("cm-variants", Set.of(19));

    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @MethodSource("io.gannet.rdma.roce.capture.Capture#names")
    void theIcrcOfEveryPacketIsRightAndTellsItsIpId(final String name)
    {
        for (final Frame frame : Capture.read(name))
        {
            frame.direction(icrc);
            final var bytes = frame.direct();
            final UnsafeView view = new UnsafeView(bytes);
            final int id = icrc.verify(view.buffer(), bytes, 0, frame.bytes().length);
            if (!wrong(WRONG_ICRC, name, frame))
            {
                assertThat(id).as("%s #%d", name, frame.number()).isEqualTo(frame.ipId());
                view.buffer().putInt(frame.bytes().length - Packets.ICRC_SIZE, 0);
                icrc.append(view.buffer(), bytes, 0, frame.bytes().length, frame.ipId());
                assertThat(view.copy()).as("%s #%d", name, frame.number()).isEqualTo(frame.bytes());
            }
            else
            {
                assertThat(id).as("%s #%d", name, frame.number()).isNotEqualTo(frame.ipId());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.gannet.rdma.roce.capture.Capture#names")
    void everyPacketIsWrittenAgainFromItsFields(final String name)
    {
        for (final Frame frame : Capture.read(name))
        {
            final boolean wellFormed = Packets.wellFormed(frame.buffer(), 0, frame.bytes().length);
            assertThat(wellFormed).as("%s #%d", name, frame.number()).isEqualTo(!wrong(WRONG_VERSION, name, frame));
            if (wellFormed)
            {
                assertThat(Rewriter.rewrite(frame.bytes())).as("%s #%d", name, frame.number())
                    .isEqualTo(frame.bytes());
            }
        }
    }

    @Test
    void allCapturesAreThere()
    {
        assertThat(Capture.names().mapToInt(name -> Capture.read(name).size()).sum()).isEqualTo(2_007);
    }

    private static boolean wrong(final Map<String, Set<Integer>> known, final String name, final Frame frame)
    {
        return known.getOrDefault(name, Set.of()).contains(frame.number());
    }
}

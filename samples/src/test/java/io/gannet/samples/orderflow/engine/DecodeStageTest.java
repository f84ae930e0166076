package io.gannet.samples.orderflow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.InboundHeaderEncoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.samples.orderflow.matching.Commands;
import io.gannet.samples.orderflow.matching.LinkNumbers;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is taken of gateways that have, or claim, the same number. */
final class DecodeStageTest
{
    private static final int GATEWAY = 3;
    private static final int SESSION = GATEWAY << 16 | 1;
    private static final int SENDERS = 4;
    private static final int STEPS = 5_000;

    private final EngineCounters counters = new EngineCounters();
    private final LinkNumbers links = new LinkNumbers();
    private final Set<Long> there = new HashSet<>(Set.of(1L, 2L));
    private final Commands commands = new Commands();
    private final InboundHeaderEncoder inbound = new InboundHeaderEncoder();
    private DecodeStage stage = new DecodeStage(links, there::contains, counters);

    private CommandEvent link(final long source, final long epoch)
    {
        return arrives(source, commands.link(GATEWAY, epoch));
    }

    /** Whether the command with this number is taken. */
    private boolean takes(final long source, final long number)
    {
        final int length = commands.limit(SESSION, number, 1001, true, 1, 1);
        inbound.wrap(commands.buffer, MessageHeaderEncoder.ENCODED_LENGTH).applSeqNum(number);
        return arrives(source, length).accepted;
    }

    private CommandEvent arrives(final long source, final int length)
    {
        final CommandEvent event = new CommandEvent();
        assertThat(event.accept(commands.buffer, 0, length, source)).isTrue();
        stage.onEvent(event);
        return event;
    }

    @Test
    void anotherStoreDoesNotTakeTheNumberOfAGatewayThatIsThere()
    {
        assertThat(link(1, 10).answerNext).isEqualTo(1);
        assertThat(takes(1, 1)).isTrue();
        assertThat(link(2, 20).answerNext).isEqualTo(CommandEvent.REFUSED);
        assertThat(takes(2, 1)).isFalse();
        assertThat(takes(1, 2)).isTrue();
        assertThat(link(1, 10).answerNext).isEqualTo(3);

        there.remove(1L);
        assertThat(link(2, 20).answerNext).isEqualTo(1);
        assertThat(takes(2, 1)).isTrue();
    }

    @Test
    void aGatewayThatLostItsNumberToAnotherAndSendsOnIsNotTakenForThatOne()
    {
        link(1, 10);
        for (int i = 1; i <= 3; i++)
        {
            assertThat(takes(1, i)).isTrue();
        }
        there.remove(1L);
        link(2, 20);
        there.add(1L);
        for (int i = 1; i <= 4; i++)
        {
            assertThat(takes(1, i)).as("command %d again", i).isFalse();
        }
        assertThat(counters.unlinked.get()).isEqualTo(4);
        assertThat(link(1, 10).answerNext).isEqualTo(CommandEvent.REFUSED);
        assertThat(takes(2, 1)).isTrue();
    }

    @Test
    void nothingIsTakenOfAGatewayThatHasNotAskedTheRestartedEngine()
    {
        link(1, 10);
        assertThat(takes(1, 1)).isTrue();
        stage = new DecodeStage(links, there::contains, counters);
        assertThat(takes(1, 2)).isFalse();
        assertThat(link(1, 10).answerNext).isEqualTo(2);
        assertThat(takes(1, 2)).isTrue();
    }

    @Test
    void aGatewayThatComesBackWithItsStoreGoesOnOnceItsFormerLifeIsOverAndWhatIsLeftOfThatIsNotTaken()
    {
        link(1, 10);
        assertThat(takes(1, 1)).isTrue();
        // The driver has not yet seen that the first one is dead; or this one runs on a copy of its store.
        assertThat(link(2, 10).answerNext).isEqualTo(CommandEvent.REFUSED);
        assertThat(takes(2, 2)).isFalse();
        there.remove(1L);
        assertThat(link(2, 10).answerNext).isEqualTo(2);
        assertThat(takes(1, 2)).isFalse();
        assertThat(takes(2, 2)).isTrue();
    }

    static LongStream seeds()
    {
        return LongStream.range(0, 20);
    }

    /** Senders with stores of their own and all the same numbers come, go, ask and send as they like. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsTakenIsOfTheLastThatWasLinkedEachNumberOnceAndInOrder(final long seed)
    {
        final Random random = new Random(seed);
        long holder = 0;
        long last = 0;
        int taken = 0;
        there.clear();
        for (int i = 0; i < STEPS; i++)
        {
            final long source = 1L + random.nextInt(SENDERS);
            // A store's epoch is its sender's number, and that of a later step is newer.
            switch (random.nextInt(8))
            {
                case 0 -> there.add(source);
                case 1 -> there.remove(source);
                case 2 ->
                {
                    final long epoch = source + (random.nextInt(50) == 0 ? SENDERS * (long) i : 0);
                    final boolean newer = epoch > links.epoch(GATEWAY);
                    final boolean refused = link(source, epoch).answerNext == CommandEvent.REFUSED;
                    assertThat(refused && holder == 0).as("refused without reason, seed %d", seed).isFalse();
                    assertThat(!refused && holder != 0 && holder != source && there.contains(holder))
                        .as("shut out, seed %d", seed).isFalse();
                    last = !refused && newer ? 0 : last;
                    holder = refused ? holder : source;
                }
                default ->
                {
                    final long number = last + random.nextInt(3);
                    final boolean expected = source == holder && number == last + 1;
                    assertThat(takes(source, number)).as("step %d, seed %d", i, seed).isEqualTo(expected);
                    last = expected ? number : last;
                    taken += expected ? 1 : 0;
                }
            }
        }
        assertThat(taken).isGreaterThan(100);
    }
}

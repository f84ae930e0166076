package io.gannet.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.protocol.PublicationKind;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands and events through their rings, whole and as garbage.
 */
class MessageCodecTest
{
    private static final int CAPACITY = 64 * 1024;

    private final UnsafeBuffer memory =
        new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH));
    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(memory);
    private final GuardedRing guarded = new GuardedRing(ring);
    private final List<String> calls = new ArrayList<>();

    /** Writes each call down as its name and arguments. */
    private <T> T recorder(final Class<T> type)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method, args) ->
        {
            final List<String> texts = new ArrayList<>();
            for (final Object arg : args)
            {
                texts.add(arg instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(arg));
            }
            calls.add(method.getName() + texts);
            return null;
        }));
    }

    private CommandReader commandReader()
    {
        return new CommandReader(recorder(CommandHandler.class));
    }

    private EventReader eventReader()
    {
        return new EventReader(recorder(EventHandler.class));
    }

    private static void writeCommands(final CommandWriter out)
    {
        assertThat(out.connect(1, 99)).isTrue();
        assertThat(out.addPublication(2, 3, PublicationKind.EXCLUSIVE, -4, "gannet:ipc", 5)).isTrue();
        assertThat(out.removePublication(6, 7)).isTrue();
        assertThat(out.addSubscription(8, 9, 10, "gannet:ipc?alias=\u00e4")).isTrue();
        assertThat(out.removeSubscription(11, 12)).isTrue();
        assertThat(out.resumeImage(13, 14, 15)).isTrue();
        assertThat(out.releaseImage(16, 17)).isTrue();
        assertThat(out.addCounter(18, 19, 1000, new byte[]{1, 2}, "label", -1)).isTrue();
        assertThat(out.removeCounter(20, 21)).isTrue();
        assertThat(out.resumeDone(22)).isTrue();
        assertThat(out.closeClient(23)).isTrue();
    }

    private static void writeEvents(final EventWriter out)
    {
        assertThat(out.connected(1, 99)).isTrue();
        assertThat(out.publicationReady(2, 3, PublicationKind.CONCURRENT, 4, 5, 6, "rings/6")).isTrue();
        assertThat(out.subscriptionReady(7, 8)).isTrue();
        assertThat(out.imageAvailable(9, ImageKind.REMOTE, 10, 11, 12, 13, 14, "rings/12", "far away")).isTrue();
        assertThat(out.imageUnavailable(15, 16, 17, ImageEnd.CUT_OFF)).isTrue();
        assertThat(out.gap(18, 19, 20, 21, 22)).isTrue();
        assertThat(out.counterReady(23, 24, 25)).isTrue();
        assertThat(out.operationSucceeded(26)).isTrue();
        assertThat(out.operationFailed(27, ErrorCode.STORAGE_FULL, "no room")).isTrue();
        assertThat(out.publicationEnded(28, 29, ErrorCode.NOT_ADOPTED, "gone")).isTrue();
    }

    @Test
    void everyCommandArrivesAsItWasSent()
    {
        writeCommands(new CommandWriter(ring));
        assertThat(guarded.read(commandReader(), 100)).isEqualTo(11);
        assertThat(calls).containsExactly(
            "onConnect[1, 99, 1]",
            "onAddPublication[2, 3, EXCLUSIVE, -4, gannet:ipc, 5]",
            "onRemovePublication[6, 7]",
            "onAddSubscription[8, 9, 10, gannet:ipc?alias=\u00e4]",
            "onRemoveSubscription[11, 12]",
            "onResumeImage[13, 14, 15]",
            "onReleaseImage[16, 17]",
            "onAddCounter[18, 19, 1000, [1, 2], label, -1]",
            "onRemoveCounter[20, 21]",
            "onResumeDone[22]",
            "onCloseClient[23]");
    }

    @Test
    void everyEventArrivesAsItWasSent()
    {
        writeEvents(new EventWriter(ring));
        assertThat(guarded.read(eventReader(), 100)).isEqualTo(10);
        assertThat(calls).containsExactly(
            "onConnected[1, 99, 1]",
            "onPublicationReady[2, 3, CONCURRENT, 4, 5, 6, rings/6]",
            "onSubscriptionReady[7, 8]",
            "onImageAvailable[9, REMOTE, 10, 11, 12, 13, 14, rings/12, far away]",
            "onImageUnavailable[15, 16, 17, CUT_OFF]",
            "onGap[18, 19, 20, 21, 22]",
            "onCounterReady[23, 24, 25]",
            "onOperationSucceeded[26]",
            "onOperationFailed[27, 4, no room]",
            "onPublicationEnded[28, 29, 8, gone]");
    }

    @Test
    void aFullRingTakesNothingAndLosesNothing()
    {
        final CommandWriter out = new CommandWriter(ring);
        int written = 0;
        while (out.removeCounter(written, 0))
        {
            written++;
        }
        assertThat(written).isGreaterThan(1000);
        assertThat(guarded.read(commandReader(), Integer.MAX_VALUE)).isEqualTo(written);
        assertThat(out.removeCounter(0, 0)).isTrue();
    }

    @Test
    void theLongestStringsFitAndLongerOnesAreRefusedOrShortened()
    {
        final String longest = "x".repeat(MessageFrame.MAX_DATA_LENGTH);
        assertThat(new CommandWriter(ring).addSubscription(1, 1, 1, longest)).isTrue();
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new CommandWriter(ring).addSubscription(1, 1, 1, longest + "x"))
            .withMessageContaining("4097 bytes, at most 4096");
        assertThat(guarded.read(commandReader(), 1)).isEqualTo(1);
        calls.clear();
        assertThat(new EventWriter(ring).imageAvailable(
            1, ImageKind.LOCAL, 1, 1, 1, 1, 1, longest, "\u20ac".repeat(5000))).isTrue();
        assertThat(guarded.read(eventReader(), 1)).isEqualTo(1);
        assertThat(calls.getFirst()).contains(longest).endsWith("\u20ac]");
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void changedBytesOfMessagesNeverBreakTheReader(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++)
        {
            memory.setMemory(0, memory.capacity(), (byte) 0);
            final boolean commands = random.nextBoolean();
            if (commands)
            {
                writeCommands(new CommandWriter(ring));
            }
            else
            {
                writeEvents(new EventWriter(ring));
            }
            final int used = (int) ring.producerPosition();
            for (int changes = random.nextInt(1, 20); changes > 0; changes--)
            {
                memory.putByte(random.nextInt(used), (byte) random.nextInt());
            }
            readAll(commands, "seed " + seed + " round " + round);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void randomBytesEverywhereNeverBreakTheReader(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final byte[] bytes = new byte[memory.capacity()];
        for (int round = 0; round < 300; round++)
        {
            random.nextBytes(bytes);
            memory.putBytes(0, bytes);
            // Positions that could be, so that the records are looked at; sometimes a length that could be.
            memory.putLong(CAPACITY + RingBufferDescriptor.HEAD_POSITION_OFFSET, random.nextInt(1 << 20) * 8L);
            if (random.nextBoolean())
            {
                final int index = (int) ring.consumerPosition() & (CAPACITY - 1);
                memory.putInt(index, random.nextInt(1, 200));
                memory.putInt(index + 4, random.nextInt(-1, 3));
            }
            readAll(random.nextBoolean(), "seed " + seed + " round " + round);
        }
    }

    /** Ends, throws nothing, and hands on no more than there can be. */
    private void readAll(final boolean commands, final String where)
    {
        calls.clear();
        int read = 0;
        int result;
        do
        {
            result = guarded.read(commands ? commandReader() : eventReader(), 64);
            read += Math.max(result, 0);
        }
        while (result > 0 && read < CAPACITY);
        assertThat(result).as(where).isLessThanOrEqualTo(0);
        assertThat(calls).as(where).hasSize(read);
    }

    @Test
    void aHandlerThatThrowsLosesOnlyItsMessage()
    {
        final CommandWriter out = new CommandWriter(ring);
        out.removeCounter(1, 1);
        out.removeCounter(2, 2);
        assertThatIllegalArgumentException().isThrownBy(() -> guarded.read((type, buffer, index, length) ->
        {
            throw new IllegalArgumentException("planned");
        }, 10));
        assertThat(guarded.read(commandReader(), 10)).isEqualTo(1);
        assertThat(calls).containsExactly("onRemoveCounter[2, 2]");
    }
}

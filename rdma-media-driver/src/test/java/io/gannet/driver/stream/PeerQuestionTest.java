package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.doctor.HostFacts;
import io.gannet.doctor.HostFacts.Fact;
import io.gannet.driver.stream.PeerQuestion.Failure;
import io.gannet.driver.stream.PeerQuestion.UnansweredException;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What comes of a doctor's question when the other side is something else than a driver of this version.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PeerQuestionTest
{
    private static final int PORT = 4_711;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT = TimeUnit.SECONDS.toNanos(3);

    private final RdmaDevice device = RoceDevice.open(RoceOptions.LOOPBACK);
    private final RdmaDevice other = RoceDevice.open(RoceOptions.LOOPBACK);
    private final CmListener listener =
        other.connectionManager().listen(new InetSocketAddress(other.port(1).address(), PORT), this);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean ended;
    private Thread thread;

    @AfterEach
    void close() throws InterruptedException
    {
        ended = true;
        if (thread != null)
        {
            thread.join();
        }
        listener.close();
        other.close();
        device.close();
    }

    /** The other side refuses every request with what {@code answers} makes of its offset. */
    private void answer(final IntFunction<DirectBuffer> answers)
    {
        thread = Thread.ofPlatform().start(() ->
        {
            while (!ended)
            {
                final int work =
                    other.doWork() + other.connectionManager().pollEvents(event -> onEvent(event, answers));
                if (work == 0)
                {
                    LockSupport.parkNanos(10_000);
                }
            }
        });
    }

    private void onEvent(final CmEvent event, final IntFunction<DirectBuffer> answers)
    {
        if (event.type() == CmEventType.CONNECT_REQUEST)
        {
            assertThat(HostRequest.isOne(event.privateData())).isTrue();
            asked.incrementAndGet();
            event.id().reject(answers.apply(HostRequest.decode(event.privateData()).offset()));
            event.id().close();
        }
    }

    private byte[] ask(final long timeoutNanos) throws UnansweredException
    {
        try (PeerQuestion question =
            new PeerQuestion(device, new InetSocketAddress(other.port(1).address(), PORT)))
        {
            return question.ask(timeoutNanos);
        }
    }

    private void assertFails(final Failure failure, final String words)
    {
        assertFails(failure, words, PATIENCE);
    }

    private void assertFails(final Failure failure, final String words, final long timeoutNanos)
    {
        assertThatThrownBy(() -> ask(timeoutNanos)).isInstanceOf(UnansweredException.class)
            .hasMessageContaining(words)
            .satisfies(thrown -> assertThat(((UnansweredException) thrown).failure()).isEqualTo(failure));
    }

    private static HostFacts facts()
    {
        final Map<Fact, String> all = new EnumMap<>(Fact.class);
        for (final Fact fact : Fact.values())
        {
            all.put(fact, fact + " of a host with long words for everything it has: " + all.size());
        }
        return new HostFacts(all);
    }

    private static UnsafeBuffer copy(final DirectBuffer data)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[data.capacity()]);
        copy.putBytes(0, data, 0, data.capacity());
        return copy;
    }

    @Test
    void aLongAnswerComesInParts() throws UnansweredException
    {
        final byte[] whole = facts().encode();
        assertThat(whole.length).isGreaterThan(4 * ConnectionManager.MAX_REJECT_PRIVATE_DATA)
            .isLessThanOrEqualTo(HostReply.MAX_TOTAL);
        answer(offset -> HostReply.of(whole, offset).encode());
        assertThat(HostFacts.decode(ask(PATIENCE))).isEqualTo(facts());
        assertThat(asked.get()).isGreaterThan(4);
    }

    @Test
    void anAnswerThatChangesMeanwhileIsTakenFromTheStart() throws UnansweredException
    {
        final byte[] before = facts().encode();
        final byte[] after = facts().with(Fact.RATE, "another").encode();
        answer(offset -> HostReply.of(asked.get() > 2 ? after : before, offset).encode());
        assertThat(HostFacts.decode(ask(PATIENCE)).values()).containsEntry(Fact.RATE, "another");
    }

    @Test
    void aHostThatHasToLookFirstIsAskedAgain() throws UnansweredException
    {
        final byte[] whole = facts().encode();
        answer(offset -> asked.get() < 3 ? SetupRefusal.encode(SetupRefusal.NOT_READY, SetupRefusal.ANY) :
            HostReply.of(whole, offset).encode());
        assertThat(HostFacts.decode(ask(PATIENCE))).isEqualTo(facts());
    }

    @Test
    void aDriverBeforeTheQuestionIsNamedAsOld()
    {
        answer(offset -> SetupRefusal.encode(SetupRefusal.MALFORMED, SetupRefusal.ANY));
        assertFails(Failure.OLD_DRIVER, "does not know the question");
    }

    @Test
    void anAnswerOfALaterVersionIsToldWithBoth()
    {
        final UnsafeBuffer later = copy(HostReply.of(facts().encode(), 0).encode());
        later.putShort(4, (short) 2);
        answer(offset -> later);
        assertFails(Failure.NEW_DRIVER, "version 2 of this question, and this doctor reads 1");
    }

    @Test
    void aRefusalIsToldInWords()
    {
        answer(offset -> SetupRefusal.encode(SetupRefusal.NO_RESOURCES, SetupRefusal.ANY));
        assertFails(Failure.REFUSED, "exhausted there");
    }

    @Test
    void aRefusalWithoutAWordIsToldWithItsReason()
    {
        answer(offset -> new UnsafeBuffer(new byte[0]));
        assertFails(Failure.REFUSED, "reason 28");
    }

    @Test
    void nobodyListeningIsAnAnswerToo()
    {
        answer(offset -> new UnsafeBuffer(new byte[0]));
        assertThatThrownBy(() ->
        {
            try (PeerQuestion question =
                new PeerQuestion(device, new InetSocketAddress(other.port(1).address(), PORT + 1)))
            {
                question.ask(PATIENCE);
            }
        }).isInstanceOfSatisfying(UnansweredException.class,
            thrown -> assertThat(thrown.failure()).isEqualTo(Failure.NOBODY_LISTENS));
    }

    @Test
    void silenceEndsWithTheTime()
    {
        assertFails(Failure.NO_ANSWER, "", TimeUnit.MILLISECONDS.toNanos(500));
    }

    static Stream<IntFunction<DirectBuffer>> liars()
    {
        final byte[] whole = facts().encode();
        final AtomicInteger number = new AtomicInteger();
        return Stream.of(
            offset -> HostReply.of(whole, offset + 1).encode(),
            offset -> HostReply.of(whole, offset > 0 ? 0 : offset).encode(),
            offset -> new HostReply(whole.length, offset, 7, HostReply.of(whole, offset).part()).encode(),
            offset -> new HostReply(whole.length, offset, HostReply.crc(whole), new UnsafeBuffer(new byte[0])).encode(),
            offset -> new HostReply(Integer.MAX_VALUE, offset, 7, new UnsafeBuffer(new byte[9])).encode(),
            offset -> new HostReply(-1, offset, 7, new UnsafeBuffer(new byte[9])).encode(),
            offset -> new HostReply(100, 90, 7, new UnsafeBuffer(new byte[20])).encode(),
            // Always another whole.
            offset -> new HostReply(900, offset, number.incrementAndGet(), new UnsafeBuffer(new byte[50])).encode());
    }

    @ParameterizedTest
    @MethodSource("liars")
    void anAnswerThatIsNoneEndsTheQuestion(final IntFunction<DirectBuffer> liar)
    {
        answer(liar);
        assertThatThrownBy(() -> ask(SHORT)).isInstanceOfSatisfying(UnansweredException.class,
            thrown -> assertThat(thrown.failure()).isIn(Failure.GARBAGE, Failure.NO_ANSWER));
    }

    @Test
    void noBytesWhateverMakeTheReadersThrowAnythingElse()
    {
        final SplittableRandom random = new SplittableRandom(7);
        final byte[] whole = facts().encode();
        int read = 0;
        for (int i = 0; i < 200_000; i++)
        {
            final UnsafeBuffer data = mutated(random, HostReply.of(whole, random.nextInt(whole.length)).encode());
            if (HostReply.isOne(data))
            {
                try
                {
                    final HostReply reply = HostReply.decode(data);
                    assertThat(reply.offset() + reply.part().capacity()).isBetween(0, HostReply.MAX_TOTAL);
                    read++;
                }
                catch (final SetupException expected)
                {
                    assertThat(expected.refusal()).isIn(SetupRefusal.MALFORMED, SetupRefusal.VERSION);
                }
            }
            readFacts(random, whole);
            final UnsafeBuffer request = mutated(random, new HostRequest(random.nextInt()).encode());
            if (HostRequest.isOne(request))
            {
                final HostReply reply = HostReply.of(whole, HostRequest.decode(request).offset());
                assertThat(reply.encode().capacity()).isLessThanOrEqualTo(ConnectionManager.MAX_REJECT_PRIVATE_DATA);
            }
        }
        assertThat(read).isGreaterThan(1_000);
    }

    private static void readFacts(final SplittableRandom random, final byte[] whole)
    {
        final UnsafeBuffer data = mutated(random, new UnsafeBuffer(whole));
        final byte[] bytes = new byte[data.capacity()];
        data.getBytes(0, bytes);
        try
        {
            HostFacts.decode(bytes).values().values()
                .forEach(value -> assertThat(value.length()).isBetween(1, HostFacts.MAX_VALUE));
        }
        catch (final IllegalArgumentException expected)
        {
            assertThat(expected).hasMessageContaining("fact");
        }
    }

    /** With a few bytes changed, and now and then cut short or padded. */
    private static UnsafeBuffer mutated(final SplittableRandom random, final DirectBuffer data)
    {
        final int length = random.nextInt(4) == 0 ? random.nextInt(data.capacity() + 60) : data.capacity();
        final UnsafeBuffer changed = new UnsafeBuffer(new byte[length]);
        changed.putBytes(0, data, 0, Math.min(length, data.capacity()));
        for (int i = random.nextInt(4); i > 0 && length > 0; i--)
        {
            changed.putByte(random.nextInt(length), (byte) random.nextInt());
        }
        return changed;
    }
}

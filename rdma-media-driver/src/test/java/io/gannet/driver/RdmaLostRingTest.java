package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The file of a ring that is replicated is truncated, or something writes into its header: that stream ends, both
 * applications are told how far it came, and all other streams of both drivers go on.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaLostRingTest
{
    private static final int STREAM = 10;
    private static final int NEIGHBOUR = 11;
    /** Bytes of a header that say what the ring is. */
    private static final int DESCRIPTION = 64;
    private static final int COARSE = 512;
    private static final int TAIL = 768;
    private static final int ENTRIES = 4096;

    private final NumberedMessages messages = new NumberedMessages();
    private final List<String> toldPublisher = new CopyOnWriteArrayList<>();
    private final List<String> toldSubscriber = new CopyOnWriteArrayList<>();
    private final List<RdmaHost> hosts = new ArrayList<>();
    private final List<long[]> gaps = new CopyOnWriteArrayList<>();

    /** What is done to a ring's file. */
    enum Deed
    {
        TRUNCATE, DESCRIPTION, POSITIONS, GATES;

        void to(final Path file)
        {
            try (FileChannel ring = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                switch (this)
                {
                    case TRUNCATE -> ring.truncate(0);
                    case DESCRIPTION -> garbage(ring, 0, RdmaLostRingTest.DESCRIPTION);
                    case POSITIONS ->
                    {
                        garbage(ring, COARSE, Long.BYTES);
                        garbage(ring, TAIL, Long.BYTES);
                    }
                    case GATES -> garbage(ring, ENTRIES, 1024);
                    default -> throw new AssertionError(this);
                }
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
        }

        private static void garbage(final FileChannel ring, final int offset, final int length) throws IOException
        {
            final ByteBuffer bytes = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++)
            {
                bytes.put(i, (byte) (0x5B + i * 7));
            }
            ring.write(bytes, offset);
        }
    }

    private static Gannet connect(final RdmaHost host, final List<String> told)
    {
        return Gannet.connect(new Gannet.Context().directory(host.directory()).driverTimeout(60, TimeUnit.SECONDS)
            .errorHandler(failure -> told.add(String.valueOf(failure.getMessage()))));
    }

    private static Path ring(final RdmaHost host, final List<String> others)
    {
        return Await.value("the ring's file", () -> TestDirectory.list(host.directory().resolve("rings")).stream()
            .filter(name -> name.endsWith(".ring") && !others.contains(name)).findFirst()
            .map(name -> host.directory().resolve("rings").resolve(name)).orElse(null));
    }

    @ParameterizedTest
    @CsvSource({
        "TRUNCATE, false, false", "TRUNCATE, true, true",
        "DESCRIPTION, true, true", "POSITIONS, true, false", "GATES, false, false"})
    void aRingThatIsLostEndsItsOwnStreamAlone(final Deed deed, final boolean fanOut, final boolean ofImage)
    {
        try (RdmaHost from = new RdmaHost("ruin-from"); RdmaHost to = new RdmaHost("ruin-to");
            Gannet publisher = connect(from, toldPublisher); Gannet subscriber = connect(to, toldSubscriber))
        {
            hosts.addAll(List.of(from, to));
            final String channel =
                (fanOut ? from.control(4610) : to.channel(4610)) + "|image-timeout=2s";
            try (Subscription neighbour = subscriber.addSubscription(channel, NEIGHBOUR);
                Publication untouched = publisher.addPublication(channel + "|ring=256k", NEIGHBOUR))
            {
                Await.until("the neighbours' connection", () -> untouched.isConnected() && neighbour.isConnected());
                final Checker beside = new Checker(neighbour, 0);
                messages.pass(untouched, 0, 500, beside);
                final RdmaHost victim = ofImage ? to : from;
                final List<String> others = TestDirectory.list(victim.directory().resolve("rings"));
                try (Subscription subscription = subscriber.addSubscription(channel, STREAM, image -> { },
                    image -> { }, (of, session, gapFrom, gapTo) -> gaps.add(new long[]{gapFrom, gapTo}));
                    Publication publication = publisher.addPublication(channel + "|ring=256k", STREAM))
                {
                    Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
                    messages.pass(publication, 0, 500, new Checker(subscription, 0));
                    final long position = publication.position();
                    Await.until("the driver to have seen the position", () -> new DirectoryCounters(victim.directory())
                        .value(ofImage ? "received position" : "publication position", "", STREAM) == position);
                    deed.to(ring(victim, others));
                    if (ofImage)
                    {
                        theImageComesAnew(publication, subscription, position);
                    }
                    else
                    {
                        bothAreTold(publication, subscription, from, position);
                    }
                    messages.pass(untouched, 500, 2_000, beside);
                }
                anotherStreamCanBeMade(publisher, subscriber, channel);
                messages.pass(untouched, 2_000, 3_000, beside);
            }
            from.awaitNoRings();
            to.awaitNoRings();
        }
        catch (final AssertionError failed)
        {
            throw new AssertionError(failed.getMessage() + "\n" + hosts.stream().map(RdmaHost::log).toList() + "\n" +
                toldPublisher + "\n" + toldSubscriber, failed);
        }
    }

    private void bothAreTold(
        final Publication publication, final Subscription subscription, final RdmaHost from, final long position)
    {
        // Of the connection that goes it may be told before, of its own end behind that.
        Await.until("the publisher to be told", () -> publication.isClosed() && toldPublisher.stream().anyMatch(
            text -> text.contains("stream " + STREAM) && text.contains("up to position " + position)));
        assertThat(from.log()).anyMatch(line -> line.contains("ends here, at " + position));
        Await.until("the subscriber's image to end", () -> subscription.images().isEmpty());
    }

    private void theImageComesAnew(
        final Publication publication, final Subscription subscription, final long position)
    {
        final int[] sent = {500};
        final Checker[] checker = {null};
        Await.until("messages of the next image", () ->
        {
            // Only until the first one has come: what is on its way would always be one more.
            final boolean hasCome = checker[0] != null && checker[0].next() > 500;
            sent[0] += !hasCome && messages.tryOffer(publication, sent[0]) > 0 ? 1 : 0;
            if (checker[0] == null)
            {
                checker[0] = new Checker(subscription, 0).anyStart();
            }
            checker[0].poll();
            return hasCome && checker[0].next() == sent[0];
        });
        for (final long[] gap : gaps)
        {
            assertThat(gap[0]).as("start of the gap").isGreaterThanOrEqualTo(position);
            assertThat(gap[1]).isGreaterThan(gap[0]).isLessThanOrEqualTo(publication.position());
        }
    }

    private void anotherStreamCanBeMade(final Gannet publisher, final Gannet subscriber, final String channel)
    {
        try (Subscription subscription = subscriber.addSubscription(channel, STREAM);
            Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
        {
            Await.until("the stream anew", () -> publication.isConnected() && subscription.isConnected());
            messages.pass(publication, 0, 500, new Checker(subscription, 0));
        }
    }
}

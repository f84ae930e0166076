package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.rdma.roce.rc.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Datagrams that make no sense at the port of a driver's NIC, random ones and real ones with bits turned over, while a
 * stream goes through it: the stream goes on, the driver counts them, and says little.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaGarbageTest
{
    private static final int STREAM = 10;
    private static final int NIC_PORT = 4791;
    private static final int ROUNDS = 60;
    private static final int DATAGRAMS = 50;
    private static final int LONGEST = 4_200;
    private static final int MOST_LINES = 20;

    private final NumberedMessages messages = new NumberedMessages();

    @Test
    void garbageAtTheNicsPortHarmsNoStream() throws IOException
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("RdmaGarbageTest: seed " + seed);
        final Random random = new Random(seed);
        try (RdmaHost from = new RdmaHost("noise-from"); RdmaHost to = new RdmaHost("noise-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(to.channel(4660), STREAM);
            Publication publication = publisher.addPublication(to.channel(4660) + "|ring=64k", STREAM);
            DatagramChannel noise = DatagramChannel.open())
        {
            final String stranger = LoopbackAddress.random();
            noise.bind(new InetSocketAddress(InetAddress.ofLiteral(stranger), NIC_PORT));
            noise.configureBlocking(false);
            Await.until("a connection", publication::isConnected);
            try (Publication toStranger = publisher.addPublication(
                "gannet:rdma?endpoint=" + stranger + ":4660|ring=64k|connect-timeout=200ms", STREAM + 1))
            {
                final List<byte[]> real = requests(noise);
                final Checker checker = new Checker(subscription, 0);
                for (int round = 0; round < ROUNDS; round++)
                {
                    for (int i = 0; i < DATAGRAMS; i++)
                    {
                        noise.send(ByteBuffer.wrap(garbage(random, real)), new InetSocketAddress(
                            InetAddress.ofLiteral(i % 2 == 0 ? to.address() : from.address()), NIC_PORT));
                    }
                    messages.pass(publication, round * 50, (round + 1) * 50, checker);
                }
                assertThat(toStranger.isConnected()).isFalse();
            }
            assertThat(subscription.images()).hasSize(1);
            for (final RdmaHost host : List.of(from, to))
            {
                assertThat(host.log()).hasSizeLessThan(MOST_LINES);
                Await.until("the garbage to be counted", () -> new DirectoryCounters(host.directory())
                    .value("roce:", Counter.PACKETS_RECEIVED.label()) > ROUNDS * DATAGRAMS / 4);
            }
        }
    }

    /** Real packets of a driver that wants to connect to us. */
    private static List<byte[]> requests(final DatagramChannel noise)
    {
        final List<byte[]> all = new ArrayList<>();
        final ByteBuffer buffer = ByteBuffer.allocate(LONGEST);
        Await.until("requests to connect", () ->
        {
            try
            {
                buffer.clear();
                if (noise.receive(buffer) != null)
                {
                    all.add(java.util.Arrays.copyOf(buffer.array(), buffer.position()));
                }
            }
            catch (final IOException e)
            {
                throw new java.io.UncheckedIOException(e);
            }
            return all.size() >= 2;
        });
        return all;
    }

    private static byte[] garbage(final Random random, final List<byte[]> real)
    {
        if (random.nextInt(3) == 0)
        {
            final byte[] bytes = new byte[random.nextInt(LONGEST)];
            random.nextBytes(bytes);
            return bytes;
        }
        final byte[] bytes = real.get(random.nextInt(real.size())).clone();
        for (int i = random.nextInt(4); i >= 0; i--)
        {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return random.nextInt(4) == 0 ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }
}

package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.matching.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Noise and damaged messages on every stream change nothing for those who speak properly. */
final class GarbageTest
{
    private static final int MESSAGES = 5_000;
    /** A gateway that links; its neighbour sends commands without a link. */
    private static final int STRANGER = 9;

    private static final int[] TEMPLATES = {1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 20, 30, 31, 32, 33, 34, 35, 36, 37, 40,
        41};

    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();
    private final Commands commands = new Commands();

    static LongStream seeds()
    {
        return LongStream.rangeClosed(1, 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void garbageOnAnyStreamHarmsNobody(final long seed) throws IOException
    {
        final Random random = new Random(seed);
        try (Venue venue = new Venue(directory, Layout.TWO).startEngine().startGateway();
            Sender toGateway = venue.transport.sender(Venue.STREAMS.toGateway());
            Sender toEngine = venue.transport.sender(Venue.STREAMS.toEngine());
            Sender fromEngine = venue.transport.sender(Venue.STREAMS.fromEngine());
            Sender toClient = venue.transport.sender(Venue.STREAMS.toClient(0)))
        {
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= MESSAGES; i++)
            {
                throwAt(toGateway, random, 2);
                throwAt(toEngine, random, (STRANGER + 1) << 16 | 2);
                throwAt(fromEngine, random, 2);
                throwAt(toClient, random, 2);
                if (i % 50 == 0)
                {
                    client.session().send(order.limit(i, Venue.SECURITY, Side.Buy, 100 * Venue.UNIT, i), 1);
                    expected.add("New " + i + " leaves " + i + " cum 0 None");
                    client.await(expected.size());
                }
            }
            assertThat(client.told).isEqualTo(expected);
            assertThat(venue.gateway.counters().refused.get()).isGreaterThan(MESSAGES / 2);
            assertThat(venue.engine.counters().malformed.get()).isPositive();
            venue.engine.close();
            assertThat(venue.engine.matching().orders()).isEqualTo(expected.size());
        }
    }

    private static int noise(final UnsafeBuffer message, final Random random)
    {
        final int length = random.nextInt(200);
        for (int i = 0; i < length; i++)
        {
            message.putByte(i, (byte) random.nextInt());
        }
        return length;
    }

    /** A message of some kind by its header, whose block has any length and whose fields are noise. */
    private static int shaped(final UnsafeBuffer message, final Random random, final int session)
    {
        final int length = Math.max(8, noise(message, random));
        message.putShort(0, (short) (random.nextBoolean() ? length - 8 : random.nextInt(length + 4)));
        message.putShort(2, (short) TEMPLATES[random.nextInt(TEMPLATES.length)]);
        message.putShort(4, (short) MessageHeaderDecoder.SCHEMA_ID);
        message.putShort(6, (short) random.nextInt(4));
        // Where messages of sessions, requests and reports have it.
        for (final int at : new int[]{8, 16, 24, 8 + 32, 8 + 64})
        {
            if (random.nextInt(3) == 0)
            {
                message.putInt(at, session);
            }
        }
        return length;
    }

    /** One message: noise, or a command with some bytes changed or its end missing. */
    private void throwAt(final Sender sender, final Random random, final int session)
    {
        final UnsafeBuffer message = commands.buffer;
        int length;
        if (random.nextInt(4) == 0)
        {
            length = noise(message, random);
        }
        else if (random.nextInt(4) == 0)
        {
            length = shaped(message, random, session);
        }
        else
        {
            length = switch (random.nextInt(5))
            {
                case 0 -> commands.cancel(session, 1, 2, Venue.SECURITY, true);
                case 1 -> commands.replace(session, 1, 2, Venue.SECURITY, true, Venue.UNIT, 1);
                case 2 -> commands.massCancel(session, 0);
                case 3 -> commands.link(STRANGER, random.nextLong());
                default -> commands.order(session, 1, Venue.SECURITY, true, OrdType.Limit, TimeInForce.Day, Venue.UNIT,
                    1, 0, false, 0, 0);
            };
            // Not in the number of the session or the gateway: the streams of a venue are for those who know it.
            for (int i = random.nextInt(4); i > 0; i--)
            {
                message.putByte(random.nextInt(8), (byte) random.nextInt());
            }
            length = random.nextInt(3) == 0 ? random.nextInt(length + 1) : length;
        }
        if (sender.claim(length) > 0)
        {
            sender.buffer().putBytes(sender.offset(), message, 0, length);
            sender.commit();
        }
    }
}

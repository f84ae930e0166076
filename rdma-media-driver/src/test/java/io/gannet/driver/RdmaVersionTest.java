package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.harness.Await;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drivers of different protocol versions refuse each other, and both say so once, with what to do. The other driver is
 * played: it sends a driver's own request with the version changed, and answers the other one with that refusal.
 */
@Tag(TestNic.SOFTWARE)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RdmaVersionTest
{
    private static final int STREAM = 10;
    private static final int PORT = 4680;
    /** In every kind of request. */
    private static final int VERSION_OFFSET = 4;
    private static final short OTHER = 99;

    private final String address = LoopbackAddress.random();
    private final RdmaDevice device =
        RoceDevice.open(RoceOptions.LOOPBACK.withAddress(InetAddress.ofLiteral(address)));
    private final ProtectionDomain domain = device.allocateProtectionDomain();
    private final CompletionQueue queue = device.createCompletionQueue(64, null);
    private final Queue<CmEvent> events = new ArrayDeque<>();
    private final CmListener listener =
        device.connectionManager().listen(new InetSocketAddress(InetAddress.ofLiteral(address), PORT), this);

    @AfterEach
    void close()
    {
        for (CmEvent event = events.poll(); event != null; event = events.poll())
        {
            if (event.type() == CmEventType.CONNECT_REQUEST)
            {
                event.id().close();
            }
        }
        listener.close();
        queue.close();
        domain.close();
        device.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothSidesSayThatTheirVersionsDoNotFit(final boolean fanOut)
    {
        // Who connects: with endpoint= the publisher's driver, with control= the subscriber's.
        try (RdmaHost asking = new RdmaHost("version-asking"); RdmaHost asked = new RdmaHost("version-asked");
            Gannet asker = asking.connect(); Gannet askee = asked.connect())
        {
            subscribeOrPublish(askee, asker, asked, fanOut);
            final CmEvent request = await(CmEventType.CONNECT_REQUEST);
            final UnsafeBuffer changed = new UnsafeBuffer(new byte[request.privateData().capacity()]);
            changed.putBytes(0, request.privateData(), 0, changed.capacity());
            assertThat(changed.getShort(VERSION_OFFSET)).isEqualTo((short) 1);
            changed.putShort(VERSION_OFFSET, OTHER);

            DirectBuffer refusal = null;
            for (int i = 0; i < 3; i++)
            {
                refusal = askOf(asked.address(), changed);
            }
            assertThat(lines(asked, "protocol 99 connects, and this one speaks 1")).singleElement().asString()
                .contains("request from " + address + ": ").contains("at most one apart");

            request.id().reject(refusal);
            request.id().close();
            for (int i = 0; i < 3; i++)
            {
                final CmEvent again = await(CmEventType.CONNECT_REQUEST);
                again.id().reject(refusal);
                again.id().close();
            }
            assertThat(lines(asking, "does not speak protocol 1")).singleElement().asString()
                .contains(address + ":" + PORT).contains("at most one apart");
        }
    }

    private void subscribeOrPublish(
        final Gannet askee, final Gannet asker, final RdmaHost asked, final boolean fanOut)
    {
        final String played = address + ":" + PORT;
        if (fanOut)
        {
            askee.addPublication(asked.control(PORT) + "|ring=64k", STREAM);
            asker.addSubscription("gannet:rdma?control=" + played, STREAM);
        }
        else
        {
            askee.addSubscription(asked.channel(PORT), STREAM);
            asker.addPublication("gannet:rdma?endpoint=" + played + "|ring=64k", STREAM);
        }
    }

    private static List<String> lines(final RdmaHost host, final String words)
    {
        Await.until("a line with " + words, () -> host.log().stream().anyMatch(line -> line.contains(words)));
        return host.log().stream().filter(line -> line.contains(words)).toList();
    }

    /** {@return the refusal} */
    private DirectBuffer askOf(final String driver, final DirectBuffer request)
    {
        final CmId id = device.connectionManager().createId();
        id.resolve(new InetSocketAddress(InetAddress.ofLiteral(driver), PORT), 10_000);
        await(CmEventType.ROUTE_RESOLVED);
        id.createQueuePair(domain, new QpAttributes(queue, queue, 16, 16, 0, 1));
        id.connect(ConnectParameters.DEFAULT, request);
        final DirectBuffer answer = await(CmEventType.REJECTED).privateData();
        id.queuePair().close();
        id.close();
        return answer;
    }

    private CmEvent await(final CmEventType type)
    {
        final CmEvent[] found = new CmEvent[1];
        Await.until(type.text(), () ->
        {
            device.doWork();
            device.connectionManager().pollEvents(events::add);
            found[0] = events.stream().filter(event -> event.type() == type).findFirst().orElse(null);
            return found[0] != null;
        });
        events.remove(found[0]);
        return found[0];
    }
}

package io.gannet.monitor;

import io.gannet.Counter;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DeviceKind;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.LoopbackAddress;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two drivers with software NICs, and a stream of the first with a subscriber on each; an application's counter beside
 * it, whose label tries to break out of what it is shown in.
 */
public final class LiveHosts implements AutoCloseable
{
    /** Of the stream. */
    public static final int STREAM = 77;
    /** Of the counter: quotes, a backslash, a line end, markup, and an escape sequence. */
    public static final String LABEL = "mine \"quoted\\ \n<img src=x onerror=alert(1)> \u001b[31m";
    private static final int CAPACITY = 64 * 1024;

    private final Path directory = TestDirectory.create("monitor");
    private final Path peerDirectory = TestDirectory.create("monitor-peer");
    private final String peerAddress = LoopbackAddress.random().getHostAddress();
    private final String channel = "gannet:rdma?endpoint=" + peerAddress + ":4700";
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
    private final MediaDriver peer;
    private final Gannet publisher;
    private final Gannet subscriber;
    private final Publication publication;
    private final Subscription local;
    private final Subscription remote;
    private final Counter counter;
    private MediaDriver driver;

    /** Starts all of it and waits until the stream has both subscribers. */
    public LiveHosts()
    {
        driver = launch(directory, LoopbackAddress.random().getHostAddress());
        peer = launch(peerDirectory, peerAddress);
        publisher = connect(directory, "publisher of the test");
        subscriber = connect(peerDirectory, "subscriber of the test");
        publication = publisher.addExclusivePublication(channel + "|ring=" + CAPACITY, STREAM);
        local = publisher.addSubscription(channel, STREAM);
        remote = subscriber.addSubscription(channel, STREAM);
        counter = publisher.addCounter(1234, LABEL);
        counter.set(42);
        Await.until("both subscribers", () -> local.isConnected() && remote.isConnected());
    }

    private MediaDriver launch(final Path where, final String address)
    {
        return MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, where)
            .with(DriverOptions.DEVICE, DeviceKind.ROCE).with(DriverOptions.DEVICE_ADDRESS, address), log::add);
    }

    private static Gannet connect(final Path where, final String name)
    {
        return Gannet.connect(
            new Gannet.Context().directory(where).name(name).driverTimeout(60, TimeUnit.SECONDS));
    }

    /** Of the publisher's driver. */
    public Path directory()
    {
        return directory;
    }

    /** The publisher's driver. */
    public MediaDriver driver()
    {
        return driver;
    }

    /** Name of the other host. */
    public String peerAddress()
    {
        return peerAddress;
    }

    /** Closes the publisher's driver; its clients stay. */
    public void stopDriver()
    {
        driver.close();
    }

    /** Starts it again. */
    public void startDriver()
    {
        driver = launch(directory, LoopbackAddress.random().getHostAddress());
    }

    /** Ends the stream and its subscribers. */
    public void closeStream()
    {
        publication.close();
        local.close();
        remote.close();
    }

    /** Publishes as many messages and reads them on both sides. */
    public void pass(final int messages)
    {
        for (int i = 0; i < messages; i++)
        {
            Await.until("room for a message", () ->
            {
                drain(true);
                return publication.offer(message, 0, message.capacity()) > 0;
            });
        }
        Await.until("all to be read", () ->
        {
            drain(true);
            return local.images().getFirst().position() == publication.position() &&
                remote.images().getFirst().position() == publication.position();
        });
    }

    /** Fills the ring, while the subscriber of the other host alone reads. */
    public void fill()
    {
        Await.until("a full ring", () ->
        {
            drain(false);
            return publication.offer(message, 0, message.capacity()) == Publication.BACK_PRESSURED;
        });
    }

    private void drain(final boolean here)
    {
        remote.poll((buffer, offset, length, header) -> { }, 100);
        if (here)
        {
            local.poll((buffer, offset, length, header) -> { }, 100);
        }
    }

    @Override
    public void close()
    {
        counter.close();
        publisher.close();
        subscriber.close();
        driver.close();
        peer.close();
        TestDirectory.remove(directory);
        TestDirectory.remove(peerDirectory);
    }
}

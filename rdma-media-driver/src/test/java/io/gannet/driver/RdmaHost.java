package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.rdma.RdmaDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A driver with a NIC, see {@link TestNic}, and its directory; at an address of its own.
 */
final class RdmaHost implements AutoCloseable
{
    private final Path directory;
    private final UnaryOperator<DriverConfiguration> options;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final HostNames names;
    private final HostAnswers answers;
    private MediaDriver driver;
    private RdmaDevice device;
    private String address = TestNic.nextAddress();

    RdmaHost(final String name)
    {
        this(name, UnaryOperator.identity());
    }

    RdmaHost(final String name, final UnaryOperator<DriverConfiguration> options)
    {
        this(name, options, HostNames.SYSTEM);
    }

    RdmaHost(final String name, final UnaryOperator<DriverConfiguration> options, final HostNames names)
    {
        this(name, options, names, HostAnswers.ofThisHost());
    }

    RdmaHost(
        final String name,
        final UnaryOperator<DriverConfiguration> options,
        final HostNames names,
        final HostAnswers answers)
    {
        this.answers = answers;
        this.options = options;
        this.names = names;
        directory = TestDirectory.create(name);
        start();
    }

    /** Starts a driver; not the first one has the address of the one before. */
    void start()
    {
        driver = MediaDriver.launch(options.apply(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.DEVICE_ADDRESS, address)
            .with(DriverOptions.DEVICE, TestNic.kind())), log::add, DriverService.Factory.NONE, names, answers);
        Await.until("the device", () -> driver.engine().device() != null);
        device = driver.engine().device();
        address = device.port(1).address().getHostAddress();
    }

    /** Starts a driver at another address than the one before. */
    void startAt(final String otherAddress)
    {
        address = otherAddress;
        start();
    }

    String address()
    {
        return address;
    }

    String control(final int port)
    {
        return "gannet:rdma?control=" + address() + ":" + port;
    }

    String channel(final int port)
    {
        return "gannet:rdma?endpoint=" + address() + ":" + port;
    }

    Path directory()
    {
        return directory;
    }

    MediaDriver driver()
    {
        return driver;
    }

    /** What the driver printed. */
    List<String> log()
    {
        return log;
    }

    Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS));
    }

    void awaitNoRings()
    {
        Await.until("rings to go", () -> TestDirectory.list(directory.resolve("rings")).isEmpty());
    }

    /** All that was made of the device is given back. */
    void closeDriver()
    {
        driver.close();
        assertThat(device.resources().open()).as("open resources: %s", device.resources()).isZero();
    }

    @Override
    public void close()
    {
        closeDriver();
        TestDirectory.remove(directory);
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.os.UnixDatagram;
import io.gannet.systemd.ServiceManager;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who feeds the watchdog: the conductor's duty cycle, and neither another thread nor the process as such. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ServiceStatusTest
{
    private static final long WATCHDOG_MICROS = 100_000;
    private static final int WATCHDOGS = 10;

    private final Path directory = TestDirectory.create("service-status");
    private final String name = "@gannet-status-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    private final UnixDatagram socket = UnixDatagram.bind(name);
    private final ServiceManager manager = ServiceManager.of(
        Map.of("NOTIFY_SOCKET", name, "WATCHDOG_USEC", Long.toString(WATCHDOG_MICROS)));
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close()
    {
        manager.close();
        socket.close();
        TestDirectory.remove(directory);
    }

    /** Turns with its role's thread until it is told to hang. */
    private static final class Hanging implements Agent, DriverService
    {
        private final Role role;
        private volatile boolean hang;
        private volatile boolean hangs;
        private volatile long cycles;

        Hanging(final Role role)
        {
            this.role = role;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
        public int doWork()
        {
            cycles++;
            while (hang)
            {
                hangs = true;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            hangs = false;
            return 0;
        }

        @Override
        public Role role()
        {
            return role;
        }

        @Override
        public Agent agent()
        {
            return this;
        }

        @Override
        public String roleName()
        {
            return "hanging " + role;
        }
    }

    private MediaDriver driver(final ThreadingMode threading, final DriverService... others)
    {
        return MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, threading), line -> { }, context ->
            {
                final List<DriverService> all = new ArrayList<>(ServiceStatus.of(manager).create(context));
                all.addAll(List.of(others));
                return all;
            });
    }

    private long fed()
    {
        for (byte[] bytes = socket.receive(10_000); bytes != null; bytes = socket.receive(10_000))
        {
            told.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return told.stream().filter("WATCHDOG=1"::equals).count();
    }

    private static void pause()
    {
        final long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(WATCHDOGS * WATCHDOG_MICROS);
        Await.until("several times the watchdog's time", () -> System.nanoTime() - end > 0);
    }

    @Test
    void aConductorThatHangsFeedsNoWatchdogHoweverTheOtherThreadsTurn()
    {
        final Hanging conductor = new Hanging(DriverService.Role.CONDUCTOR);
        final Hanging sender = new Hanging(DriverService.Role.SENDER);
        final Hanging receiver = new Hanging(DriverService.Role.RECEIVER);
        try (MediaDriver driver = driver(ThreadingMode.DEDICATED, conductor, sender, receiver))
        {
            assertFollows(conductor, sender, receiver);
            assertThat(driver.failure()).isNull();
        }
    }

    private void assertFollows(final Hanging conductor, final Hanging sender, final Hanging receiver)
    {
        try
        {
            Await.until("the watchdog to be fed", () -> fed() >= 3);
            conductor.hang = true;
            Await.until("the conductor to hang", () -> conductor.hangs);
            final long fed = fed();
            final long sent = sender.cycles;
            final long received = receiver.cycles;
            pause();
            Await.until("the others to turn", () -> sender.cycles > sent + 2 && receiver.cycles > received + 2);
            assertThat(fed()).as("what the watchdog got meanwhile").isEqualTo(fed);
            conductor.hang = false;
            Await.until("the watchdog to be fed again", () -> fed() > fed);

            sender.hang = true;
            Await.until("the sender to hang", () -> sender.hangs);
            final long before = fed();
            Await.until("the watchdog to be fed by the conductor", () -> fed() > before + 2);
        }
        finally
        {
            // Or the driver could not be closed.
            conductor.hang = false;
            sender.hang = false;
        }
    }

    @Test
    void aDriverThatNobodyStepsFeedsNone()
    {
        try (MediaDriver driver = driver(ThreadingMode.INVOKER))
        {
            driver.doWork();
            assertThat(fed()).isEqualTo(1);
            pause();
            assertThat(fed()).isEqualTo(1);
            driver.doWork();
            assertThat(fed()).isEqualTo(2);
            driver.doWork();
            assertThat(fed()).as("within half of the watchdog's time").isLessThanOrEqualTo(3);
        }
    }
}

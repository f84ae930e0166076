package io.gannet.systemd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gannet.harness.Await;
import io.gannet.os.UnixDatagram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceManagerTest
{
    @TempDir
    private Path folder;

    private static String next(final UnixDatagram socket)
    {
        final byte[] bytes = socket.receive(1_000);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static void assertTold(final String name)
    {
        try (UnixDatagram socket = UnixDatagram.bind(name);
            ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", name)))
        {
            assertThat(next(socket)).isNull();
            manager.ready("on\nduty");
            manager.watchdog();
            manager.status("busy");
            manager.stopping("bye", 7_000_000_000L);
            assertThat(next(socket)).isEqualTo("READY=1\nSTATUS=on duty");
            assertThat(next(socket)).isEqualTo("WATCHDOG=1");
            assertThat(next(socket)).isEqualTo("STATUS=busy");
            assertThat(next(socket)).isEqualTo("STOPPING=1\nSTATUS=bye\nEXTEND_TIMEOUT_USEC=7000000");
            assertThat(next(socket)).isNull();
        }
    }

    @Test
    void aSocketWithAPathIsTold()
    {
        assertTold(folder.resolve("notify").toString());
    }

    @Test
    void anAbstractSocketIsTold()
    {
        assertTold("@gannet-test-" + UUID.randomUUID());
    }

    @Test
    void nobodyIsToldWhereNobodyListens()
    {
        try (ServiceManager gone = ServiceManager.of(Map.of("NOTIFY_SOCKET", folder.resolve("gone").toString()));
            ServiceManager none = ServiceManager.of(Map.of()))
        {
            gone.ready("ready");
            none.ready("ready");
            assertThat(gone.isThere()).isTrue();
            assertThat(none.isThere()).isFalse();
        }
    }

    @Test
    void aManagerThatDoesNotReadHoldsNobodyUp()
    {
        final String name = folder.resolve("full").toString();
        try (UnixDatagram socket = UnixDatagram.bind(name);
            ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", name)))
        {
            for (int i = 0; i < 10_000; i++)
            {
                manager.watchdog();
            }
            assertThat(manager.status("busy")).as("is told").isFalse();
            final Thread starting = Thread.ofPlatform().start(() -> manager.ready("at last"));
            Await.until("room for what must be told", () -> "READY=1\nSTATUS=at last".equals(next(socket)));
            Await.until("it to go on", () -> !starting.isAlive());
            assertThat(manager.status("idle")).as("is told").isTrue();
        }
    }

    @Test
    void theWatchdogIsThatOfThisProcess()
    {
        assertThat(watchdog("2000000", null)).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(watchdog("2000000", Long.toString(ProcessHandle.current().pid())))
            .isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(watchdog("2000000", "1")).isZero();
        assertThat(watchdog(null, null)).isZero();
    }

    private long watchdog(final String micros, final String pid)
    {
        final Map<String, String> environment =
            new java.util.HashMap<>(Map.of("NOTIFY_SOCKET", folder.resolve("w").toString()));
        if (micros != null)
        {
            environment.put("WATCHDOG_USEC", micros);
        }
        if (pid != null)
        {
            environment.put("WATCHDOG_PID", pid);
        }
        try (ServiceManager manager = ServiceManager.of(environment))
        {
            return manager.watchdogNanos();
        }
    }

    @Test
    void valuesThatCanNotBeAreNamed()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> watchdog("soon", null))
            .withMessageContainingAll("WATCHDOG_USEC", "'soon'", "86400000000", "WatchdogSec=");
        assertThatIllegalArgumentException().isThrownBy(() -> watchdog("0", null)).withMessageContaining("'0'");
        assertThatIllegalArgumentException().isThrownBy(() -> ServiceManager.of(Map.of("NOTIFY_SOCKET", "here")))
            .withMessageContainingAll("NOTIFY_SOCKET", "'here'", "Unset it");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> ServiceManager.of(Map.of("NOTIFY_SOCKET", "/" + "x".repeat(200))))
            .withMessageContaining("107");
    }

    @Test
    void onlyTheStreamThatTheVariableNamesIsTheJournal() throws IOException
    {
        final Path stream = Files.createFile(folder.resolve("stream"));
        final Path other = Files.createFile(folder.resolve("other"));
        final Map<String, String> environment = Map.of("JOURNAL_STREAM",
            Files.getAttribute(stream, "unix:dev") + ":" + Files.getAttribute(stream, "unix:ino"));
        assertThat(Journal.takes(environment, stream)).isTrue();
        assertThat(Journal.takes(environment, other)).isFalse();
        assertThat(Journal.takes(environment, folder.resolve("none"))).isFalse();
        assertThat(Journal.takes(Map.of(), stream)).isFalse();
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Services run on the thread of their role, an exception of one goes to the error log and nowhere else, and all are
 * closed.
 */
class DriverServiceTest
{
    private final Path directory = TestDirectory.create("service");
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** Counts its cycles, and throws in each tenth one. */
    private static final class Probe implements Agent, DriverService
    {
        private final Role role;
        private volatile int cycles;
        private volatile String thread;
        private volatile boolean started;
        private volatile boolean closed;

        Probe(final Role role)
        {
            this.role = role;
        }

        @Override
        public void onStart()
        {
            started = true;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
        public int doWork()
        {
            thread = Thread.currentThread().getName();
            cycles++;
            if (cycles % 10 == 0)
            {
                throw new IllegalStateException("planted in " + role);
            }
            return 0;
        }

        @Override
        public void onClose()
        {
            closed = true;
        }

        @Override
        public String roleName()
        {
            return "probe-" + role;
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
    }

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void servicesAreSteppedWhereTheThreadingModeSays(final ThreadingMode mode)
    {
        final List<Probe> probes = List.of(new Probe(DriverService.Role.CONDUCTOR),
            new Probe(DriverService.Role.SENDER), new Probe(DriverService.Role.RECEIVER));
        try (MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.THREADING, mode),
            log::add, context -> List.copyOf(probes)))
        {
            Await.until("thirty cycles of each", () ->
            {
                if (mode == ThreadingMode.INVOKER)
                {
                    driver.doWork();
                }
                return probes.stream().allMatch(probe -> probe.cycles >= 30);
            });
        }
        final Set<String> threads = new HashSet<>();
        probes.forEach(probe -> threads.add(probe.thread));
        assertThat(threads).hasSize(mode == ThreadingMode.DEDICATED ? 3 : 1);
        assertThat(probes).allMatch(probe -> probe.started && probe.closed);
        for (final Probe probe : probes)
        {
            assertThat(log.stream().filter(line -> line.contains("planted in " + probe.role))).hasSize(1);
        }
    }
}

package io.gannet.perf.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.perf.worker.WorkerMain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ChildProcessTest
{
    private static final long LIMIT_MS = 60_000;

    /** Answers, then waits for the end of its input. */
    static final class Patient
    {
        static void main() throws Exception
        {
            System.out.println("chatter");
            System.out.println(WorkerMain.ANSWER + "here");
            System.out.flush();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    /** Says why, then fails. */
    static final class Failing
    {
        static void main()
        {
            System.err.println("no memory for the ring");
            Runtime.getRuntime().halt(3);
        }
    }

    @Test
    void aChildEndsWithItsInputEvenIfItWasPaused() throws Exception
    {
        final ChildProcess child = new ChildProcess("patient", Patient.class, List.of());
        assertThat(child.answer(LIMIT_MS)).isEqualTo("here");
        child.pause();

        child.close();

        await(() -> !child.isAlive());
    }

    @Test
    void theFailureOfAChildIsToldInItsOwnWords() throws Exception
    {
        final ChildProcess child = new ChildProcess("failing", Failing.class, List.of());

        assertThatThrownBy(() -> child.answer(LIMIT_MS)).isInstanceOf(RigException.class)
            .hasMessageContaining("failing").hasMessageContaining("ended unexpectedly")
            .hasMessageContaining("no memory for the ring");
        child.close();
    }

    @Test
    void closingEndsEveryChildAndRemovesTheDirectory() throws Exception
    {
        final Children children = new Children();
        final ChildProcess child = children.start("patient", Patient.class, List.of());
        child.answer(LIMIT_MS);
        Files.writeString(Files.createDirectory(children.directory().resolve("a")).resolve("b"), "c");

        children.close();

        await(() -> !child.isAlive());
        assertThat(children.directory()).doesNotExist();
    }

    @Test
    void whatAKilledRigLeftIsRemoved() throws Exception
    {
        final Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        final Path parent;
        try (Children probe = new Children())
        {
            parent = probe.directory().getParent();
        }
        final Path stale = Files.createDirectory(parent.resolve("gannet-perf-" + gone.pid() + "-1"));
        Files.writeString(stale.resolve("ring"), "old");

        new Children().close();

        assertThat(stale).doesNotExist();
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException
    {
        final long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.sleep(5);
        }
    }
}

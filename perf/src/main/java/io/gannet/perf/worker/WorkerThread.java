package io.gannet.perf.worker;

import io.gannet.perf.os.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that lives as long as its worker and runs one role of each phase, between two placement probes.
 */
final class WorkerThread extends Thread
{
    /** Which part of the probe a thread takes. */
    enum Probe
    {
        PING, PONG, NONE
    }

    /**
     * One phase for one thread.
     *
     * @param cpu  processor to run on, or -n for any of the first n.
     * @param home processor to probe on.
     */
    record Job(Program program, int index, Phase phase, Probe probe, int cpu, int home,
        CompletableFuture<ThreadResult> result)
    {
    }

    /** Probes start this long before the phase and may take as long after it. */
    private static final long PROBE_LEAD_NANOS = 2_500_000;
    private static final long PROBE_LIMIT_NANOS = 2_000_000;
    private static final long PROBE_AFTER_LIMIT_NANOS = 50_000_000;
    private static final long SPIN_NANOS = 200_000;
    private static final long PROBE_IDS = 1_000;

    private final LinkedBlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final Board board;

    WorkerThread(final String name, final Board board)
    {
        super(name);
        this.board = board;
        setDaemon(true);
    }

    void submit(final Job job)
    {
        jobs.add(job);
    }

    @Override
    public void run()
    {
        Posix.preciseTimers();
        while (true)
        {
            final Job job;
            try
            {
                job = jobs.take();
            }
            catch (final InterruptedException e)
            {
                return;
            }
            try
            {
                job.result().complete(run(job));
            }
            catch (final Throwable e)
            {
                job.result().completeExceptionally(e);
            }
        }
    }

    private ThreadResult run(final Job job)
    {
        final Phase phase = job.phase();
        Posix.pin(job.home());
        if (phase.realTime())
        {
            Posix.realTime(0, 1);
        }
        try
        {
            final long id = phase.number() * PROBE_IDS;
            final long probeAt = phase.startNanos() - phase.headNanos() - PROBE_LEAD_NANOS;
            waitUntil(probeAt);
            final long before = probe(job.probe(), id, probeAt + PROBE_LIMIT_NANOS);
            if (job.cpu() != job.home())
            {
                Posix.pin(job.cpu());
            }
            final long preempted = preempted();
            final ThreadResult result = job.program().run(job.index(), phase);
            final long switches = preempted() - preempted;
            if (job.cpu() != job.home())
            {
                Posix.pin(job.home());
            }
            final long after =
                probe(job.probe(), id + PROBE_IDS / 2, System.nanoTime() + PROBE_AFTER_LIMIT_NANOS);
            return result.with(switches, before, after);
        }
        finally
        {
            if (phase.realTime())
            {
                Posix.realTime(0, 0);
            }
        }
    }

    private long probe(final Probe part, final long id, final long deadline)
    {
        if (part == Probe.PING)
        {
            return board.ping(id, deadline);
        }
        if (part == Probe.PONG)
        {
            board.pong(id, deadline);
        }
        return 0;
    }

    private static void waitUntil(final long nanos)
    {
        long left = nanos - System.nanoTime();
        while (left > SPIN_NANOS)
        {
            LockSupport.parkNanos(left - SPIN_NANOS);
            left = nanos - System.nanoTime();
        }
        while (System.nanoTime() - nanos < 0)
        {
            Thread.onSpinWait();
        }
    }

    private static long preempted()
    {
        try
        {
            for (final String line : Files.readAllLines(Path.of("/proc/thread-self/status")))
            {
                if (line.startsWith("nonvoluntary_ctxt_switches:"))
                {
                    return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
                }
            }
        }
        catch (final IOException e)
        {
            return 0;
        }
        return 0;
    }
}

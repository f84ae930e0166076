package io.gannet.perf.worker;

import io.gannet.perf.os.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that lives as long as its worker and runs one role of each phase, between two placement probes if it has a
 * part in them.
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
     * @param cpu processor to run on, or -n for any of the first n.
     */
    record Job(Program program, int index, Phase phase, Probe probe, int cpu, CompletableFuture<ThreadResult> result)
    {
    }

    /** Probes start this long before the phase and may take as long after it. */
    private static final long PROBE_LEAD_NANOS = 2_500_000;
    private static final long PROBE_LIMIT_NANOS = 2_000_000;
    private static final long PROBE_AFTER_LIMIT_NANOS = 50_000_000;
    /** A thread that does not probe is awake this long before the phase. */
    private static final long READY_NANOS = 500_000;
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
        Posix.pin(job.cpu());
        if (phase.realTime())
        {
            Posix.realTime(0, 1);
        }
        try
        {
            final long id = phase.number() * PROBE_IDS;
            final long start = phase.startNanos() - phase.headNanos();
            final long before = probeBefore(job.probe(), id, start);
            final long preempted = preempted();
            final ThreadResult result = job.program().run(job.index(), phase);
            final long switches = preempted() - preempted;
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

    private long probeBefore(final Probe part, final long id, final long start)
    {
        if (part == Probe.NONE)
        {
            parkUntil(start - READY_NANOS);
            return 0;
        }
        final long probeAt = start - PROBE_LEAD_NANOS;
        parkUntil(probeAt - SPIN_NANOS);
        while (System.nanoTime() - probeAt < 0)
        {
            Thread.onSpinWait();
        }
        return probe(part, id, probeAt + PROBE_LIMIT_NANOS);
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

    private static void parkUntil(final long nanos)
    {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime())
        {
            LockSupport.parkNanos(left);
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

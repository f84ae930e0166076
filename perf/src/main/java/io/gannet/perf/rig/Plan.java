package io.gannet.perf.rig;

import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.Scenario.Layout;
import io.gannet.perf.worker.Scenario.LoadKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The groups of a run. The scenarios of a group share a pair of worker processes and take turns, phase by phase.
 */
final class Plan
{
    private static final int WARM_UP_STREAM_LIMIT = 1 << 20;

    private final IpcOptions options;
    private final List<Group> groups = new ArrayList<>();

    /**
     * @param title     for the progress line.
     * @param layout    processes.
     * @param scenarios what takes turns.
     * @param bothStarts whether throughput runs from a backlog too.
     */
    record Group(String title, Layout layout, List<Scenario> scenarios, boolean bothStarts)
    {
    }

    private Plan(final IpcOptions options)
    {
        this.options = options;
    }

    static List<Group> of(final IpcOptions options)
    {
        final Plan plan = new Plan(options);
        if (options.quick())
        {
            plan.quick();
        }
        else
        {
            plan.matrix();
        }
        return plan.groups;
    }

    private void quick()
    {
        final Draft draft = new Draft(Layout.TWO_PROCESSES);
        for (final int size : options.sizes())
        {
            draft.add(LoadKind.THROUGHPUT, size, true, 1, 1, "gannet", "ring", "aeron");
            draft.add(LoadKind.PING_PONG, size, true, 1, 1, "gannet", "ring", "aeron");
            draft.add(LoadKind.PACED, size, true, 1, 1, "gannet", "ring", "aeron");
        }
        draft.close("two processes", false);
    }

    private void matrix()
    {
        for (final int size : options.sizes())
        {
            final Draft draft = new Draft(Layout.TWO_PROCESSES);
            draft.add(LoadKind.THROUGHPUT, size, true, 1, 1, "gannet", "ring", "aeron", "agrona");
            draft.add(LoadKind.THROUGHPUT, size, false, 1, 1, "gannet", "ring", "aeron", "agrona");
            draft.add(LoadKind.THROUGHPUT, size, true, 1, 2, "gannet", "ring", "aeron");
            draft.add(LoadKind.THROUGHPUT, size, true, 1, 4, "gannet", "ring", "aeron");
            draft.add(LoadKind.THROUGHPUT, size, false, 2, 1, "gannet", "ring", "aeron", "agrona");
            draft.add(LoadKind.THROUGHPUT, size, false, 4, 1, "gannet", "ring", "aeron", "agrona");
            draft.add(LoadKind.PING_PONG, size, true, 1, 1, "gannet", "ring", "aeron", "agrona");
            draft.add(LoadKind.PACED, size, true, 1, 1, "gannet", "ring", "aeron");
            shapes(draft, size);
            draft.close("two processes, " + size + " B", true);
        }
        for (final int size : options.sizes())
        {
            final Draft draft = new Draft(Layout.ONE_PROCESS);
            draft.add(LoadKind.THROUGHPUT, size, true, 1, 1, "gannet", "ring", "aeron", "disruptor", "agrona");
            draft.add(LoadKind.THROUGHPUT, size, false, 2, 1, "gannet", "ring", "aeron", "disruptor", "agrona");
            draft.add(LoadKind.PING_PONG, size, true, 1, 1, "gannet", "ring", "aeron", "disruptor", "agrona");
            shapes(draft, size);
            draft.close("one process, " + size + " B", true);
        }
        for (final int size : options.sweep())
        {
            final Draft draft = new Draft(Layout.TWO_PROCESSES);
            draft.add(LoadKind.THROUGHPUT, size, true, 1, 1, "gannet", "ring", "aeron");
            draft.close("two processes, " + size + " B", true);
        }
    }

    private void shapes(final Draft draft, final int size)
    {
        for (final IpcOptions.Shape shape : options.shapes())
        {
            draft.add(LoadKind.THROUGHPUT, size, shape.producers() == 1, shape.producers(), shape.subscribers(),
                "gannet", "ring", "aeron");
        }
    }

    private final class Draft
    {
        private final Layout layout;
        private final List<Scenario> scenarios = new ArrayList<>();

        Draft(final Layout layout)
        {
            this.layout = layout;
        }

        void add(
            final LoadKind load,
            final int size,
            final boolean exclusive,
            final int producers,
            final int subscribers,
            final String... peers)
        {
            for (final String peer : peers)
            {
                final Scenario scenario = new Scenario(scenarios.size(), peer, load, size, exclusive, producers,
                    subscribers, layout, Math.max(options.ringBytes(), WARM_UP_STREAM_LIMIT),
                    load == LoadKind.PACED ? Math.round(1e9 / options.rate()) : 0);
                if (options.has(peer) && options.wants(scenario.bench()))
                {
                    scenarios.add(scenario);
                }
            }
        }

        void close(final String title, final boolean bothStarts)
        {
            if (!scenarios.isEmpty())
            {
                groups.add(new Group(title, layout, List.copyOf(scenarios), bothStarts));
            }
        }
    }
}

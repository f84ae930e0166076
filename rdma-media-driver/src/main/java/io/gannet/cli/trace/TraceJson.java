package io.gannet.cli.trace;

import io.gannet.text.Json;
import java.util.List;

/** What a trace found, for programs. */
final class TraceJson
{
    private TraceJson()
    {
    }

    static CharSequence of(final int stream, final String first, final Tracer tracer, final List<Stage> stages)
    {
        final Json text = new Json().object()
            .name("stream").value(stream)
            .name("samples").value(tracer.samples())
            .name("heldUp").value(tracer.disturbed())
            .name("late").value(tracer.unfinished())
            .name("exactP50Nanos").value(tracer.looks().percentile(50))
            .name("exactP99Nanos").value(tracer.looks().percentile(99))
            .name("hops").array();
        for (final Stage stage : stages)
        {
            if (stage.fromStart().count() == 0)
            {
                continue;
            }
            final boolean left = tracer.gone().contains(stage);
            hop(text, stage.after() == null ? first : stage.after().name(), stage.name(), left, stage.fromBefore());
            if (stage.after() != null)
            {
                hop(text, first, stage.name(), left, stage.fromStart());
            }
        }
        return text.end().end().text();
    }

    private static void hop(
        final Json text, final String from, final String to, final boolean left, final Durations durations)
    {
        text.object()
            .name("from").value(from)
            .name("to").value(to)
            .name("left").value(left)
            .name("samples").value(durations.count())
            .name("p50Nanos").value(durations.percentile(50))
            .name("p90Nanos").value(durations.percentile(90))
            .name("p99Nanos").value(durations.percentile(99))
            .name("p999Nanos").value(durations.percentile(99.9))
            .name("maxNanos").value(durations.percentile(100))
            .end();
    }
}

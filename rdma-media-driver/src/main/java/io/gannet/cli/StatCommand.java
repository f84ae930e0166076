package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import io.gannet.control.PrintableText;
import io.gannet.counters.CounterTypes;
import io.gannet.monitor.CounterScan;
import io.gannet.monitor.CounterValue;
import io.gannet.text.Json;
import picocli.CommandLine.Command;

/**
 * {@code gannet stat}: all counters.
 */
@Command(name = "stat", description = "Prints the counters of a driver, dead or alive.")
public final class StatCommand extends InspectCommand
{
    private static final int MAX_LABEL = 400;

    @Override
    String text(final GannetDirectory where, final DirectoryView view)
    {
        final StringBuilder text = new StringBuilder(heading(where, view));
        for (final CounterValue counter : CounterScan.of(view.control().countersReader()))
        {
            // Most lengths that a duty cycle can have it never has.
            if (counter.typeId() != CounterTypes.CYCLE_BUCKET || counter.value() != 0)
            {
                text.append(String.format(
                    "%6d  %,24d  %s%n", counter.id(), counter.value(), PrintableText.of(counter.label(), MAX_LABEL)));
            }
        }
        return text.toString();
    }

    @Override
    StringBuilder json(final GannetDirectory where, final DirectoryView view)
    {
        final Json json = header(where, view).name("counters").array();
        CounterScan.of(view.control().countersReader()).forEach(counter -> json.object()
            .name("id").value(counter.id())
            .name("type").value(counter.typeId())
            .name("label").value(counter.label())
            .name("value").value(counter.value())
            .end());
        return json.end().end().text();
    }
}

package io.gannet.cli;

import io.gannet.control.GannetDirectory;
import io.gannet.control.PrintableText;
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
        view.control().countersReader().forEach((value, id, label) ->
            text.append(String.format("%6d  %,24d  %s%n", id, value, PrintableText.of(label, MAX_LABEL))));
        return text.toString();
    }

    @Override
    StringBuilder json(final GannetDirectory where, final DirectoryView view)
    {
        final Json json = header(where, view).name("counters").array();
        final org.agrona.concurrent.status.CountersReader counters = view.control().countersReader();
        counters.forEach((id, typeId, key, label) -> json.object()
            .name("id").value(id)
            .name("type").value(typeId)
            .name("label").value(label)
            .name("value").value(counters.getCounterValue(id))
            .end());
        return json.end().end().text();
    }
}

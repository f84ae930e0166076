package io.gannet.doctor;

import io.gannet.control.ControlException;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.counters.RemoteStatistic;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.status.CountersReader;

/** What a driver of the directory says: streams that wait for the device's queue or for the peer's receives. */
final class QueueDepthCheck extends Check
{
    private static final long CREDITS = 2;
    private static final long DEVICE = 3;

    QueueDepthCheck()
    {
        super("queue-depth", false, "no stream held back by the send queue or by the peer's receives",
            "a full send queue is a NIC that completes too slowly; no credits are a receiver's driver that does");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final List<String> held = new ArrayList<>();
        int streams = 0;
        try (ControlFile control =
            ControlFile.open(new GannetDirectory(host.tree().path(host.directory())), false))
        {
            final CountersReader counters = control.countersReader();
            final int[] seen = {0};
            counters.forEach((id, typeId, key, label) ->
            {
                final long value = counters.getCounterValue(id);
                final RemoteStatistic statistic = RemoteStatistic.of(typeId);
                if (statistic == RemoteStatistic.HOLD)
                {
                    seen[0]++;
                }
                if ((statistic == RemoteStatistic.HOLD && (value == CREDITS || value == DEVICE)) ||
                    (statistic == RemoteStatistic.RNR && value > 0))
                {
                    held.add(label + " = " + value);
                }
            });
            streams = seen[0];
        }
        catch (final ControlException none)
        {
            notes.skip("no driver in " + host.directory());
            return;
        }
        if (held.isEmpty())
        {
            notes.ok(streams + " streams to other hosts");
        }
        else
        {
            notes.warning(String.join("; ", held), "gannet streams --watch: one that stays held by the device needs " +
                "the NIC's node (numa) or a faster link; one held by credits a receiving driver on processors " +
                "of its own");
        }
    }
}

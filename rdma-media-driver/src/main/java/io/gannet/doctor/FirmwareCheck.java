package io.gannet.doctor;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Firmware of the NICs: what it is, and whether boards of one kind differ. */
final class FirmwareCheck extends Check
{
    FirmwareCheck()
    {
        super("firmware", true, "one firmware for all boards of a kind",
            "defaults and faults of firmware differ, so that hosts behave differently for no visible reason");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final Map<String, TreeSet<String>> versions = new TreeMap<>();
        for (final String device : host.devices())
        {
            final String directory = RdmaPort.DEVICES + "/" + device;
            final String version = host.tree().text(directory + "/fw_ver");
            if (!version.isEmpty())
            {
                final String board = host.tree().text(directory + "/board_id");
                versions.computeIfAbsent(board.isEmpty() ? device : board, key -> new TreeSet<>()).add(version);
            }
        }
        if (versions.isEmpty())
        {
            notes.skip("no device says which firmware it has");
        }
        versions.forEach((board, of) ->
        {
            if (of.size() > 1)
            {
                notes.warning(board + ": " + String.join(", ", of),
                    "update the older ones with the vendor's tool (mlxfwmanager, bnxtnvm, nvmupdate)");
            }
            else
            {
                notes.ok(board + ": " + of.getFirst());
            }
        });
    }
}

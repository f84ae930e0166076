package io.gannet.doctor;

import java.util.OptionalLong;

/** Whether the NIC's PCIe link runs as wide and as fast as it can. */
final class PcieCheck extends Check
{
    PcieCheck()
    {
        super("pcie", true, "width and speed of the PCIe link at their maximum",
            "each WRITE crosses it: a link of half the width or speed halves the rate and adds to each message");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final String device : host.devices())
        {
            final String directory = RdmaPort.DEVICES + "/" + device + "/device/";
            final OptionalLong width = host.tree().number(directory + "current_link_width");
            final OptionalLong widest = host.tree().number(directory + "max_link_width");
            final String speed = host.tree().text(directory + "current_link_speed");
            final String fastest = host.tree().text(directory + "max_link_speed");
            if (width.isEmpty() || widest.isEmpty() || width.getAsLong() == 0)
            {
                notes.skip(device + ": no PCIe link known, as for a virtual or software device");
                continue;
            }
            final String found = device + ": x" + width.getAsLong() + " of x" + widest.getAsLong() + ", " + speed +
                " of " + fastest;
            if (width.getAsLong() < widest.getAsLong() || gigaTransfers(speed) < gigaTransfers(fastest))
            {
                notes.warning(found, "another slot (lspci -vv: LnkCap and LnkSta of the NIC and of the bridge above " +
                    "it), reseat the card, or the BIOS setting of the slot");
            }
            else
            {
                notes.ok(found);
            }
        }
    }

    /** Of "16.0 GT/s PCIe"; 0 if unknown. */
    private static double gigaTransfers(final String speed)
    {
        try
        {
            return Double.parseDouble(speed.split("\\s", 2)[0]);
        }
        catch (final NumberFormatException unknown)
        {
            return 0;
        }
    }
}

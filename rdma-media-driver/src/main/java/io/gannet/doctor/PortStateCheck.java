package io.gannet.doctor;

/** Whether ports can carry data. Files read like {@code 4: ACTIVE} and {@code 5: LinkUp}. */
final class PortStateCheck extends Check
{
    PortStateCheck()
    {
        super("port-state", true, "state ACTIVE, physical state LinkUp",
            "only an active port carries data; a port that is down breaks every connection on it");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        for (final RdmaPort port : host.ports())
        {
            final String state = port.text("state");
            final String physical = port.text("phys_state");
            if (state.endsWith("ACTIVE") && physical.endsWith("LinkUp"))
            {
                notes.ok(port + ": ACTIVE, LinkUp");
            }
            else
            {
                notes.error(port + ": state " + state + ", physical state " + physical, mend(port, state, physical));
            }
        }
    }

    private static String mend(final RdmaPort port, final String state, final String physical)
    {
        if (physical.endsWith("LinkUp") && !port.isEthernet())
        {
            return "start a subnet manager (systemctl start opensm on one host, or the switch's own): " +
                "the cable is in order, nobody has configured the port (" + state + ")";
        }
        return port.isEthernet() ? "ip link set dev " + port.netdevOrPlaceholder() + " up; if it stays down: cable, " +
            "optics, the switch port's state and speed (ethtool " + port.netdevOrPlaceholder() + ")" :
            "cable, optics and the switch port: ibstat " + port.device() + ", iblinkinfo";
    }
}

package io.gannet.doctor;

/** Whether the kernel knows an RDMA device. */
final class DeviceCheck extends Check
{
    DeviceCheck()
    {
        super("device", true, "at least one RDMA device",
            "device=verbs needs one; device=roce works without, at the speed of the kernel's UDP");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        if (!host.devices().isEmpty())
        {
            notes.ok(String.join(", ", host.devices()));
            return;
        }
        notes.error(host.tree().exists(RdmaPort.DEVICES) ? RdmaPort.DEVICES + " is empty" :
            "no RDMA in this kernel: there is no " + RdmaPort.DEVICES,
            "modprobe -a ib_uverbs rdma_ucm, and the NIC's driver (modprobe mlx5_ib); without such a NIC: " +
            "gannet doctor --local");
    }
}

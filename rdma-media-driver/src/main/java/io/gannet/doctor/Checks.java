package io.gannet.doctor;

import java.util.List;

/**
 * All checks, in the order in which one looks for why RDMA is slow: is there a device, what its counters say, the link
 * and its MTU, what switches show, queue depth and placement; then memory, processors and Java.
 */
final class Checks
{
    private static final List<Check> ALL = List.of(
        new DeviceCheck(),
        new ModulesCheck(),
        new DeviceNodesCheck(),
        new RdmaCoreCheck(),
        new DropsCheck(),
        new RetriesCheck(),
        new PortStateCheck(),
        new LinkCheck(),
        new MtuCheck(),
        new GidCheck(),
        new FirmwareCheck(),
        new PcieCheck(),
        new PauseCheck(),
        new FlowControlCheck(),
        new EcnCheck(),
        new CongestionCheck(),
        new QueueDepthCheck(),
        new NumaCheck(),
        new LockedMemoryCheck(),
        new HugePagesCheck(),
        new SharedMemoryCheck(),
        new TransparentHugePagesCheck(),
        new GovernorCheck(),
        new IsolatedCpusCheck(),
        new IdleStatesCheck(),
        new ClockSourceCheck(),
        new KernelCheck(),
        new JavaCheck(),
        new DirectoryCheck());

    private Checks()
    {
    }

    static List<Check> all()
    {
        return ALL;
    }
}

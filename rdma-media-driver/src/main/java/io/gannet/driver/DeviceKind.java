package io.gannet.driver;

/**
 * What carries {@code gannet:rdma} channels.
 */
public enum DeviceKind
{
    /** The best that is usable, opened when the first such channel needs it. */
    AUTO,
    /** Nothing: such channels are refused. */
    NONE,
    /** The software NIC of this driver, RoCE v2 over UDP. */
    ROCE
}

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
    /** A NIC through libibverbs and librdmacm: InfiniBand, RoCE or iWARP. */
    VERBS,
    /** The software NIC of this driver, RoCE v2 over UDP. */
    ROCE
}

package io.gannet.rdma;

import java.util.function.LongSupplier;

/**
 * A number that a NIC keeps about itself.
 *
 * @param label for people, such as {@code packets dropped: ICRC}.
 * @param value asks for it; any thread, the answer may be a little old.
 */
public record DeviceStatistic(String label, LongSupplier value)
{
}

package io.gannet.rdma.sim;

/**
 * A receive work request.
 */
record SimReceive(long wrId, long address, int length, int lkey)
{
}

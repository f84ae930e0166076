package io.gannet.rdma;

/**
 * Takes the connection manager's events.
 */
@FunctionalInterface
public interface CmEventHandler
{
    void onCmEvent(CmEvent event);
}

package io.gannet.driver.stream;

import io.gannet.rdma.CmEvent;

/**
 * The context of an identifier or listener: takes its events, any of them in any state.
 */
interface CmEventOwner
{
    void onCmEvent(CmEvent event);
}

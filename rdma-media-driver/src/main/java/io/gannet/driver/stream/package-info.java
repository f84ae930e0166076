/**
 * Replication of one ring to other hosts: a publication ring's frames are written by RDMA into image rings at the same
 * offsets, and consumed positions come back by RDMA into the publication ring's gating list.
 * <pre>
 *   data plane, hot     Sender   - OutboundReplica, RunScanner, FeedbackCell, ImmPosition, WorkId
 *                       Receiver - InboundImage, ReceiveQueue, FeedbackWriter
 *   control plane       OutboundStream - OutboundConnection        (the publication's side)
 *                       ImageListener  - InboundConnection         (the subscriber's side)
 *                       SetupRequest, SetupReply, SetupRefusal, ControlMessage: what goes over the wire
 * </pre>
 * The planes talk through queues and share no mutable state: control makes queue pairs and hands them over, an agent
 * hands them back when they have failed or were cut off. Clock, NIC and ring memory are injected, so that the simulator
 * runs these very classes.
 */
package io.gannet.driver.stream;

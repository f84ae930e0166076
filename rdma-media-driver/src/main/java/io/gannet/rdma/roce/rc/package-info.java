/**
 * The reliable connected protocol without sockets: a requester and a responder per queue pair, fed with packets and a
 * clock.
 *
 * <p><b>Threads.</b> Everything here belongs to the thread that works the NIC, under the device's lock, except for the
 * producing side of {@link io.gannet.rdma.roce.rc.SendQueue} and {@link io.gannet.rdma.roce.rc.ReceiveQueue} (the
 * posting thread) and the consuming side of {@link io.gannet.rdma.roce.rc.CompletionRing} (the polling thread).
 */
package io.gannet.rdma.roce.rc;

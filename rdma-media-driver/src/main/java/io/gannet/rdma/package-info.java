/**
 * The NIC as the driver sees it, in the verbs' terms: a device with its limits, protection domains, memory regions,
 * completion queues, queue pairs and a connection manager.
 *
 * <p>The types that a data path touches are abstract classes with one loaded implementation per process, so that class
 * hierarchy analysis binds their calls statically. On that path nothing is allocated, nothing locks and nothing throws:
 * {@linkplain io.gannet.rdma.QueuePair#addWrite add to the queue pair's batch},
 * {@linkplain io.gannet.rdma.QueuePair#ringDoorbell ring the doorbell},
 * {@linkplain io.gannet.rdma.QueuePair#postReceives post receives},
 * {@linkplain io.gannet.rdma.CompletionQueue#poll poll completions}; a failure is an errno value. Everything else is
 * control path, may allocate and throws {@link io.gannet.rdma.RdmaException}.
 *
 * <p><b>Threads.</b> A queue pair has one thread that posts sends and one that posts receives, a completion queue one
 * that polls it, the connection manager one that calls it and reads its events, and a device that needs help one that
 * calls {@link io.gannet.rdma.RdmaDevice#doWork}. These may be the same thread or different ones. Resources may be
 * created on any thread; a resource is closed when no other thread uses it any more.
 */
package io.gannet.rdma;

/**
 * The connection manager's protocol without sockets, as rdma_cm peers speak it: REQ, REP, RTU, REJ, MRA, DREQ, DREP
 * with their repeats, losses and duplicates.
 * <pre>
 * connector: REQ_SENT --REP--&gt; queue pair ready, RTU sent --&gt; ESTABLISHED
 *            REQ_SENT --REJ--&gt; CLOSED
 * acceptor:  REQ_RECEIVED --accept--&gt; REP_SENT --RTU or data--&gt; ESTABLISHED
 *            REQ_RECEIVED --reject--&gt; CLOSED
 * both:      ESTABLISHED --disconnect--&gt; DREQ_SENT --DREP--&gt; CLOSED
 *            ESTABLISHED --DREQ--&gt; DREP sent --&gt; CLOSED
 * </pre>
 * All calls are made under the device's lock. Control path: allocates.
 */
package io.gannet.rdma.roce.cm;

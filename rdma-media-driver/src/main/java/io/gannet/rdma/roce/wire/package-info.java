/**
 * The formats of RoCE v2 packets, one descriptor class per header: pictures, offsets, accessors and nothing else.
 * All numbers on the wire are big-endian. Accessors check nothing beyond the buffer's own bounds: whoever reads a
 * received packet calls {@link io.gannet.rdma.roce.wire.Packets#wellFormed} first.
 */
package io.gannet.rdma.roce.wire;

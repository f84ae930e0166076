/**
 * The log ring: layout, producers, reader and gating. Nothing outside this package knows an offset of a ring, and
 * nothing inside it touches shared memory other than through {@link io.gannet.ring.RingMemory}.
 */
package io.gannet.ring;

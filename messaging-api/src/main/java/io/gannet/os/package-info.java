/**
 * The few system calls that shared-memory messaging needs, made through one call shape of the foreign linker: each
 * shape costs milliseconds at start, and the first one more than everything else in this package together.
 */
package io.gannet.os;

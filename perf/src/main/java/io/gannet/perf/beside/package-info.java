/**
 * Gannet's binding of libibverbs beside C programs that do the same, and beside perftest, in pairs of short runs that
 * alternate. The C programs are compiled when they are needed.
 */
package io.gannet.perf.beside;

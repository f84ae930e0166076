/**
 * Measures a device below everything else of Gannet, as perftest does.
 */
package io.gannet.perf.verbs;

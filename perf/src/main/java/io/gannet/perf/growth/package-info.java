/**
 * How costs grow with the number of streams and subscribers and the size of rings and messages.
 */
package io.gannet.perf.growth;

/**
 * Links between network namespaces that lose, repeat, reorder, mark and delay packets, and captures of them.
 */
package io.gannet.perf.link;

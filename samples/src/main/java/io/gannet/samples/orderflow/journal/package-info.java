/**
 * The engine's commands on disk, and snapshots of what they led to.
 */
package io.gannet.samples.orderflow.journal;

/**
 * {@code gannet doctor}: looks at a host for what RDMA and low latency need. One class for each check; {@link
 * io.gannet.doctor.Checks} has them in the order that finds most. Everything is read below a root directory, so that a
 * copy of another host's /sys and /proc can be looked at as well.
 */
package io.gannet.doctor;

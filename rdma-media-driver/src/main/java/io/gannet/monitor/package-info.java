/**
 * Looks at a driver from another process: reads the files of its directory, without a command, a client or a store, so
 * that it costs the driver nothing. {@link io.gannet.monitor.DriverWatch} looks again and again, over restarts of the
 * driver; {@code metrics}, {@code web} and {@code top} show what it finds.
 */
package io.gannet.monitor;

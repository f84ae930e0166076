/**
 * What Gannet tells Java Flight Recorder: of connections, back pressure, connections that fail, stalls and gaps, never
 * of single messages. Emitted by control threads and where a thread waits anyway; costs nothing unless it is recorded.
 */
package io.gannet.jfr;

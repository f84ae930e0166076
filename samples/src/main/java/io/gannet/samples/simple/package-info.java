/**
 * The smallest programs that do something: ping and pong, and a stream at full speed. Each fits on one screen.
 */
package io.gannet.samples.simple;

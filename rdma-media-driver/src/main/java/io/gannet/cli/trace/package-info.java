/**
 * The command that times messages from hop to hop.
 */
package io.gannet.cli.trace;

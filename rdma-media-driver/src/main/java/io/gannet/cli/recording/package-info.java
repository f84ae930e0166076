/**
 * Commands that record streams into files, check recordings and replay them.
 */
package io.gannet.cli.recording;

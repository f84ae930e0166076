/**
 * Shows the frames of rings and recordings. Reads files and never maps them, so that nothing in them can harm it.
 */
package io.gannet.cli.dump;

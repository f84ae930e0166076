/**
 * Times the way of single messages by looking at the positions that everybody on it stores anyway.
 */
package io.gannet.cli.trace;

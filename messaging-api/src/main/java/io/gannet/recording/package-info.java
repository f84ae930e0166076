/**
 * A stream on disk: recorder, reader, and a subscription that goes from the recording over to the live stream. Needs
 * nothing of a driver but a client's connection.
 */
package io.gannet.recording;

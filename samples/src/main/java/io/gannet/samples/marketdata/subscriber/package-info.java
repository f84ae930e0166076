/**
 * The feed's subscriber: checks every message before it decodes it, builds the books, notices gaps and recovers by
 * snapshot.
 */
package io.gannet.samples.marketdata.subscriber;

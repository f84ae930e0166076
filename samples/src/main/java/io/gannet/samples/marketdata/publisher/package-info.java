/**
 * The feed's publisher: replays a source at a pace, keeps its own books, encodes SBE straight into the ring, and serves
 * snapshots on a second stream while somebody listens there.
 */
package io.gannet.samples.marketdata.publisher;

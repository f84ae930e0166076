/**
 * What a WRITE costs on hardware: a model, not a measurement. {@link io.gannet.perf.model.Parameter} names every
 * figure it rests on with its source; {@link io.gannet.perf.model.ClosedForm} adds them up for one request alone;
 * {@link io.gannet.perf.model.WriteSimulation} queues many of them, with the engine's own policies deciding.
 */
package io.gannet.perf.model;

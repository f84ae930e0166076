/**
 * Publications, subscribers and drivers on a simulated fabric, with faults, all from one seed. Engine, ring and policy
 * classes are the shipped ones; clock, NIC and memory are the simulator's.
 */
package io.gannet.driver.stream.simulation;

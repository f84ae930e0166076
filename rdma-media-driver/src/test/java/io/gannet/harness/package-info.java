/**
 * Tests with real processes: starting, stopping and killing them, waiting for conditions with a deadline that tells
 * what everybody was doing, and the check that a driver logged no error that the test did not expect.
 */
package io.gannet.harness;

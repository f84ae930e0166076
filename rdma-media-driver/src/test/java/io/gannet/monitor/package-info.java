/** Tests of what looks at a driver from outside. */
package io.gannet.monitor;

/**
 * What the counters in a driver's control file are: types, keys and labels. The driver writes them; whoever looks on
 * reads them by these names, and needs nothing else of the driver.
 */
package io.gannet.counters;

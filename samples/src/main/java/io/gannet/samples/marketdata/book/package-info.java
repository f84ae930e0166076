/**
 * Books: order by order and by price level. Nothing here allocates once the books have grown to their working size.
 */
package io.gannet.samples.marketdata.book;

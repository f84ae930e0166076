/**
 * The client's view of Gannet: connect, publish, subscribe.
 */
package io.gannet;

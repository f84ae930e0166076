/**
 * Programs that show how the library is used; each package is one of them.
 */
package io.gannet.samples;

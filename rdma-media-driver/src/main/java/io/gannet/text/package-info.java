/** Text in formats that programs read. */
package io.gannet.text;

package io.gannet.driver.stream;

/**
 * Where an image's data is on the other host.
 *
 * @param address of the first of its two mappings.
 * @param rkey    that allows to write it.
 */
record ImageTarget(long address, int rkey)
{
}

package io.gannet.perf.beside;

/**
 * Something that is measured again and again in a process of its own.
 */
interface Loop extends AutoCloseable
{
    /** {@return what one run came to, in one line} */
    String run() throws Exception;

    @Override
    void close();
}

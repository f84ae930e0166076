package io.gannet.perf.beside;

import java.util.List;

/**
 * Something that is measured again and again in a process of its own.
 */
interface Loop extends AutoCloseable
{
    /**
     * {@return what one run came to, in one line}
     *
     * @param arguments of this run; most have none.
     */
    String run(List<String> arguments) throws Exception;

    @Override
    void close();
}

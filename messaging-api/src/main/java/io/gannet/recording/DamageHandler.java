package io.gannet.recording;

import java.nio.file.Path;

/**
 * Told of bytes of a recording that are not what was written. Reading goes on behind them.
 */
@FunctionalInterface
interface DamageHandler
{
    /**
     * Bytes [offset, offset + length) of a file can't be used.
     *
     * @param tail whether nothing intact is behind them in the file: as a recorder leaves it that is killed.
     */
    void onDamage(Path file, long offset, long length, boolean tail);
}

package io.gannet.recording;

import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Tells streams up to where they are recorded: when their blocks are written, or later when they are forced to the
 * disk. For the writing thread.
 */
final class RecordingAcknowledger
{
    private final Map<Integer, RecordedStream> byNumber;
    private final Map<Integer, Long> pending = new HashMap<>();

    RecordingAcknowledger(final Map<Integer, RecordedStream> byNumber)
    {
        this.byNumber = byNumber;
    }

    void written(final Chunk chunk)
    {
        final DirectBuffer buffer = chunk.buffer();
        for (int at = 0; at < chunk.length(); at += Block.HEADER_LENGTH + Block.length(buffer, at))
        {
            pending.put(Block.stream(buffer, at), Block.end(buffer, at));
        }
    }

    boolean isPending()
    {
        return !pending.isEmpty();
    }

    void acknowledge()
    {
        pending.forEach((number, position) ->
        {
            final RecordedStream stream = byNumber.get(number);
            if (stream != null)
            {
                stream.recorded(position);
            }
        });
        pending.clear();
    }
}

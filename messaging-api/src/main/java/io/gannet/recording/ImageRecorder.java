package io.gannet.recording;

import io.gannet.BlockHandler;
import io.gannet.Image;
import org.agrona.DirectBuffer;

/**
 * Copies what one image has into chunks. For the polling thread.
 */
final class ImageRecorder implements BlockHandler
{
    /** Longest block that is put together of several polls. */
    static final int MAX_BLOCK = 256 << 10;

    private final Image image;
    private final RecordedStream stream;
    private final ChunkSource chunks;

    ImageRecorder(final Image image, final RecordedStream stream, final ChunkSource chunks)
    {
        this.image = image;
        this.stream = stream;
        this.chunks = chunks;
    }

    Image image()
    {
        return image;
    }

    RecordedStream stream()
    {
        return stream;
    }

    /** Takes what is there, a block at most. */
    int poll()
    {
        final int bytes = image.blockPoll(this, Math.min(MAX_BLOCK, chunks.current().room()));
        if (bytes == 0 && image.position() > stream.end())
        {
            // Padding alone, which readers must know not to be missing.
            chunks.block(Block.FRAMES, 0, stream, stream.end(), image.position());
            stream.end(image.position());
        }
        return bytes;
    }

    @Override
    public void onBlock(
        final DirectBuffer buffer, final int offset, final int length, final int sessionId, final long position)
    {
        final long now = chunks.time();
        if (!chunks.current().isOpenFor(stream.number(), position, length, MAX_BLOCK, now))
        {
            chunks.ensure(length);
            chunks.current().begin(
                Block.FRAMES, 0, sessionId, stream.number(), stream.end(), position, now);
        }
        chunks.current().add(buffer, offset, length);
        stream.end(position + length);
    }

    @Override
    public String toString()
    {
        return image.toString();
    }
}

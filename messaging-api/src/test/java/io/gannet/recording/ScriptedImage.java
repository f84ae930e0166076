package io.gannet.recording;

import io.gannet.BlockHandler;
import io.gannet.ControlledFragmentHandler;
import io.gannet.FragmentHandler;
import io.gannet.Header;
import io.gannet.Image;
import io.gannet.Subscription;
import io.gannet.ring.FrameHeader;

/**
 * An image of which a test says what it has, by numbers of messages.
 */
final class ScriptedImage implements Image
{
    private final int session;
    private final int publisher;
    private final long join;
    private long position;
    private long published;
    private boolean brokenOff;

    ScriptedImage(final int session, final int publisher, final long join)
    {
        this.session = session;
        this.publisher = publisher;
        this.join = join * ScriptedRecording.STEP;
        position = this.join;
        published = this.join;
    }

    /** All messages below are there. */
    ScriptedImage publish(final long number)
    {
        published = number * ScriptedRecording.STEP;
        return this;
    }

    ScriptedImage breakOff()
    {
        brokenOff = true;
        return this;
    }

    /** Number of the next message. */
    long next()
    {
        return position / ScriptedRecording.STEP;
    }

    @Override
    public Subscription subscription()
    {
        return null;
    }

    @Override
    public int sessionId()
    {
        return session;
    }

    @Override
    public int streamId()
    {
        return 9;
    }

    @Override
    public String sourceIdentity()
    {
        return "a test";
    }

    @Override
    public boolean isRemote()
    {
        return false;
    }

    @Override
    public long joinPosition()
    {
        return join;
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public boolean isEndOfStream()
    {
        return !brokenOff && position == published;
    }

    @Override
    public long endOfStreamPosition()
    {
        return published;
    }

    @Override
    public boolean isClosed()
    {
        return false;
    }

    @Override
    public int poll(final FragmentHandler handler, final int limit)
    {
        return boundedPoll(handler, Long.MAX_VALUE, limit);
    }

    @Override
    public int boundedPoll(final FragmentHandler handler, final long limitPosition, final int limit)
    {
        int messages = 0;
        while (messages < limit && position < Math.min(published, limitPosition))
        {
            final long number = next();
            position += ScriptedRecording.STEP;
            messages++;
            handler.onFragment(ScriptedRecording.frame(publisher, number), FrameHeader.HEADER_LENGTH, Long.BYTES,
                new At(position));
        }
        return messages;
    }

    @Override
    public int controlledPoll(final ControlledFragmentHandler handler, final int limit)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int boundedControlledPoll(
        final ControlledFragmentHandler handler, final long limitPosition, final int limit)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int blockPoll(final BlockHandler handler, final int limitBytes)
    {
        throw new UnsupportedOperationException();
    }

    /** Header of a message of the image, by the position behind it. */
    private final class At implements Header
    {
        private final long behind;

        At(final long behind)
        {
            this.behind = behind;
        }

        @Override
        public long position()
        {
            return behind;
        }

        @Override
        public int sessionId()
        {
            return session;
        }

        @Override
        public int streamId()
        {
            return 9;
        }

        @Override
        public long reservedValue()
        {
            return 0;
        }

        @Override
        public int flags()
        {
            return 0;
        }

        @Override
        public Image image()
        {
            return ScriptedImage.this;
        }
    }
}

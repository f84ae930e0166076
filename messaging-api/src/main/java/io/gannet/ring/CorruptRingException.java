package io.gannet.ring;

/** A ring has bytes where a frame should be that can't be one. The reader that met them is of no more use. */
public final class CorruptRingException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    private final long position;

    CorruptRingException(final long position, final String problem)
    {
        super(problem);
        this.position = position;
    }

    /** Where the stream can't be read any further. */
    public long position()
    {
        return position;
    }
}

package io.gannet;

/**
 * What is known about a message besides its payload. Valid only inside the handler that got it, on that thread.
 */
public interface Header
{
    /** Position of the stream after the message, in bytes, a multiple of 32. */
    long position();

    /** The publication's session. */
    int sessionId();

    /** The stream. */
    int streamId();

    /** The 64 bits that the publisher may set, see {@link ReservedValueSupplier}; 0 if it didn't. */
    long reservedValue();

    /** Flags of the frame, 0 to 255; 0xC0 (first and last fragment) unless the publisher set others in a claim. */
    int flags();

    /** The image that the message was read from. */
    Image image();
}

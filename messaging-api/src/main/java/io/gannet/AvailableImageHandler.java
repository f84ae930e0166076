package io.gannet;

/**
 * Told that a publication can be read by a subscription.
 */
@FunctionalInterface
public interface AvailableImageHandler
{
    /**
     * A new image, before its first message is polled. Called by the client's conductor, which must not be held up;
     * the client may be used from here, but an add that waits for the driver is refused with an exception.
     */
    void onAvailableImage(Image image);
}

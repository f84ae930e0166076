package io.gannet;

/**
 * Told that a subscription lost an image.
 */
@FunctionalInterface
public interface UnavailableImageHandler
{
    /**
     * The image ended, see {@link Image#endOfStreamPosition()}, or its subscription was closed. Called by the client's
     * conductor, once per image that was available; the same rules as for {@link AvailableImageHandler} hold.
     */
    void onUnavailableImage(Image image);
}

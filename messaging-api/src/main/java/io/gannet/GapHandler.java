package io.gannet;

/**
 * Told that a subscription will not see a part of a stream: it was too slow for a publication with {@code slow=drop},
 * or its host was away for longer than the image time-out.
 */
@FunctionalInterface
public interface GapHandler
{
    /**
     * The bytes [from, to) are lost for this subscription. Called by the client's conductor, so perhaps before the
     * messages ahead of the gap or after the first behind it are polled: positions tell. The same rules as for
     * {@link AvailableImageHandler} hold.
     *
     * @param sessionId of the publication.
     * @param from      first lost position.
     * @param to        where the subscription goes on, or the publication's position if it was cut off.
     */
    void onGap(Subscription subscription, int sessionId, long from, long to);
}

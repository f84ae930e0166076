package io.gannet;

import io.gannet.control.CommandWriter;
import io.gannet.jfr.GapEvent;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.ring.GatingList;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * A subscription at the driver, from the add command on: adds and removes its images.
 */
final class SubscriptionRegistration extends Registration
{
    private final String channel;
    private final Integer sessionFilter;
    private final int streamId;
    private final AvailableImageHandler availableHandler;
    private final UnavailableImageHandler unavailableHandler;
    private final GapHandler gapHandler;
    private final RingSubscription subscription = new RingSubscription(this);
    /** Ended by the driver, to be removed when consumed; and removed, to be released when no poll is in them. */
    private final List<EndingImage> ending = new ArrayList<>();
    private final List<LeavingImage> leaving = new ArrayList<>();
    private final List<RingImage> left = new ArrayList<>();
    /** Not shown before what their session sent earlier is consumed, so that a session's messages stay in order. */
    private final List<RingImage> waiting = new ArrayList<>();
    /** Positions that the streams of images had reached whose rings can't be read to their end. */
    private final Map<RingImage, Long> lostUpTo = new HashMap<>();
    /** How far their sessions were read in them. */
    private final Map<Integer, Long> lastRead = new HashMap<>();
    /** Where images of their sessions can't be read any further that may come anew. */
    private final Map<Integer, Long> missedFrom = new HashMap<>();
    private final Long2ObjectHashMap<Path> files = new Long2ObjectHashMap<>();

    private record EndingImage(RingImage image, long position)
    {
    }

    /** An image that was taken out, and the poll that may still be in it. */
    private record LeavingImage(RingImage image, PollGuard.Stay poll)
    {
    }

    SubscriptionRegistration(
        final ClientConductor conductor,
        final Channel channel,
        final int streamId,
        final AvailableImageHandler availableHandler,
        final UnavailableImageHandler unavailableHandler,
        final GapHandler gapHandler)
    {
        super(conductor);
        this.channel = channel.toString();
        sessionFilter = channel.sessionId();
        this.streamId = streamId;
        this.availableHandler = availableHandler;
        this.unavailableHandler = unavailableHandler;
        this.gapHandler = gapHandler;
    }

    String channel()
    {
        return channel;
    }

    int streamId()
    {
        return streamId;
    }

    RingSubscription subscription()
    {
        return subscription;
    }

    /**
     * Maps the ring of an image. What can't be mapped is given back to the driver and reported.
     */
    void onImageAvailable(
        final ImageKind kind,
        final int sessionId,
        final long ringId,
        final int gate,
        final String ringFile,
        final String source)
    {
        if (subscription.isClosed() || find(ringId) != null)
        {
            return;
        }
        final RingImage image;
        try
        {
            if (sessionFilter != null && sessionFilter != sessionId)
            {
                throw new GannetException(this + " got an image of session " + sessionId);
            }
            image = map(kind, sessionId, ringId, gate, ringFile, source);
        }
        catch (final RuntimeException ex)
        {
            conductor().send(out -> out.releaseImage(id(), ringId));
            conductor().report(new GannetException(this + " can't read the stream of " + source + ": " +
                ex.getMessage(), ex));
            return;
        }
        final Long missed = missedFrom.get(sessionId);
        if (missed != null)
        {
            onGap(sessionId, missed, image.joinPosition());
        }
        waiting.add(image);
        showWaiting();
    }

    private void showWaiting()
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            final RingImage image = waiting.get(i);
            if (!isBehindAnother(image, i))
            {
                waiting.remove(i--);
                show(image);
            }
        }
    }

    /** Whether the session's image before it ended, behind a gap or a new start, and is still to be consumed. */
    private boolean isBehindAnother(final RingImage image, final int index)
    {
        for (final RingImage shown : subscription.current())
        {
            if (shown.sessionId() == image.sessionId() &&
                (shown.endOfStreamPosition() != Long.MAX_VALUE || isEnding(shown)))
            {
                return true;
            }
        }
        return waiting.subList(0, index).stream().anyMatch(earlier -> earlier.sessionId() == image.sessionId());
    }

    private boolean isEnding(final RingImage image)
    {
        return ending.stream().anyMatch(end -> end.image == image);
    }

    private void show(final RingImage image)
    {
        conductor().call(() -> availableHandler.onAvailableImage(image));
        final RingImage[] old = subscription.current();
        final RingImage[] images = java.util.Arrays.copyOf(old, old.length + 1);
        images[old.length] = image;
        subscription.replaceImages(images);
    }

    private RingImage map(
        final ImageKind kind,
        final int sessionId,
        final long ringId,
        final int gate,
        final String ringFile,
        final String source)
    {
        final Path file = conductor().directory().ringFile(ringFile);
        files.put(ringId, file);
        final Ring ring = RingFile.attach(file, RingFile.Access.READ);
        FaultedRings.add(ring);
        try
        {
            final GatingList list = new GatingList(ring);
            if (ring.description().streamId() != streamId || ring.description().sessionId() != sessionId ||
                (ring.kind() == RingKind.IMAGE) != (kind == ImageKind.REMOTE))
            {
                throw new GannetException("the driver named another ring: " + ring);
            }
            if (gate < 0 || gate >= RingLayout.MAX_ENTRIES || list.clientId(gate) != conductor().clientId() ||
                list.registrationId(gate) != id())
            {
                throw new GannetException("gate " + gate + " of " + ring + " is not this subscription's");
            }
            return new RingImage(this.subscription, ring, new RingReader(ring, gate, true), ringId, gate,
                kind == ImageKind.REMOTE, source);
        }
        catch (final RuntimeException ex)
        {
            FaultedRings.free(ring);
            throw ex;
        }
    }

    /** The stream ends at {@code position}; what is there can still be polled. */
    void onImageUnavailable(final long ringId, final long position, final ImageEnd reason)
    {
        final RingImage image = find(ringId);
        if (image != null)
        {
            if (reason == ImageEnd.NOT_ADOPTED)
            {
                lostUpTo.put(image, Math.max(position, image.committedPosition()));
                image.breakOff();
            }
            ending.add(new EndingImage(
                image, reason == ImageEnd.CUT_OFF || reason == ImageEnd.NOT_ADOPTED ? 0 : position));
            removeConsumed();
            conductor().registrations().watch(this);
        }
    }

    /** What is behind the image's position can't be read. It may come anew, and then it is known what was lost. */
    void onDamaged(final RingImage image, final String problem)
    {
        if (find(image.ringId()) != image)
        {
            return;
        }
        final long position = image.position();
        conductor().report(new GannetException(
            this + " can't read the stream of " + image.sourceIdentity() + " behind position " + position + ": " +
            problem));
        missedFrom.put(image.sessionId(), position);
        final long end = endOf(image);
        if (end != Long.MAX_VALUE)
        {
            onGap(image.sessionId(), position, end);
        }
        image.breakOff();
        ending.removeIf(ended -> ended.image == image);
        remove(image);
        showWaiting();
    }

    /** Where an image ends that is not read to its end, as far as that is known. */
    private long endOf(final RingImage image)
    {
        return Math.max(lostUpTo.getOrDefault(image, 0L), ending.stream().filter(ended -> ended.image == image)
            .mapToLong(EndingImage::position).filter(end -> end > 0).findFirst()
            .orElseGet(image::endOfStreamPosition));
    }

    void onGap(final int sessionId, final long from, final long to)
    {
        final Long missed = missedFrom.remove(sessionId);
        // The driver does not know exactly how far an image was read whose ring it could not read any more.
        final long start = missed != null ? missed : Math.max(from, lastRead.getOrDefault(sessionId, 0L));
        if (start < to)
        {
            GapEvent.emit(subscription.channel(), subscription.streamId(), sessionId, start, to);
            conductor().call(() -> gapHandler.onGap(subscription, sessionId, start, to));
        }
    }

    /** Duty cycle: returns whether there is still something to wait for. */
    boolean doWork()
    {
        if (!ending.isEmpty())
        {
            removeConsumed();
        }
        if (!leaving.isEmpty())
        {
            releaseLeaving();
        }
        return !ending.isEmpty() || !leaving.isEmpty();
    }

    private void removeConsumed()
    {
        for (int i = ending.size() - 1; i >= 0; i--)
        {
            final EndingImage end = ending.get(i);
            if (end.image.position() >= end.position)
            {
                ending.remove(i);
                remove(end.image);
            }
        }
        showWaiting();
    }

    private void remove(final RingImage image)
    {
        final List<RingImage> rest = new ArrayList<>(List.of(subscription.current()));
        if (rest.remove(image))
        {
            image.markClosed();
            subscription.replaceImages(rest.toArray(RingImage[]::new));
            leave(image);
            conductor().call(() -> unavailableHandler.onUnavailableImage(image));
        }
        else if (waiting.remove(image))
        {
            image.markClosed();
            leave(image);
        }
    }

    private void leave(final RingImage image)
    {
        // Behind the stores that took the image out: a poll that begins after this does not find it.
        HotFence.rare();
        leaving.add(new LeavingImage(image, subscription.guard().stay()));
        // A thread that waits for messages renews its stay when it is woken, which must be behind the look at it.
        subscription.messageWait().wake();
        releaseLeaving();
        if (!leaving.isEmpty())
        {
            conductor().registrations().watch(this);
        }
    }

    private void releaseLeaving()
    {
        final List<RingImage> released = new ArrayList<>();
        for (final LeavingImage leaver : leaving)
        {
            if (subscription.guard().isOver(leaver.poll))
            {
                released.add(leaver.image);
            }
        }
        leaving.removeIf(leaver -> released.contains(leaver.image));
        for (final RingImage image : released)
        {
            image.release();
            conductor().send(out -> out.releaseImage(id(), image.ringId()));
            files.remove(image.ringId());
            tellLost(image);
        }
    }

    /** Nobody polls the image any more, so that it is known what was read of it. */
    private void tellLost(final RingImage image)
    {
        final Long reached = lostUpTo.remove(image);
        if (reached != null)
        {
            lastRead.put(image.sessionId(), image.position());
            onGap(image.sessionId(), image.position(), reached);
        }
    }

    private RingImage find(final long ringId)
    {
        return Stream.concat(Stream.of(subscription.current()), waiting.stream())
            .filter(image -> image.ringId() == ringId).findFirst().orElse(null);
    }

    @Override
    boolean sendAdd(final CommandWriter out)
    {
        return out.addSubscription(id(), id(), streamId, channel);
    }

    @Override
    boolean sendRemove(final CommandWriter out, final long correlationId)
    {
        return out.removeSubscription(correlationId, id());
    }

    @Override
    void resume(final Outbox outbox)
    {
        Stream.concat(Stream.of(subscription.current()), waiting.stream()).forEach(image ->
            outbox.add(out -> out.resumeImage(id(), image.ringId(), image.gate())));
    }

    @Override
    void markClosed()
    {
        subscription.markClosed();
        for (final RingImage image : subscription.current())
        {
            image.markClosed();
        }
        waiting.forEach(RingImage::markClosed);
    }

    @Override
    boolean tryRelease()
    {
        markClosed();
        HotFence.rare();
        if (!subscription.guard().isIdle())
        {
            return false;
        }
        final RingImage[] images = subscription.current();
        subscription.replaceImages(new RingImage[0]);
        left.addAll(List.of(images));
        leaving.forEach(leaver -> left.add(leaver.image));
        left.addAll(waiting);
        for (final RingImage image : images)
        {
            image.release();
            conductor().call(() -> unavailableHandler.onUnavailableImage(image));
        }
        leaving.forEach(leaver -> leaver.image.release());
        leaving.clear();
        waiting.forEach(RingImage::release);
        waiting.clear();
        ending.clear();
        return true;
    }

    @Override
    void forceRelease()
    {
        if (!tryRelease())
        {
            final RingImage[] images = subscription.current();
            subscription.replaceImages(new RingImage[0]);
            left.addAll(List.of(images));
            leaving.forEach(leaver -> left.add(leaver.image));
            left.addAll(waiting);
            for (final RingImage image : images)
            {
                image.detachForGood();
                conductor().call(() -> unavailableHandler.onUnavailableImage(image));
            }
            leaving.forEach(leaver -> leaver.image.detachForGood());
            waiting.forEach(RingImage::detachForGood);
        }
    }

    @Override
    void leave(final LeftGates gates, final long removal)
    {
        for (final RingImage image : left)
        {
            gates.add(new LeftGates.Gate(
                files.get(image.ringId()), image.ringId(), image.gate(), conductor().clientId(), id(), removal));
        }
        left.clear();
    }

    @Override
    public String toString()
    {
        return "subscription to " + channel + " stream " + streamId;
    }
}

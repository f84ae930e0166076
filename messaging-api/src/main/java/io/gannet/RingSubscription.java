package io.gannet;

import io.gannet.os.LateFault;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A subscription as the application polls it. Its images stand in an array that the conductor replaces as a whole.
 */
final class RingSubscription implements Subscription
{
    private static final RingImage[] NO_IMAGES = {};
    private static final VarHandle IMAGES;

    static
    {
        try
        {
            IMAGES = MethodHandles.lookup().findVarHandle(RingSubscription.class, "images", RingImage[].class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final SubscriptionRegistration registration;
    private final PollGuard guard = new PollGuard();
    private final MessageWait messageWait = new MessageWait();
    private final MessageWaiter waiter = new MessageWaiter(new RingSubscription[]{this});

    private RingImage[] images = NO_IMAGES;
    private int nextImage;
    private volatile boolean closed;

    RingSubscription(final SubscriptionRegistration registration)
    {
        this.registration = registration;
    }

    PollGuard guard()
    {
        return guard;
    }

    MessageWait messageWait()
    {
        return messageWait;
    }

    /** The images now; not to be changed. */
    RingImage[] current()
    {
        return (RingImage[]) IMAGES.getAcquire(this);      // pairs with replaceImages()
    }

    /** By the conductor. */
    void replaceImages(final RingImage[] newImages)
    {
        IMAGES.setRelease(this, newImages);     // pairs with current(): an image in the array is complete
        messageWait.wake();
    }

    /** Any thread. */
    void markClosed()
    {
        closed = true;
        messageWait.wake();
    }

    @Override
    public int poll(final FragmentHandler handler, final int limit)
    {
        final PollGuard.Owner inside = guard.enter();
        try
        {
            final RingImage[] array = current();
            final int count = array.length;
            int taken = 0;
            for (int i = 0, index = startOf(count); i < count && taken < limit; i++)
            {
                taken += array[index].doPoll(handler, limit - taken);
                index = index + 1 == count ? 0 : index + 1;
            }
            if (taken == 0)
            {
                LateFault.meet();
            }
            return taken;
        }
        catch (final InternalError fault)
        {
            FaultedRings.check(fault);
            return 0;
        }
        finally
        {
            guard.exit(inside);
        }
    }

    @Override
    public int controlledPoll(final ControlledFragmentHandler handler, final int limit)
    {
        final PollGuard.Owner inside = guard.enter();
        try
        {
            final RingImage[] array = current();
            final int count = array.length;
            int taken = 0;
            for (int i = 0, index = startOf(count); i < count && taken < limit; i++)
            {
                taken += array[index].doControlledPoll(handler, Long.MAX_VALUE, limit - taken);
                index = index + 1 == count ? 0 : index + 1;
            }
            if (taken == 0)
            {
                LateFault.meet();
            }
            return taken;
        }
        catch (final InternalError fault)
        {
            FaultedRings.check(fault);
            return 0;
        }
        finally
        {
            guard.exit(inside);
        }
    }

    @Override
    public int blockPoll(final BlockHandler handler, final int limitBytes)
    {
        final PollGuard.Owner inside = guard.enter();
        try
        {
            final RingImage[] array = current();
            int bytes = 0;
            for (final RingImage image : array)
            {
                bytes += image.doBlockPoll(handler, limitBytes);
            }
            if (bytes == 0)
            {
                LateFault.meet();
            }
            return bytes;
        }
        catch (final InternalError fault)
        {
            FaultedRings.check(fault);
            return 0;
        }
        finally
        {
            guard.exit(inside);
        }
    }

    /** Another image is first each time, so that a busy one doesn't starve the others. */
    private int startOf(final int count)
    {
        if (count == 1)
        {
            return 0;
        }
        final int start = nextImage >= count ? 0 : nextImage;
        nextImage = start + 1;
        return start;
    }

    /** A poll met what is no frame. */
    void damaged(final RingImage image, final String problem)
    {
        registration.conductor().submit(() -> registration.onDamaged(image, problem));
    }

    @Override
    public boolean awaitMessage(final long timeout, final TimeUnit unit)
    {
        return waiter.await(timeout, unit);
    }

    static boolean isReady(final RingImage[] images)
    {
        for (final RingImage image : images)
        {
            if (image.isReady())
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public String channel()
    {
        return registration.channel();
    }

    @Override
    public int streamId()
    {
        return registration.streamId();
    }

    @Override
    public long registrationId()
    {
        return registration.id();
    }

    @Override
    public boolean isConnected()
    {
        return current().length > 0;
    }

    @Override
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public int imageCount()
    {
        return current().length;
    }

    @Override
    public List<Image> images()
    {
        return List.of(current());
    }

    @Override
    public Image imageBySessionId(final int sessionId)
    {
        for (final RingImage image : current())
        {
            if (image.sessionId() == sessionId)
            {
                return image;
            }
        }
        return null;
    }

    @Override
    public void forEachImage(final Consumer<Image> consumer)
    {
        for (final RingImage image : current())
        {
            consumer.accept(image);
        }
    }

    @Override
    public void close()
    {
        registration.close();
    }

    @Override
    public String toString()
    {
        return registration + (closed ? ", closed" : "");
    }
}

package io.gannet;

import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** Images of a subscription, as a thread that waits looks at them: a change is seen with its image, and that whole. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 64", "1, 64"}, expect = Expect.ACCEPTABLE, desc = "seen whole, or not yet")
@Outcome(expect = Expect.FORBIDDEN, desc = "a change without its image, or an image that isn't complete")
@State
public class WaitStress
{
    private static final long POSITION = 64;
    private static final Ring RING = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, RingLayout.MIN_CAPACITY, 0, 0, 0, POSITION, false));
    private static final int ENTRY = new Membership(RING).join(GatingList.Kind.LOCAL, 1, 1);

    private final RingSubscription subscription = new RingSubscription(null);
    private final int before = subscription.messageWait().ticket();

    /** Adds an image. */
    @Actor
    public void add()
    {
        subscription.replaceImages(new RingImage[]{new RingImage(
            subscription, RING, new RingReader(RING, ENTRY, false), 1, ENTRY, false, "test")});
    }

    /** Looks whether something changed, then at the images. */
    @Actor
    public void look(final IJ_Result result)
    {
        result.r1 = subscription.messageWait().ticket() - before;
        final RingImage[] images = subscription.current();
        result.r2 = images.length == 0 ? 0 : images[0].position();
    }
}

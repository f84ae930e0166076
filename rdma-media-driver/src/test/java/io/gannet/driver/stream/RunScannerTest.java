package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;

class RunScannerTest
{
    private static final int CAP = 4096;

    private final Ring ring =
        RingFile.createAnonymous(new RingDescription(RingKind.EXCLUSIVE, 64 * 1024, 1, 2, 3, 0, true));
    private final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
    private final RunScanner scanner = new RunScanner(ring);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[8192]);

    private final Membership membership = new Membership(ring);
    private final int entry = membership.join(GatingList.Kind.LOCAL, 1, 1);

    @AfterEach
    void unmap()
    {
        ring.close();
        ring.free();
    }

    private void offer(final int length)
    {
        assertThat(producer.offer(payload, 0, length)).isPositive();
    }

    @Test
    void nothingCommittedIsNoRun()
    {
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, CAP)).isZero();
    }

    @Test
    void allWholeFramesUpToTheCapAreOneRun()
    {
        for (int i = 0; i < 50; i++)
        {
            offer(112);
        }
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, CAP)).isEqualTo(CAP);
        assertThat(scanner.endOfRun(CAP, Long.MAX_VALUE, CAP)).isEqualTo(50 * 128);
    }

    @Test
    void frameAboveTheCapIsARunOfItsOwn()
    {
        offer(16);
        offer(8000);
        offer(16);
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, CAP)).isEqualTo(32);
        assertThat(scanner.endOfRun(32, Long.MAX_VALUE, CAP)).isEqualTo(32 + 8032);
        assertThat(scanner.endOfRun(8064, Long.MAX_VALUE, CAP)).isEqualTo(8096);
    }

    @Test
    void noFrameReachesBeyondTheLimit()
    {
        offer(112);
        offer(112);
        assertThat(scanner.endOfRun(0, 255, CAP)).isEqualTo(128);
        assertThat(scanner.endOfRun(0, 127, CAP)).isZero();
        assertThat(scanner.endOfRun(0, 256, CAP)).isEqualTo(256);
    }

    @Test
    void whatCannotBeAFrameIsReported()
    {
        offer(112);
        ring.memory().putInt(ring.addressOf(128), 3);
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, CAP)).isEqualTo(RunScanner.CORRUPT);
        ring.memory().putInt(ring.addressOf(128), -5);
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, CAP)).isEqualTo(RunScanner.CORRUPT);
        ring.memory().putInt(ring.addressOf(128), 1 << 20);
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, CAP)).isEqualTo(RunScanner.CORRUPT);
    }

    /** Frames of one length, then of others, at all distances: the run is that of a walk from frame to frame. */
    @Test
    void groupsOfFramesOfOneLengthEndWhereAWalkEnds()
    {
        final Random random = new Random(11);
        for (int round = 0; round < 400; round++)
        {
            final long from = producer.position();
            final int frames = offerRun(random);
            final long end = producer.position();
            final long limit = random.nextBoolean() ? Long.MAX_VALUE : from + random.nextInt((int) (end - from) + 64);
            final int cap = 32 * (1 + random.nextInt(1_500));
            long expected = from;
            int expectedFrames = 0;
            while (expected < end)
            {
                final int length = ring.memory().getInt(ring.addressOf(expected));
                final long next = expected + FrameHeader.align(length);
                if (next > limit || (next - from > cap && expected != from))
                {
                    break;
                }
                expected = next;
                expectedFrames++;
            }
            assertThat(scanner.endOfRun(from, limit, cap)).describedAs("round %d", round).isEqualTo(expected);
            assertThat(scanner.frames()).describedAs("round %d, %d frames", round, frames).isEqualTo(expectedFrames);
            // all is consumed
            ring.memory().putLongRelease(membership.list().positionAddress(entry), end);
        }
    }

    /** Something that is no frame, in the middle of others that are alike and settled. */
    @Test
    void whatCannotBeAFrameIsReportedAmongFramesThatAreAlike()
    {
        for (int i = 0; i < 400; i++)
        {
            offer(32);
        }
        ring.memory().putInt(ring.addressOf(64 * 37), -5);
        assertThat(scanner.endOfRun(0, Long.MAX_VALUE, 16 * CAP)).isEqualTo(RunScanner.CORRUPT);
    }

    private int offerRun(final Random random)
    {
        int frames = 0;
        for (int i = 0; i < 4; i++)
        {
            final int length = random.nextInt(4) == 0 ? random.nextInt(3_000) : 16 + random.nextInt(4);
            int more = 1 + random.nextInt(200);
            while (more > 0 && producer.offer(payload, 0, length) > 0)
            {
                more--;
                frames++;
            }
        }
        return frames;
    }
}

package io.gannet.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class RingAllocationTest
{
    private static final int WARM_UP = 100_000;
    private static final int MESSAGES = 1_000_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** One way to move a message. */
    private interface Path
    {
        void move(int count);
    }

    private static void allocatesNothing(final Path path)
    {
        path.move(WARM_UP);
        THREADS.getCurrentThreadAllocatedBytes();
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        path.move(MESSAGES);
        final long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).isLessThan(1024);
    }

    @Test
    void offersClaimsAndPollsAnExclusiveRingWithoutAllocation()
    {
        try (TestRing test = new TestRing(RingKind.EXCLUSIVE, 1 << 20))
        {
            final ExclusiveProducer producer = test.exclusiveProducer();
            final RingReader reader = new RingReader(test.ring, test.join(), true);
            final FrameClaim claim = new FrameClaim();
            final FrameHandler handler = (buffer, offset, length, position) -> buffer.getLong(offset);
            final ControlledFrameHandler controlled =
                (buffer, offset, length, position) -> ControlledFrameHandler.Action.CONTINUE;
            allocatesNothing(count ->
            {
                for (int i = 0; i < count; i++)
                {
                    if (producer.offer(test.source, 0, 96) < 0)
                    {
                        reader.poll(handler, 10);
                    }
                    if (producer.tryClaim(300, claim) > 0)
                    {
                        claim.commit();
                    }
                    reader.poll(handler, 10);
                    reader.controlledPoll(controlled, 10);
                }
            });
        }
    }

    @Test
    void offersClaimsAndPollsAConcurrentRingWithoutAllocation()
    {
        try (TestRing test = new TestRing(RingKind.CONCURRENT, 1 << 20))
        {
            final ConcurrentProducer producer = test.concurrentProducer(TestRing.CLIENT);
            final RingReader reader = new RingReader(test.ring, test.join(), true);
            final FrameClaim claim = new FrameClaim();
            final FrameHandler handler = (buffer, offset, length, position) -> buffer.getLong(offset);
            allocatesNothing(count ->
            {
                for (int i = 0; i < count; i++)
                {
                    if (producer.offer(test.source, 0, 96) < 0)
                    {
                        reader.poll(handler, 10);
                    }
                    if (producer.tryClaim(300, claim) > 0)
                    {
                        claim.commit();
                    }
                    reader.poll(handler, 10);
                }
            });
        }
    }
}

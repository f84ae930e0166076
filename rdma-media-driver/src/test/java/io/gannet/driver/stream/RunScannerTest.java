package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.gannet.ring.ExclusiveProducer;
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

    RunScannerTest()
    {
        new Membership(ring).join(GatingList.Kind.LOCAL, 1, 1);
    }

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
}

package io.gannet.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Threads that can be started, and one that can't be. */
class ThreadsTest
{
    /** No address space has room for such a stack. */
    private static final long GREEDY = 1L << 50;

    @Test
    void aThreadThatTheKernelDoesNotMakeIsToldAsAShortage()
    {
        assertThatThrownBy(() -> Threads.start(new Thread(null, () -> { }, "greedy", GREEDY)))
            .isInstanceOfSatisfying(OsException.class, told -> assertThat(told.errno()).isEqualTo(Errno.EAGAIN))
            .hasMessageStartingWith("cannot start the thread greedy").hasMessageContaining("ulimit -u");
    }

    @Test
    void anyOtherThreadIsStarted() throws InterruptedException
    {
        final CountDownLatch ran = new CountDownLatch(1);
        Threads.start(new Thread(ran::countDown));
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }
}

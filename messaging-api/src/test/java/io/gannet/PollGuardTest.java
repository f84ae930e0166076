package io.gannet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

@SuppressWarnings("ThreadPriorityCheck")
class PollGuardTest
{
    private final PollGuard guard = new PollGuard();

    private static void onAnotherThread(final Runnable body) throws InterruptedException
    {
        final Throwable[] problem = new Throwable[1];
        final Thread thread = new Thread(body, "second");
        thread.setUncaughtExceptionHandler((t, ex) -> problem[0] = ex);
        thread.start();
        thread.join();
        if (problem[0] != null)
        {
            throw new AssertionError(problem[0]);
        }
    }

    @Test
    void aSecondThreadIsRefusedWhileTheFirstIsInsideAndNamed() throws InterruptedException
    {
        final PollGuard.Owner inside = guard.enter();
        onAnotherThread(() -> assertThatExceptionOfType(ConcurrentPollException.class).isThrownBy(guard::enter)
            .withMessageContaining("second").withMessageContaining("is polling"));
        assertThat(guard.isInside()).isTrue();
        assertThat(guard.isIdle()).isFalse();
        guard.exit(inside);
        assertThat(guard.isIdle()).isTrue();
        onAnotherThread(() -> guard.exit(guard.enter()));
        guard.exit(guard.enter());
    }

    @Test
    void aPollWithinAPollIsRefused()
    {
        final PollGuard.Owner inside = guard.enter();
        assertThatIllegalStateException().isThrownBy(guard::enter);
        guard.exit(inside);
        guard.exit(guard.enter());
    }

    @Test
    void aStayIsOverOnceThePollHasEndedWhateverFollows()
    {
        assertThat(guard.isOver(guard.stay())).isTrue();
        final PollGuard.Owner inside = guard.enter();
        final PollGuard.Stay stay = guard.stay();
        assertThat(guard.isOver(stay)).isFalse();
        guard.exit(inside);
        assertThat(guard.isOver(stay)).isTrue();
        guard.enter();
        assertThat(guard.isIdle()).isFalse();
        assertThat(guard.isOver(stay)).isTrue();
        guard.exit(inside);
    }

    @Test
    void aRenewedStayIsOverAndNobodyElseHasGotIn() throws InterruptedException
    {
        final PollGuard.Owner inside = guard.enter();
        final PollGuard.Stay stay = guard.stay();
        guard.renew(inside);
        assertThat(guard.isOver(stay)).isTrue();
        assertThat(guard.isOver(guard.stay())).isFalse();
        onAnotherThread(() -> assertThatExceptionOfType(ConcurrentPollException.class).isThrownBy(guard::enter));
        guard.exit(inside);
    }

    @Test
    void anotherThreadsStayIsNotThatOfTheOneBefore() throws InterruptedException
    {
        final PollGuard.Owner inside = guard.enter();
        final PollGuard.Stay stay = guard.stay();
        guard.exit(inside);
        onAnotherThread(guard::enter);
        assertThat(guard.isOver(stay)).isTrue();
        assertThat(guard.isOver(guard.stay())).isFalse();
    }

    @Test
    void neverAreTwoInsideAndIdleMeansNobody() throws InterruptedException
    {
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger worst = new AtomicInteger();
        final AtomicLong entered = new AtomicLong();
        final CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++)
        {
            new Thread(() ->
            {
                for (int round = 0; round < 20_000; round++)
                {
                    try
                    {
                        final PollGuard.Owner owner = guard.enter();
                        worst.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        guard.exit(owner);
                        entered.incrementAndGet();
                    }
                    catch (final ConcurrentPollException ex)
                    {
                        Thread.yield();
                    }
                }
                done.countDown();
            }).start();
        }
        done.await();
        assertThat(worst).hasValue(1);
        assertThat(entered.get()).isPositive();
        assertThat(guard.isIdle()).isTrue();
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gannet.Counter;
import io.gannet.DriverState;
import io.gannet.DriverTimeoutException;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each call of a client whose driver is stopped by SIGSTOP, or whose conductor a handler of the application holds up:
 * what needs the driver ends within the client's time-out, with what it waited for; all else goes on.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class StoppedDriverIT
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int TIMEOUT_MILLIS = 1_000;
    /** For a call that gives up after a second, on a machine that does other things too. */
    private static final long LONGEST_SECONDS = 20;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    private Gannet.Context context(final boolean invoker, final long timeoutMillis)
    {
        return new Gannet.Context().directory(harness.directory()).errorHandler(errors::add)
            .useConductorInvoker(invoker).driverTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /** Starts a driver that has done once what it is asked for with less patience later. */
    private TestProcess startDriver(final boolean invoker)
    {
        final TestProcess driver = harness.startDriver();
        try (Gannet client = Gannet.connect(context(invoker, TimeUnit.SECONDS.toMillis(Await.DEADLINE_SECONDS)));
            Publication publication = client.addPublication(CHANNEL, 1);
            Publication exclusive = client.addExclusivePublication(CHANNEL, 1);
            Subscription subscription = client.addSubscription(CHANNEL, 1);
            Counter counter = client.addCounter(1000, "first"))
        {
            Await.until("the first connections", () ->
            {
                invoke(client);
                return publication.isConnected() && exclusive.isConnected() && subscription.imageCount() == 2;
            });
            assertThat(counter.isClosed()).isFalse();
        }
        return driver;
    }

    private static void invoke(final Gannet client)
    {
        if (client.conductorInvoker() != null)
        {
            client.conductorInvoker().invoke();
        }
    }

    private static void assertQuick(final String name, final ThrowingCallable call) throws Throwable
    {
        final long start = System.nanoTime();
        call.call();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).as("seconds of: " + name)
            .isLessThan(LONGEST_SECONDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatNeedsADriverThatIsStoppedEndsAndSaysWhatItWaitedForAndAllElseGoesOn(final boolean invoker)
        throws Throwable
    {
        final TestProcess driver = startDriver(invoker);
        final Gannet client = Gannet.connect(context(invoker, TIMEOUT_MILLIS));
        final Publication publication = client.addPublication(CHANNEL, 1);
        final Publication exclusive = client.addExclusivePublication(CHANNEL, 1);
        final Subscription subscription = client.addSubscription(CHANNEL, 1);
        final Counter counter = client.addCounter(1000, "kept");
        Await.until("connections", () ->
        {
            invoke(client);
            return publication.isConnected() && exclusive.isConnected() && subscription.imageCount() == 2;
        });
        driver.pause();
        Await.until("the state to say so", () ->
        {
            invoke(client);
            return client.driverState() == DriverState.NOT_RESPONDING;
        });

        final Map<String, ThrowingCallable> needy = new LinkedHashMap<>();
        needy.put("add publication of " + CHANNEL + " stream 2", () -> client.addPublication(CHANNEL, 2));
        needy.put("add exclusive publication of " + CHANNEL + " stream 3",
            () -> client.addExclusivePublication(CHANNEL, 3));
        needy.put("add subscription to " + CHANNEL + " stream 4", () -> client.addSubscription(CHANNEL, 4));
        needy.put("add counter more of type 1000", () -> client.addCounter(1000, "more"));
        needy.put("connect to driver", () -> Gannet.connect(context(invoker, TIMEOUT_MILLIS)));
        for (final Map.Entry<String, ThrowingCallable> call : needy.entrySet())
        {
            assertQuick(call.getKey(), () -> assertThatExceptionOfType(DriverTimeoutException.class)
                .isThrownBy(call.getValue())
                .withMessageContaining("cannot " + call.getKey())
                .withMessageContaining("within " + TIMEOUT_MILLIS + " ms")
                .withMessageContaining("pid " + driver.pid())
                .withMessageContaining("didn't answer"));
        }

        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        assertQuick("streams", () ->
        {
            for (int i = 0; i < 5_000; i++)
            {
                assertThat((i % 2 == 0 ? publication : exclusive).offer(message, 0, 100)).isPositive();
                assertThat(subscription.poll((buffer, offset, length, header) -> { }, 10)).isEqualTo(1);
            }
        });
        assertQuick("back pressure", () ->
        {
            while (exclusive.offer(message, 0, 100) > 0)
            {
                Thread.onSpinWait();
            }
            assertThat(exclusive.offer(message, 0, 100, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
                .isEqualTo(Publication.BACK_PRESSURED);
            assertThat(exclusive.slowestSubscriber().pid()).isEqualTo(ProcessHandle.current().pid());
        });
        assertQuick("a sleep", () ->
        {
            Await.until("no message", () -> subscription.poll((buffer, offset, length, header) -> { }, 100) == 0);
            assertThat(subscription.awaitMessage(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
        });
        assertQuick("counters", () ->
        {
            counter.set(7);
            assertThat(client.countersReader().getCounterValue(counter.id())).isEqualTo(7);
        });
        assertQuick("closes", () ->
        {
            publication.close();
            subscription.close();
            counter.close();
            invoke(client);
            assertThat(publication.isClosed()).isTrue();
            assertThat(subscription.isClosed()).isTrue();
        });
        assertQuick("the client's close", client::close);
        assertThat(client.isClosed()).isTrue();
        assertThat(errors).isEmpty();

        driver.resume();
        Await.until("everything of the client to go", () ->
            TestDirectory.list(harness.directory().resolve("clients")).isEmpty() &&
            TestDirectory.list(harness.directory().resolve("rings")).isEmpty());
        try (Gannet next = Gannet.connect(context(invoker, TimeUnit.SECONDS.toMillis(Await.DEADLINE_SECONDS))))
        {
            next.addPublication(CHANNEL, 1).close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandlerThatDoesNotReturnHoldsUpNoCallForever(final boolean invoker) throws Throwable
    {
        startDriver(invoker);
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch leave = new CountDownLatch(1);
        final Gannet client = Gannet.connect(context(invoker, TIMEOUT_MILLIS).availableImageHandler(image ->
        {
            inside.countDown();
            Await.until("leave to return", () -> leave.getCount() == 0);
        }));
        final Publication publication = client.addPublication(CHANNEL, 1);
        final Thread holder = Thread.ofPlatform().start(() ->
        {
            try
            {
                client.addSubscription(CHANNEL, 1);
                while (!client.isClosed())
                {
                    invoke(client);
                }
            }
            catch (final RuntimeException closedOrTooLate)
            {
                // By the end of the test.
            }
        });
        inside.await();
        assertQuick("an add", () -> assertThatExceptionOfType(DriverTimeoutException.class)
            .isThrownBy(() -> client.addPublication(CHANNEL, 2))
            .withMessageContaining("held up by a handler of the application"));
        assertQuick("a close", publication::close);
        assertQuick("the client's close", client::close);
        assertThat(errors).singleElement().asString().contains("held up by a handler of the application");
        leave.countDown();
        holder.join();
        Await.until("everything of the client to go", () ->
            TestDirectory.list(harness.directory().resolve("clients")).isEmpty() &&
            TestDirectory.list(harness.directory().resolve("rings")).isEmpty());
    }
}

package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.BufferClaim;
import io.gannet.ControlledFragmentHandler;
import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What applications do wrong: one clear message each, and everything else goes on.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class WrongUseTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final long THRESHOLD = 100_000_000L;

    private final Path directory = TestDirectory.create("wrong");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1 << 16]);
    private MediaDriver driver;
    private Gannet client;

    @BeforeEach
    void open()
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.PAUSE_THRESHOLD, THRESHOLD), log::add);
        client = Gannet.connect(new Gannet.Context().directory(directory).name("wrong")
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }

    @AfterEach
    void close()
    {
        client.close();
        driver.close();
        TestDirectory.remove(directory);
        assertThat(log).noneMatch(line -> line.startsWith("error:"));
    }

    private boolean isLogged(final String... words)
    {
        return log.stream().anyMatch(line -> List.of(words).stream().allMatch(line::contains));
    }

    @Test
    void aClaimThatALivingThreadDoesNotCommitIsReportedAndNothingIsTaken()
    {
        try (Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            final BufferClaim claim = BufferClaim.allocate();
            final long end = publication.tryClaim(100, claim);
            assertThat(end).isPositive();
            assertThat(publication.offer(message, 0, 50)).isPositive();
            Await.until("the report", () -> isLogged("wrong (pid " + ProcessHandle.current().pid() + ")",
                "claimed 128 bytes at position " + (end - 128), "stream 1", "since "));
            assertThat(subscription.poll((buffer, offset, length, header) -> { }, 10)).isZero();
            claim.commit();
            Await.until("its end", () -> isLogged("goes on", "position " + (end - 128)));
            assertThat(subscription.poll((buffer, offset, length, header) -> { }, 10)).isEqualTo(2);
            assertThat(log.stream().filter(line -> line.contains("has claimed"))).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSubscriberThatDoesNotPollIsNamedToTheDriversLogAndToThePublisher(final boolean exclusive)
    {
        try (Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication publication = exclusive ?
                client.addExclusivePublication(CHANNEL, 1) : client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            int sent = 1;
            assertThat(publication.offer(message, 0, 1000)).isPositive();
            // A ring with room is not told, however long its subscriber has not polled.
            final long longEnough = System.nanoTime() + 5 * THRESHOLD;
            Await.until("a while", () -> System.nanoTime() - longEnough > 0);
            assertThat(log).noneMatch(line -> line.contains("is full"));
            while (publication.offer(message, 0, 1000) > 0)
            {
                sent++;
            }
            final String who = "wrong (pid " + ProcessHandle.current().pid() + ")";
            Await.until("the report", () -> isLogged("is full since", "subscriber " + who, "position 0"));
            assertThat(publication.slowestSubscriber().toString()).contains(who);
            int received = 0;
            while (received < sent)
            {
                received += subscription.poll((buffer, offset, length, header) -> { }, 10);
            }
            Await.until("its end", () -> isLogged("goes on after"));
            assertThat(publication.offer(message, 0, 1000)).isPositive();
        }
    }

    @Test
    void aControlledHandlerThatReturnsNullIsToldSoAndThePositionIsBehindItsMessage()
    {
        try (Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication publication = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            final long first = publication.offer(message, 0, 10);
            publication.offer(message, 0, 20);
            assertThatThrownBy(() -> subscription.controlledPoll((buffer, offset, length, header) -> null, 10))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("returned null")
                .hasMessageContaining("position " + first).hasMessageContaining("CONTINUE");
            assertThat(subscription.images().getFirst().position()).isEqualTo(first);
            final List<Integer> lengths = new ArrayList<>();
            subscription.controlledPoll((buffer, offset, length, header) ->
            {
                lengths.add(length);
                return ControlledFragmentHandler.Action.CONTINUE;
            }, 10);
            assertThat(lengths).containsExactly(20);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,-1", "-1,1", "0,65537", "65536,1", "2147483647,1", "1,2147483647", "0,-2147483648"})
    void anOfferOutsideItsBufferIsRefusedWithTheNumbers(final int offset, final int length)
    {
        try (Subscription subscription = client.addSubscription(CHANNEL, 1);
            Publication exclusive = client.addExclusivePublication(CHANNEL, 1);
            Publication shared = client.addPublication(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(exclusive, subscription);
            EmbeddedDriver.awaitConnected(shared, subscription);
            for (final Publication publication : List.of(exclusive, shared))
            {
                final long before = publication.position();
                assertThatThrownBy(() -> publication.offer(message, offset, length))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(Integer.toString(length));
                assertThat(publication.position()).isEqualTo(before);
                assertThat(publication.offer(message, 0, 10)).isPositive();
            }
            Await.until("both", () -> subscription.poll((buffer, at, size, header) -> { }, 10) > 0);
        }
    }

    @Test
    void sharedPublicationsThatWantDifferentRingsAreRefusedWithBothValues()
    {
        try (Publication first = client.addPublication(CHANNEL, 1);
            Publication same = client.addPublication("gannet:ipc", 1))
        {
            assertThat(same.sessionId()).as("who leaves it out takes what is there").isEqualTo(first.sessionId());
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?ring=1m", 1))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("65536")
                .hasMessageContaining("ring=1048576").hasMessageContaining("leave ring= out");
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?slow=drop", 1))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("slow=block")
                .hasMessageContaining("slow=drop");
            try (Publication exclusive = client.addExclusivePublication("gannet:ipc?ring=1m", 1);
                Publication session = client.addPublication("gannet:ipc?ring=1m|session-id=7", 1);
                Publication stream = client.addPublication("gannet:ipc?ring=1m", 2))
            {
                assertThat(List.of(exclusive.ringCapacity(), session.ringCapacity(), stream.ringCapacity()))
                    .containsOnly(1 << 20);
            }
        }
    }

    @Test
    void aPathThatIsNoDirectoryIsRefusedAtOnce() throws IOException
    {
        final Path file = Files.createFile(directory.resolve("file"));
        final long start = System.nanoTime();
        assertThatThrownBy(() -> Gannet.connect(
            new Gannet.Context().directory(file).driverTimeout(10, TimeUnit.MINUTES)))
            .isInstanceOf(GannetException.class).hasMessageContaining(file.toString())
            .hasMessageContaining("no directory");
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(5));
    }
}

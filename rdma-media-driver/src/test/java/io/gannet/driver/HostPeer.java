package io.gannet.driver;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.TestDirectory;
import io.gannet.lab.LabGuest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One of two hosts with a driver and a client each: {@code publish|answer STEP...}, with the same steps for both. The
 * one sends numbered messages and the other tells how far it has got, having checked each byte. Steps: {@code turn},
 * one at a time; {@code row}, many; {@code loss}, over a link that loses and reorders; {@code down}, around a link that
 * is down for a while; {@code crash}, last: the answering host crashes as a whole, and the publisher must be told by
 * when the stream's time-out says. Ends with 0 if all was as it should be.
 */
final class HostPeer
{
    private static final int PORT = 4100;
    private static final int STREAM = 10;
    private static final int ANSWERS = 11;
    private static final int IN_TURN = 200;
    private static final int IN_A_ROW = 20_000;
    private static final int BAD_LINK = 3_000;
    private static final int LINK_DOWN = 2_000;
    private static final String LINK = "eth0";
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(Long.getLong("gannet.lab.patience", 300));
    private static final int IMAGE_TIMEOUT_SECONDS = 8;
    /** Retries of the connection and the image time-out; thrice that on a machine that has other things to do. */
    private static final long TOLD_WITHIN = TimeUnit.SECONDS.toNanos(3 * IMAGE_TIMEOUT_SECONDS);

    private final List<String> steps;
    private long deadline;
    private final RdmaHost host = new RdmaHost("pair");
    private final NumberedMessages messages = new NumberedMessages();
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private int answered;
    private int sent;

    private HostPeer(final List<String> steps)
    {
        this.steps = steps;
        // Also after a failure: one of the two may be this machine.
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
        {
            if (Files.exists(host.directory()))
            {
                TestDirectory.remove(host.directory());
            }
        }));
    }

    /** See the class. */
    public static void main(final String[] arguments)
    {
        int status = 0;
        try
        {
            final HostPeer peer = new HostPeer(Arrays.asList(arguments).subList(1, arguments.length));
            if ("publish".equals(arguments[0]))
            {
                peer.publish();
            }
            else
            {
                peer.answer();
            }
        }
        catch (final IOException | InterruptedException | RuntimeException | AssertionError problem)
        {
            problem.printStackTrace(System.out);
            tellMessagesOfConnections();
            status = 1;
        }
        System.exit(status);
    }

    /** What the kernel's connection manager has sent, sent again and received. */
    private static void tellMessagesOfConnections()
    {
        try
        {
            new ProcessBuilder("sh", "-c", "cd /sys/class/infiniband/rxe0/ports/1 && grep -H . cm_*/* | grep -v ':0$'")
                .inheritIO().start().waitFor();
        }
        catch (final IOException | InterruptedException problem)
        {
            System.out.println("no counters of connections: " + problem.getMessage());
        }
    }

    private static String here()
    {
        return channel(LabGuest.number());
    }

    private static String there()
    {
        return channel(3 - LabGuest.number());
    }

    private static String channel(final int number)
    {
        return "gannet:rdma?endpoint=" + LabGuest.address(number).getHostAddress() + ":" + PORT;
    }

    private int total()
    {
        return steps.stream().mapToInt(step -> switch (step)
        {
            case "turn" -> IN_TURN;
            case "row" -> IN_A_ROW;
            case "loss" -> BAD_LINK;
            case "down" -> LINK_DOWN;
            case "crash" -> 0;
            default -> throw new IllegalArgumentException("no step " + step);
        }).sum();
    }

    private Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(host.directory()).driverTimeout(120, TimeUnit.SECONDS)
            .errorHandler(failure -> told.add(failure.getMessage())));
    }

    // ---- the side that answers ----

    private void answer() throws IOException
    {
        final Gannet client = connect();
        final Subscription subscription = client.addSubscription(here(), STREAM);
        final Publication answers = client.addPublication(there() + "|ring=64k", ANSWERS);
        final Checker checker = new Checker(subscription, 0);
        final int all = total();
        int last = 0;
        deadline = System.nanoTime() + PATIENCE;
        while (checker.next() < all || last < all)
        {
            check(System.nanoTime() - deadline < 0, "message " + checker.next() +
                " did not come: " + told + host.log());
            final int before = checker.next();
            checker.poll();
            if (checker.next() == before)
            {
                LabGuest.pause();
            }
            else
            {
                deadline = System.nanoTime() + PATIENCE;
            }
            answer.putInt(0, checker.next());
            if (checker.next() > last && answers.offer(answer, 0, Integer.BYTES) > 0)
            {
                last = checker.next();
            }
        }
        say("has all " + all + " messages");
        if (steps.contains("crash"))
        {
            // The last answer must leave first.
            final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            await("the last answer to leave", () -> System.nanoTime() - end > 0);
            Files.writeString(Path.of("/proc/sysrq-trigger"), "b");
        }
        await("the end of the stream", () -> subscription.images().isEmpty());
        client.close();
        host.close();
    }

    // ---- the side that publishes ----

    private void publish() throws IOException, InterruptedException
    {
        final Gannet client = connect();
        final Subscription answers = client.addSubscription(here(), ANSWERS);
        final Publication publication = client.addPublication(
            there() + "|ring=256k|image-timeout=" + IMAGE_TIMEOUT_SECONDS + "s", STREAM);
        await("the other host", () -> publication.isConnected() && answers.isConnected());
        say("connected");
        for (final String step : steps)
        {
            switch (step)
            {
                case "turn" -> inTurn(publication, answers);
                case "row" -> send(publication, answers, IN_A_ROW, "in a row");
                case "loss" -> badLink(publication, answers);
                case "down" -> linkDown(publication, answers);
                default -> crash(publication, answers);
            }
        }
        client.close();
        host.close();
        host.log().forEach(System.out::println);
        say("closed, nothing left open");
    }

    private void badLink(final Publication publication, final Subscription answers)
        throws IOException, InterruptedException
    {
        run("tc", "qdisc", "add", "dev", LINK, "root", "netem", "loss", "2%", "delay", "1ms", "reorder", "20%", "50%");
        send(publication, answers, BAD_LINK, "over a link that loses and reorders");
        run("tc", "-s", "qdisc", "show", "dev", LINK);
        run("tc", "qdisc", "del", "dev", LINK, "root");
    }

    private void inTurn(final Publication publication, final Subscription answers)
    {
        final long[] times = new long[IN_TURN];
        for (int i = 0; i < IN_TURN; i++)
        {
            final long start = System.nanoTime();
            offer(publication, answers);
            await("the answer to " + i, () -> poll(answers) == sent);
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        say(IN_TURN + " messages in turn, round trip min " + times[0] / 1_000 + " us, median " +
            times[IN_TURN / 2] / 1_000 + " us");
    }

    private void send(final Publication publication, final Subscription answers, final int count, final String how)
    {
        for (int i = 0; i < count; i++)
        {
            offer(publication, answers);
        }
        await("the answer to all", () -> poll(answers) == sent);
        say(count + " messages " + how);
    }

    private void linkDown(final Publication publication, final Subscription answers)
        throws IOException, InterruptedException
    {
        run("ip", "link", "set", LINK, "down");
        for (int i = 0; i < LINK_DOWN / 20; i++)
        {
            offer(publication, answers);
        }
        final long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        await("some time to pass", () -> System.nanoTime() - until > 0);
        check(poll(answers) < sent, "nothing comes while the link is down");
        run("ip", "link", "set", LINK, "up");
        say("link up again");
        send(publication, answers, LINK_DOWN - LINK_DOWN / 20, "around a link that was down");
    }

    private void crash(final Publication publication, final Subscription answers)
    {
        final long start = System.nanoTime();
        await("to be told of the end", () ->
        {
            poll(answers);
            messages.tryOffer(publication, sent);
            return told.stream().anyMatch(text -> text.contains("no longer goes to"));
        });
        final long after = System.nanoTime() - start;
        say("told " + TimeUnit.NANOSECONDS.toMillis(after) + " ms after the last answer: " + told);
        check(after < TOLD_WITHIN, "the time-out is kept");
        await("no connection", () -> !publication.isConnected());
    }

    private void offer(final Publication publication, final Subscription answers)
    {
        await("room for " + sent, () ->
        {
            poll(answers);
            return messages.tryOffer(publication, sent) > 0;
        });
        sent++;
    }

    private int poll(final Subscription answers)
    {
        answers.poll((buffer, offset, length, header) -> answered = buffer.getInt(offset), 64);
        return answered;
    }

    private static void run(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).inheritIO().start();
        check(process.waitFor() == 0, String.join(" ", command));
    }

    private static void say(final String text)
    {
        System.out.printf("%6d ms  %s%n", ProcessHandle.current().info().startInstant()
            .map(start -> java.time.Duration.between(start, java.time.Instant.now()).toMillis()).orElse(0L), text);
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            check(System.nanoTime() - deadline < 0, "waits for " + what + ", sent " + sent + ", answered " + answered +
                ' ' + told + host.log());
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
        }
    }

    private static void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(what);
        }
    }
}

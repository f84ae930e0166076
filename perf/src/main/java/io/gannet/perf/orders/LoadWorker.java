package io.gannet.perf.orders;

import com.google.gson.Gson;
import io.gannet.samples.orderflow.client.LoadPlan;
import io.gannet.samples.orderflow.client.LoadStatistics;
import io.gannet.samples.orderflow.client.OrderLoad;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Transport;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * The load's process: thousands of sessions on one connection and one thread.
 */
final class LoadWorker
{
    /** Open loop at the set rate. */
    static final String PACED = "paced";
    /** As many as are answered; behind it the number in flight, and milliseconds. */
    static final String SUSTAINED = "sustained";

    private static final long KEEP_ALIVE_MILLIS = 600_000;
    private static final long ESTABLISH_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final String END = "";

    private final OrderLoad load;
    private final OrdersOptions options;
    private final IdleStrategy idle;
    private final IdleStrategy onTime;
    private final LinkedBlockingQueue<String> commands = new LinkedBlockingQueue<>();

    LoadWorker(
        final Transport transport, final Tradables tradables, final OrdersOptions options, final IdleStrategy idle)
    {
        this.options = options;
        this.idle = idle;
        onTime = idle instanceof BackoffIdleStrategy ? YieldingIdleStrategy.INSTANCE : idle;
        load = new OrderLoad(transport, Streams.defaults(), 0, 1, options.sessions(), KEEP_ALIVE_MILLIS, false,
            tradables, 1);
    }

    void serve(final BufferedReader in) throws InterruptedException
    {
        final Thread reader = new Thread(() -> read(in), "commands");
        reader.setDaemon(true);
        reader.start();
        final long start = System.nanoTime();
        while (!load.isEstablished())
        {
            idle.idle(load.doWork());
            if (System.nanoTime() - start > ESTABLISH_NANOS)
            {
                throw new IllegalStateException("no session within 120 s");
            }
        }
        OrdersWorker.answer("ready");
        while (true)
        {
            final String command = commands.poll(1, TimeUnit.MILLISECONDS);
            if (command == null)
            {
                load.doWork();
                continue;
            }
            if (command.equals(END))
            {
                load.close();
                return;
            }
            final String[] words = command.split(" ", -1);
            OrdersWorker.answer(new Gson().toJson(words.length == 1 ? phase(true, 0, options.millis()) :
                phase(false, Integer.parseInt(words[1]), Integer.parseInt(words[2]))));
        }
    }

    private void read(final BufferedReader in)
    {
        try
        {
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                commands.add(line);
            }
        }
        catch (final IOException gone)
        {
            System.err.println("coordinator lost: " + gone);
        }
        commands.add(END);
    }

    private PhaseResult phase(final boolean paced, final int window, final int millis)
    {
        final LoadStatistics statistics = load.statistics();
        reset(statistics);
        // Latencies are of the open loop; of the other only the rate counts.
        load.measure(paced);
        final long sent = statistics.sent.get();
        final long answered = statistics.answered.get();
        final long business = statistics.business.get();
        final long start = System.nanoTime();
        if (paced)
        {
            load.begin(new LoadPlan(options.rate(), options.burst()), (long) options.rate() * millis / 1000);
            while (!load.isDone())
            {
                // Requests are sent when they are due: a load that sleeps would be late itself.
                onTime.idle(load.doWork());
            }
        }
        else
        {
            final long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
            while (System.nanoTime() - end < 0)
            {
                int work = load.doWork();
                while (load.inFlight() < window && load.requestNow())
                {
                    work++;
                }
                idle.idle(work);
            }
        }
        final long last = System.nanoTime();
        while (load.inFlight() > 0 && System.nanoTime() - last < ANSWER_NANOS)
        {
            idle.idle(load.doWork());
        }
        return new PhaseResult(statistics.sent.get() - sent, statistics.answered.get() - answered,
            statistics.business.get() - business, System.nanoTime() - start, encoded(statistics.orderToAck),
            encoded(statistics.orderToTrade), statistics.hops.stream().map(LoadWorker::encoded).toList());
    }

    private static void reset(final LoadStatistics statistics)
    {
        statistics.orderToAck.reset();
        statistics.orderToTrade.reset();
        for (final SingleWriterRecorder hop : List.copyOf(statistics.hops))
        {
            hop.reset();
        }
    }

    private static String encoded(final SingleWriterRecorder recorder)
    {
        final var histogram = recorder.getIntervalHistogram();
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
